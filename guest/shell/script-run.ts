import { messageOf } from '../../src/base/message-of.ts';
import {
  FLAG,
  OUTPUT_WINDOW,
  type FromChild,
  type FromShell,
  type Peer,
  type ToShell,
} from '../shared/protocol.ts';
import { linkChildren } from './children.ts';
import type { KeptJobs, runShell, ShellEnd } from './engine.ts';
import { StreamedInput } from './input.ts';
import { OpenTerminal, TypedInput } from './keyboard.ts';
import type { OuterJobs } from './outer-jobs.ts';
import { Session } from './session.ts';
import type { ShellFs } from './shell-fs.ts';

export type RunMessage = Extract<ToShell, { kind: 'run' }>;

interface Input {
  input(bytes: Uint8Array): void;
  endInput(): void;
}

/** The run of one script, or of the lines that are typed into one terminal. */
export class ScriptRun {
  readonly #message: RunMessage;
  readonly #peer: Peer<FromShell, ToShell>;
  readonly #fs: ShellFs;
  readonly #outer: OuterJobs;
  readonly #isStopped: () => boolean;
  readonly #hearChild: (message: FromChild) => void;
  /** How many bytes of output are on their way to the reader; `#writers` wait until they have been read. */
  #flying = 0;
  readonly #writers: (() => void)[] = [];
  #interrupts = 0;
  #signal: (name: string, job?: number) => void = () => {};
  #input: Input | undefined;
  #session: Session | undefined;
  /** The terminal of a script that another process has started in its own terminal. */
  #lent: OpenTerminal | undefined;

  constructor(
    message: RunMessage,
    peer: Peer<FromShell, ToShell>,
    fs: ShellFs,
    outer: OuterJobs,
    isStopped: () => boolean,
  ) {
    const { run } = message;
    this.#message = message;
    this.#peer = peer;
    this.#fs = fs;
    this.#outer = outer;
    this.#isStopped = isStopped;
    this.#hearChild = linkChildren((said, transfer) =>
      peer.post({ kind: 'child', run, message: said }, transfer),
    );
  }

  get run(): number {
    return this.#message.run;
  }

  /** Runs the script to its end, through `interpret`, and reports the end. */
  async execute(interpret: typeof runShell): Promise<void> {
    const { run, cwd, typedRows } = this.#message;
    try {
      const end = await (typedRows === undefined ? this.#whole(interpret) : this.#lines(typedRows));
      this.#peer.post({ kind: 'done', run, ...end });
    } catch (error) {
      const text = `bash: ${messageOf(error)}\n`;
      void this.#write(new TextEncoder().encode(text), 1);
      this.#peer.post({ kind: 'done', run, exitCode: 1, cwd });
    }
  }

  /** Delivers a signal; with SIGKILL, only to a job that the script has left behind. */
  signal(name: string, job?: number): void {
    if (job !== undefined) this.#signal(name, job);
    else if (name === 'SIGINT') this.#hearInterrupt();
    else this.#signal(name);
  }

  /** Checks whether the kernel wants the run to stop. A script checks it itself. */
  look(): void {
    this.#session?.look();
  }

  hearChild(message: FromChild): void {
    this.#hearChild(message);
  }

  outputUsed(bytes: number): void {
    this.#flying -= bytes;
    if (this.#flying <= OUTPUT_WINDOW) for (const go of this.#writers.splice(0)) go();
  }

  input(bytes: Uint8Array): void {
    this.#input?.input(bytes);
  }

  endInput(): void {
    this.#input?.endInput();
  }

  line(text: string): void {
    this.#session?.line(text);
  }

  resize(columns: number, rows: number): void {
    (this.#session ?? this.#lent)?.resize(columns, rows);
  }

  #lines(rows: number): Promise<ShellEnd> {
    const { run } = this.#message;
    const session = new Session(this.#fs, {
      ...this.#setting(),
      columns: this.#columns() ?? 80,
      rows,
      lineDone: (state) => this.#peer.post({ kind: 'lineDone', run, state }),
      keyboard: (mode) => this.#peer.post({ kind: 'keyboard', run, mode }),
    });
    this.#session = session;
    this.#input = session;
    this.#signal = (name) => session.signal(name);
    return session.ended;
  }

  #whole(interpret: typeof runShell): Promise<ShellEnd> {
    const { script, args, name, stdin, rows, terminal, keepsJobs } = this.#message;
    const columns = this.#columns();
    const streamed = stdin ? undefined : new StreamedInput((bytes) => this.#inputUsed(bytes));
    this.#input = streamed && { input: (bytes) => streamed.add(bytes), endInput: () => streamed.end() };
    if (terminal) this.#lent = this.#lend(terminal);
    return interpret(this.#fs, script, {
      ...this.#setting(),
      stdin: stdin ?? streamed ?? new Uint8Array(),
      signals: (send) => (this.#signal = send),
      ...(keepsJobs && { jobs: this.#kept() }),
      ...(args && { args }),
      ...(name !== undefined && { name }),
      ...(columns !== undefined && { columns }),
      ...(rows !== undefined && { rows }),
      ...(terminal &&
        this.#lent && { terminal: this.#lent, rows: terminal.rows, terminals: terminal.streams }),
    });
  }

  #kept(): KeptJobs {
    const { run } = this.#message;
    return {
      output: (job, bytes, stream) => this.#write(bytes, stream, job),
      left: (end, jobs) => this.#peer.post({ kind: 'left', run, ...end, jobs }),
      ended: (job, exitCode, signal) =>
        this.#peer.post({ kind: 'jobEnded', run, job, exitCode, ...(signal && { signal }) }),
    };
  }

  #lend(terminal: NonNullable<RunMessage['terminal']>): OpenTerminal {
    const typed = new TypedInput(
      (mode) => this.#peer.post({ kind: 'keyboard', run: this.run, mode }),
      (bytes) => this.#inputUsed(bytes),
    );
    if (terminal.streams.includes(0))
      this.#input = { input: (bytes) => typed.add(bytes), endInput: () => typed.end() };
    return new OpenTerminal(terminal.columns, terminal.rows, typed);
  }

  #columns(): number | undefined {
    return this.#message.columns ?? this.#message.terminal?.columns;
  }

  #setting() {
    const { cwd, env, flag } = this.#message;
    return {
      cwd,
      env,
      output: (bytes: Uint8Array) => this.#write(bytes, 1),
      error: (bytes: Uint8Array) => this.#write(bytes, 2),
      outer: this.#outer,
      aborted: () => {
        if (flag) this.#hearInterrupt();
        return this.#isAborted();
      },
    };
  }

  #isAborted(): boolean {
    const { run, flag } = this.#message;
    return this.#isStopped() || (flag !== undefined && Atomics.load(flag, FLAG.stopped) === run);
  }

  /** An interrupt arrives as a message and, where memory is shared, in the flag before that. It counts once. */
  #hearInterrupt(): void {
    const { flag } = this.#message;
    if (flag) {
      const now = Atomics.load(flag, FLAG.interrupts);
      if (now === this.#interrupts) return;
      this.#interrupts = now;
    }
    this.#signal('SIGINT');
  }

  #inputUsed(bytes: number): void {
    this.#peer.post({ kind: 'inputUsed', run: this.run, bytes });
  }

  #write(bytes: Uint8Array, stream: 1 | 2, job?: number): Promise<void> | undefined {
    this.#peer.post({ kind: 'output', run: this.run, bytes, stream, ...(job !== undefined && { job }) });
    this.#flying += bytes.byteLength;
    if (this.#flying <= OUTPUT_WINDOW) return undefined;
    return new Promise<void>((resolve) => this.#writers.push(resolve));
  }
}
