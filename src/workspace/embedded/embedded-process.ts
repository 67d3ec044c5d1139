import { messageOf } from '../../base/message-of.ts';
import type { TerminalSize, TypedShell, TypedShellEvent } from '../typed-shell.ts';
import { ROOT, type Exit, type Process, type SpawnOptions } from '../workspace.ts';
import type { KernelLink } from './kernel-link.ts';
import { OutputQueue } from './output-queue.ts';
import type { ProcessListener } from './process-listener.ts';
import type { SpawnHow, ToKernel } from '../../protocol/frame.ts';

const encoder = new TextEncoder();

/** A process of the kernel. It ends with `lost` when the kernel ends. */
class KernelProcess<Mark> implements ProcessListener {
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
      (error: unknown) => this.lose(messageOf(error)),
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
    this.endAs('lost');
  }

  protected endAs(reason: 'lost' | 'suspended'): void {
    const durationMs = performance.now() - this.#started;
    this.ended({ exitCode: 137, reason, durationMs, cwd: this.#cwd, outputMayBeCut: reason === 'lost' });
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

/** A process, for the code that started it. */
export class EmbeddedProcess extends KernelProcess<never> implements Process {
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

/** An interactive shell, for its terminal. */
export class EmbeddedShell extends KernelProcess<TypedShellEvent> implements TypedShell {
  readonly events: AsyncIterable<string | TypedShellEvent> = this.queue.read();
  readonly #beginUse: () => () => void;
  #endUse: (() => void) | undefined;
  /** How many lines it was given to run. */
  #linesGiven = 0;

  /** `beginUse` is called when something runs in the shell, and returns a function to call when that is over. */
  constructor(id: string, terminal: TerminalSize, beginUse: () => () => void, link: Promise<KernelLink>) {
    super(id, ROOT, { command: '', how: { ...howOf({ terminal }), typedRows: terminal.rows } }, link);
    this.#beginUse = beginUse;
    void this.exited.then(() => this.#rest());
  }

  run(text: string): void {
    this.#linesGiven++;
    this.#begin();
    this.say({ kind: 'line', process: this.id, text });
  }

  resize({ columns, rows }: TerminalSize): void {
    this.say({ kind: 'resize', process: this.id, columns, rows });
  }

  tell(event: TypedShellEvent): void {
    this.queue.mark(event);
    if (event.type === 'line' && event.count === this.#linesGiven && event.isIdle) this.#rest();
  }

  /** Ends the shell without a message, if it only waits for a line. */
  suspend(): void {
    if (!this.#endUse) this.endAs('suspended');
  }

  #begin(): void {
    this.#endUse ??= this.#beginUse();
  }

  #rest(): void {
    this.#endUse?.();
    this.#endUse = undefined;
  }
}

function howOf({ cwd, env = {}, stdin, timeoutMs, reads, jobs, terminal }: SpawnOptions): SpawnHow {
  return {
    env: { ...(terminal && { TERM: 'xterm-256color' }), ...env },
    ...(cwd !== undefined && { cwd }),
    ...(stdin !== undefined && { stdin: typeof stdin === 'string' ? encoder.encode(stdin) : stdin }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(reads && { reads }),
    ...(jobs && { jobs }),
    ...(terminal && { columns: terminal.columns, rows: terminal.rows }),
  };
}
