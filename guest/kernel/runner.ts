import type { KeyboardMode, LineState } from '../../src/workspace/typed-shell.ts';
import type { FromChild, FsCall, NetRequest, ProcessSignal, ToChild } from '../protocol.ts';
import type { NodeCall } from '../node/wire.ts';

/** A worker while it runs a program for the process table. */
export interface Runner {
  input(bytes: Uint8Array): void;
  endInput(): void;
  /** True where the program was told; one that was not is to be ended. */
  signal(signal: ProcessSignal): boolean;
  /** Calls back where it hears nothing for so long. */
  whenDeaf?(ms: number, deaf: () => void): void;
  /** About a process that this one started. */
  tell(message: FromChild): void;
  /** A message of the process that started it, where the two have a channel. */
  message?(data: unknown, transfer: readonly Transferable[]): void;
  disconnected?(): void;
  /** Asks a server of the program, where it has one. */
  serve?(address: number | string, request: NetRequest, channel: MessagePort): void;
  /** Somebody has connected to one; `host` is how it was named, `port` the other side's. */
  connected?(address: number | string, host: string, port: number, channel: MessagePort): void;
  /** Of a shell that lines are typed into. */
  line?(text: string): void;
  /** Its terminal has another size now. */
  resize?(columns: number, rows: number): void;
  /** Takes the next piece of its input for a process that it waits for, null at its end; or lets it be. */
  takeInput?(take: ((piece: Uint8Array | null) => void) | undefined): void;
  /** Asks it to end; one that does not look up goes on. False where only {@link terminate} does it. */
  stop(): boolean;
  terminate(): void;
}

/** What a program asks for and says. */
export interface RunnerEvents {
  /** `taken` is called once there is room for more. */
  output(stream: 1 | 2, bytes: Uint8Array, taken: () => void): void;
  files(call: FsCall): Promise<unknown>;
  child(message: ToChild): void;
  wantsInput(): void;
  /** Of a shell, which is given more than it asks for. */
  inputUsed?(bytes: number): void;
  /** Of a shell that lines are typed into. */
  lineDone?(state: LineState): void;
  keyboard?(mode: KeyboardMode): void;
  done(exitCode: number, cwd: string, signal?: ProcessSignal): void;
  lost(reason: string): void;
}

/** What only node asks for: it waits for the answer, which goes straight into shared memory. */
export interface NodeEvents extends RunnerEvents {
  call(call: NodeCall, answer: CallAnswer): void;
  watch(watch: number, path: string, recursive: boolean): void;
  unwatch(watch: number): void;
  unlisten(address: number | string): void;
  /** To the process that started this one. */
  message(data: unknown, transfer: readonly Transferable[]): void;
  disconnect(): void;
  /** It wants each key of its terminal, or lines again. */
  rawMode(raw: boolean): void;
}

export interface CallAnswer {
  answer(value: unknown): void;
  fail(code: string, message: string): void;
}
