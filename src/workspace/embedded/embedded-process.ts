import { ROOT, type Exit, type Process, type SpawnOptions } from '../workspace.ts';
import type { KernelLink } from './kernel-link.ts';
import { OutputQueue } from './output-queue.ts';
import type { SpawnHow } from './protocol.ts';

const encoder = new TextEncoder();

/** A process as its starter sees it. It ends with `lost` when the kernel it runs under does. */
export class EmbeddedProcess implements Process {
  readonly id: string;
  readonly output: AsyncIterable<string>;
  readonly exited: Promise<Exit>;
  readonly #queue = new OutputQueue();
  readonly #link: Promise<KernelLink>;
  readonly #started = performance.now();
  readonly #cwd: string;
  #resolve: (exit: Exit) => void = () => {};
  #over = false;

  constructor(id: string, command: string, options: SpawnOptions, link: Promise<KernelLink>) {
    this.id = id;
    this.#cwd = options.cwd ?? ROOT;
    this.output = this.#queue.read();
    this.exited = new Promise((resolve) => (this.#resolve = resolve));
    this.#link = link;
    link.then(
      (kernel) => {
        if (this.#over) return;
        kernel.processes.set(id, this);
        kernel.post({ kind: 'spawn', process: id, command, how: howOf(options) });
      },
      (error: unknown) => this.lose(error instanceof Error ? error.message : String(error)),
    );
    const { signal } = options;
    if (!signal) return;
    const kill = () => this.kill();
    if (signal.aborted) kill();
    else signal.addEventListener('abort', kill, { once: true });
    void this.exited.then(() => signal.removeEventListener('abort', kill));
  }

  write(input: string | Uint8Array): void {
    const bytes = typeof input === 'string' ? encoder.encode(input) : input;
    this.#tell((kernel) => kernel.post({ kind: 'input', process: this.id, bytes }));
  }

  closeInput(): void {
    this.#tell((kernel) => kernel.post({ kind: 'endInput', process: this.id }));
  }

  interrupt(): void {
    this.#tell((kernel) => kernel.post({ kind: 'kill', process: this.id, signal: 'SIGINT' }));
  }

  kill(): void {
    this.#tell((kernel) => kernel.post({ kind: 'kill', process: this.id }));
  }

  /** The kernel says so. */
  heard(bytes: Uint8Array): void {
    this.#queue.add(bytes);
  }

  ended(exit: Exit): void {
    if (this.#over) return;
    this.#over = true;
    this.#queue.end();
    this.#resolve(exit);
  }

  /** What it ran under is gone. */
  lose(reason: string): void {
    if (this.#over) return;
    this.#queue.say(`vitrine: ${reason}\n`);
    const durationMs = performance.now() - this.#started;
    this.ended({ exitCode: 137, reason: 'lost', durationMs, cwd: this.#cwd, outputMayBeCut: true });
  }

  #tell(say: (kernel: KernelLink) => void): void {
    this.#link.then(
      (kernel) => {
        if (!this.#over) say(kernel);
      },
      () => {},
    );
  }
}

function howOf({ cwd, env = {}, stdin, timeoutMs, reads, terminal }: SpawnOptions): SpawnHow {
  return {
    env: { ...(terminal && { TERM: 'xterm-256color', LINES: String(terminal.rows) }), ...env },
    ...(cwd !== undefined && { cwd }),
    ...(stdin !== undefined && { stdin: typeof stdin === 'string' ? encoder.encode(stdin) : stdin }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(reads && { reads }),
    ...(terminal && { columns: terminal.columns }),
  };
}
