import type { KeyboardMode } from '../../src/workspace/typed-shell.ts';
import type { ShellFs } from './shell-fs.ts';

export type { KeyboardMode };

/** Bytes that come in pieces of any size. One reader at a time. */
export interface ByteSource {
  /** The next piece, never empty; null at the end, and at every read after it. */
  read(): Uint8Array | null | Promise<Uint8Array | null>;
  /** Puts back what was taken and not used, to be read first: the next command of a group may share this source. */
  unread(bytes: Uint8Array): void;
  /** Nothing more will be read: whoever writes fails with {@link BrokenPipe} from now on. */
  close(): void;
  /** Set where this is the input of the whole script, which nobody has piped to the program. */
  readonly isUnpiped?: boolean;
  /** Of a keyboard, whose end is one reader's: the next one may read on. */
  again?(): void;
}

export interface ByteSink {
  /** Takes a piece, which must not be changed afterwards; a promise while the other end is full. Fails with {@link BrokenPipe}. */
  write(bytes: Uint8Array): void | Promise<void>;
}

/** Nobody reads what is written. Ends a program that does not catch it, with 141 and in silence. */
export class BrokenPipe extends Error {
  override readonly name = 'BrokenPipe';
}

/** What standard input, output or error of a program is connected to. */
export interface Streams {
  readonly stdin: ByteSource;
  readonly stdout: ByteSink;
  readonly stderr: ByteSink;
}

/** What a person looks at. Its size is that of now. */
export interface Terminal {
  readonly columns: number;
  readonly rows: number;
  /** Where a person types; what they type is a line at a time and shows as they type it, until this is changed. */
  readonly keyboard?: Keyboard;
  /** Calls `listener` at each new size until the answer is called. */
  onResize?(listener: () => void): () => void;
}

export interface Keyboard {
  /** Bytes as they are typed: what was piped to a program is its standard input all the same. */
  readonly source: ByteSource;
  readonly mode: KeyboardMode;
  /** The program that sets it sets it back. */
  setMode(mode: KeyboardMode): void;
}

/**
 * One run of a program. Words are JavaScript strings of what was UTF-8; a byte that is no UTF-8 is the lone surrogate
 * U+DC00 + byte, in words as in variables, so that nothing is lost on the way through.
 */
export interface ProgramCall extends Streams {
  /** As it was called. */
  readonly name: string;
  readonly args: readonly string[];
  /** Exported variables. */
  readonly env: ReadonlyMap<string, string>;
  /** Absolute. */
  readonly cwd: string;
  /** Bits that are taken from the mode of what is made. */
  readonly umask: number;
  readonly files: ShellFs;
  /** Aborted when the program is to end; the reason is the name of a signal, such as `SIGTERM`. */
  readonly signal: AbortSignal;
  /**
   * For a program that runs as a process of its own: `take` gets each signal that would have ended the fork in whose place
   * it runs. Until the answer is called.
   */
  takeSignals(take: (signal: string) => void): () => void;
  /** It has the terminal: it was not started in the background, and nothing has interrupted it. */
  isInFront(): boolean;
  /** The terminal that this stream is; undefined where it is none. */
  terminal(stream: 0 | 1 | 2): Terminal | undefined;
  /** What can be read under a path that is a stream of the shell, such as `/dev/fd/63`: it need not be read whole. */
  stream?(path: string): ByteSource | undefined;
  /** What runs beside it, and itself. */
  processes(): ProcessInfo[];
  /** `name` from the program's directory, absolute. */
  path(name: string): string;
  /** Runs words as one command, with nothing in them expanded again. Streams not named are this program's own. */
  run(words: readonly string[], change?: RunChange): Promise<number>;
}

export interface ProcessInfo {
  readonly pid: number;
  readonly ppid: number;
  /** Its words, put together by blanks. */
  readonly command: string;
  /** Milliseconds since 1970. */
  readonly started: number;
  /** It is the shell that the program was started from, or one around that. */
  readonly isAsking: boolean;
}

export interface RunChange extends Partial<Streams> {
  readonly env?: ReadonlyMap<string, string>;
  readonly cwd?: string;
  readonly signal?: AbortSignal;
  /** Signals that would have ended the caller's fork go to it, and the caller goes on when it has ended. */
  readonly takesSignals?: boolean;
  /** Aborted to end it for certain, where it lives on after `signal`. */
  readonly kill?: AbortSignal;
}

/** Answers the exit code. What it throws is told as `name: message` with exit code 1, but for {@link BrokenPipe}. */
export type Program = (call: ProgramCall) => number | Promise<number>;
