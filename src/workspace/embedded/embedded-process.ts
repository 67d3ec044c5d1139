import type { TerminalSize, TypedShell, TypedShellEvent } from '../typed-shell.ts';
import { ROOT, type Exit, type Process, type SpawnOptions } from '../workspace.ts';
import type { KernelLink } from './kernel-link.ts';
import { OutputQueue } from './output-queue.ts';
import type { SpawnHow, ToKernel } from './protocol.ts';

const encoder = new TextEncoder();

/** What the kernel tells of a process. */
export interface ProcessListener {
  heard(bytes: Uint8Array): void;
  tell?(event: TypedShellEvent): void;
  ended(exit: Exit): void;
  /** What it ran under is gone. */
  lose(reason: string): void;
}

/** What runs under the kernel. It ends with `lost` when the kernel does. */
class Running<Mark> implements ProcessListener {
  readonly id: string;
  readonly exited: Promise<Exit>;
  protected readonly queue = new OutputQueue<Mark>();
  readonly #link: Promise<KernelLink>;
  readonly #started = performance.now();
  readonly #cwd: string;
  #resolve: (exit: Exit) => void = () => {};
  #over = false;

  constructor(
    id: string,
    cwd: string,
    start: Omit<SpawnMessage, 'kind' | 'process'>,
    link: Promise<KernelLink>,
  ) {
    this.id = id;
    this.#cwd = cwd;
    this.exited = new Promise((resolve) => (this.#resolve = resolve));
    this.#link = link;
    link.then(
      (kernel) => {
        if (this.#over) return;
        kernel.processes.set(id, this);
        kernel.post({ kind: 'spawn', process: id, ...start });
      },
      (error: unknown) => this.lose(error instanceof Error ? error.message : String(error)),
    );
  }

  write(input: string | Uint8Array): void {
    const bytes = typeof input === 'string' ? encoder.encode(input) : input;
    this.say({ kind: 'input', process: this.id, bytes });
  }

  closeInput(): void {
    this.say({ kind: 'endInput', process: this.id });
  }

  interrupt(): void {
    this.say({ kind: 'kill', process: this.id, signal: 'SIGINT' });
  }

  kill(): void {
    this.say({ kind: 'kill', process: this.id });
  }

  heard(bytes: Uint8Array): void {
    this.queue.add(bytes);
  }

  ended(exit: Exit): void {
    if (this.#over) return;
    this.#over = true;
    this.queue.end();
    this.#resolve(exit);
  }

  lose(reason: string): void {
    if (this.#over) return;
    this.queue.say(`vitrine: ${reason}\n`);
    const durationMs = performance.now() - this.#started;
    this.ended({ exitCode: 137, reason: 'lost', durationMs, cwd: this.#cwd, outputMayBeCut: true });
  }

  protected say(message: ToKernel): void {
    this.#link.then(
      (kernel) => {
        if (!this.#over) kernel.post(message);
      },
      () => {},
    );
  }
}

type SpawnMessage = Extract<ToKernel, { kind: 'spawn' }>;

/** A process as its starter sees it. */
export class EmbeddedProcess extends Running<never> implements Process {
  readonly output: AsyncIterable<string> = this.queue.read();

  constructor(id: string, command: string, options: SpawnOptions, link: Promise<KernelLink>) {
    super(id, options.cwd ?? ROOT, { command, how: howOf(options) }, link);
    const { signal } = options;
    if (!signal) return;
    const kill = () => this.kill();
    if (signal.aborted) kill();
    else signal.addEventListener('abort', kill, { once: true });
    void this.exited.then(() => signal.removeEventListener('abort', kill));
  }
}

/** A shell that lines are typed into, as its terminal sees it. */
export class EmbeddedShell extends Running<TypedShellEvent> implements TypedShell {
  readonly events: AsyncIterable<string | TypedShellEvent> = this.queue.read();

  constructor(id: string, terminal: TerminalSize, link: Promise<KernelLink>) {
    super(id, ROOT, { command: '', how: { ...howOf({ terminal }), typedRows: terminal.rows } }, link);
  }

  run(text: string): void {
    this.say({ kind: 'line', process: this.id, text });
  }

  resize({ columns, rows }: TerminalSize): void {
    this.say({ kind: 'resize', process: this.id, columns, rows });
  }

  tell(event: TypedShellEvent): void {
    this.queue.mark(event);
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
