import type { KeyboardMode, LineState } from '../../src/protocol/terminal.ts';
import type {
  FromChild,
  LeftBehind,
  NetRequest,
  ProcessSignal,
  ShellCall,
  ToChild,
} from '../shared/protocol.ts';
import type { NodeCall } from '../shared/wire.ts';

/** A worker while it runs a program for the process table. */
export interface Runner {
  input(bytes: Uint8Array): void;
  endInput(): void;
  /**
   * Returns true if the program handles the signal itself. If not, the caller has to end it. With `job`, only that job of a
   * shell gets the signal.
   */
  signal(signal: ProcessSignal, job?: number): boolean;
  /** Calls `deaf` where the worker does not respond to messages for `ms` milliseconds. */
  whenDeaf?(ms: number, deaf: () => void): void;
  /** Passes on a message about a process that this one started. */
  tell(message: FromChild): void;
  /** Passes on a message of the parent, where the two have a channel. */
  message?(data: unknown, transfer: readonly Transferable[]): void;
  disconnected?(): void;
  /** Passes an HTTP request to a server of the program. */
  serve?(address: number | string, request: NetRequest, channel: MessagePort): void;
  /** Reports a connection to one of its servers. `host` is the name that the client used, `port` the client's own. */
  connected?(address: number | string, host: string, port: number, channel: MessagePort): void;
  /** Gives an interactive shell the next line. */
  line?(text: string): void;
  /** Reports the new size of its terminal. */
  resize?(columns: number, rows: number): void;
  /**
   * Passes the next piece of its input to `take`, null at the end, for a child that it waits for. `undefined` withdraws
   * an earlier request.
   */
  takeInput?(take: ((piece: Uint8Array | null) => void) | undefined): void;
  /** Asks the program to end, which it may be too busy to notice. False where only {@link terminate} can end it. */
  stop(): boolean;
  terminate(): void;
}

/** The requests and reports of a program. */
export interface RunnerEvents {
  /** `taken` is called once there is room for more. `job` is the background process of a shell that printed it. */
  output(stream: 1 | 2, bytes: Uint8Array, taken: () => void, job?: number): void;
  files(call: ShellCall): Promise<unknown>;
  /** A shell's script is done, and these processes go on in the background. */
  left?(exitCode: number, cwd: string, jobs: readonly LeftBehind[]): void;
  /** Nothing of a job that a shell has left behind runs any more. */
  jobEnded?(job: number, exitCode: number): void;
  child(message: ToChild): void;
  wantsInput(): void;
  /** A shell has read this many bytes. Only shells report it, because they get input before they ask for it. */
  inputUsed?(bytes: number): void;
  /** An interactive shell has run a line. */
  lineDone?(state: LineState): void;
  keyboard?(mode: KeyboardMode): void;
  done(exitCode: number, cwd: string, signal?: ProcessSignal): void;
  lost(reason: string): void;
}

/** The requests and reports that only node makes. It blocks until the answer to `call` is in shared memory. */
export interface NodeEvents extends RunnerEvents {
  call(call: NodeCall, answer: CallAnswer): void;
  append(handle: number, bytes: Uint8Array): void;
  watch(watch: number, path: string, recursive: boolean): void;
  unwatch(watch: number): void;
  unlisten(address: number | string): void;
  /** Sends a message to the process that started this one. */
  message(data: unknown, transfer: readonly Transferable[]): void;
  disconnect(): void;
  /** The program has compiled a WebAssembly module. */
  compiled(name: string, module: WebAssembly.Module): void;
  /** The program wants each key of its terminal, or with `raw` false whole lines again. */
  rawMode(raw: boolean): void;
}

export interface CallAnswer {
  answer(value: unknown): void;
  fail(code: string, message: string): void;
}
