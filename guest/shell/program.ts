import type { KeyboardMode } from '../../src/protocol/terminal.ts';
import type { NetResponse } from '../shared/net.ts';
import type { NetRequest } from '../shared/protocol.ts';
import type { ShellFs } from './shell-fs.ts';

export type { KeyboardMode };

/** Bytes that come in pieces of any size. One reader at a time. */
export interface ByteSource {
  /** The next piece, never empty; null at the end, and at every read after it. */
  read(): Uint8Array | null | Promise<Uint8Array | null>;
  /**
   * Puts back bytes that were taken and not used, to be read first: the next command of a group may share
   * this source.
   */
  unread(bytes: Uint8Array): void;
  /** Call it when nothing more will be read: writers fail with {@link BrokenPipe} from now on. */
  close(): void;
  /** Set where this is the input of the whole script, which nobody has piped to the program. */
  readonly isUnpiped?: boolean;
  /** Present on a keyboard, where an end of input is for one reader only: lets the next reader go on. */
  again?(): void;
}

export interface ByteSink {
  /**
   * Takes a piece, which must not be changed afterwards. Returns a promise while the other end is full. Fails
   * with {@link BrokenPipe}.
   */
  write(bytes: Uint8Array): void | Promise<void>;
}

/**
 * Thrown into a writer that has no reader left. A program that does not catch it ends silently with exit code
 * 141.
 */
export class BrokenPipe extends Error {
  override readonly name = 'BrokenPipe';
}

/** The standard streams of a program. */
export interface Streams {
  readonly stdin: ByteSource;
  readonly stdout: ByteSink;
  readonly stderr: ByteSink;
}

/** The terminal that a person looks at. The size is always the present one. */
export interface Terminal {
  readonly columns: number;
  readonly rows: number;
  /**
   * The keyboard of the terminal. It delivers lines and echoes what is typed, until a program changes its
   * mode.
   */
  readonly keyboard?: Keyboard;
  /** Calls `listener` at each new size until the returned function is called. */
  onResize?(listener: () => void): () => void;
}

export interface Keyboard {
  /** The typed bytes. A program whose standard input is a pipe can still read the keyboard here. */
  readonly source: ByteSource;
  readonly mode: KeyboardMode;
  /** A program that changes the mode has to restore it. */
  setMode(mode: KeyboardMode): void;
  /** Ctrl-C is a key like others, as a program of node has it that asks for all keys. */
  hasControlKeys: boolean;
}

/**
 * One run of a program. Words and variables are JavaScript strings decoded from UTF-8; a byte that is not
 * valid UTF-8 becomes the lone surrogate U+DC00 + byte, so that nothing is lost.
 */
export interface ProgramCall extends Streams {
  /** The name under which the program was called. */
  readonly name: string;
  readonly args: readonly string[];
  /** Exported variables. */
  readonly env: ReadonlyMap<string, string>;
  /** Absolute. */
  readonly cwd: string;
  /** The bits that are removed from the mode of every new file. */
  readonly umask: number;
  readonly files: ShellFs;
  /** Aborted when the program is to end; the reason is the name of a signal, such as `SIGTERM`. */
  readonly signal: AbortSignal;
  /**
   * For a program that runs as a process of its own: passes `take` each signal that would have ended the fork
   * in whose place the program runs, until the returned function is called.
   */
  takeSignals(take: (signal: string) => void): () => void;
  /** Call it where a signal has ended that process: it has ended the fork, too. */
  endedBy(signal: string): void;
  /**
   * True while the program has the terminal: it was not started in the background, and nothing has
   * interrupted it.
   */
  isInFront(): boolean;
  /** The terminal behind a stream; undefined where the stream is not a terminal. */
  terminal(stream: 0 | 1 | 2): Terminal | undefined;
  /**
   * The source behind a path that names a stream of the shell, such as `/dev/fd/63`. It can be read piece by
   * piece.
   */
  stream?(path: string): ByteSource | undefined;
  /**
   * Makes one HTTP request; for programs in a script of their own, which cannot import what the shell does it with. Rejects
   * with an error that has a `code`, or with the reason of `signal`.
   */
  fetch(request: NetRequest): Promise<NetResponse>;
  /** The processes of this run, the program itself among them, and those of jobs that earlier runs have left behind. */
  processes(): Promise<ProcessInfo[]>;
  /** The number of the background process that the program belongs to, if it does. */
  readonly job: number | undefined;
  /** Resolves `name` against the program's directory. The answer is absolute. */
  path(name: string): string;
  /**
   * Runs words as one command without expanding anything in them. It uses this program's own streams, except
   * for those in `change`.
   */
  run(words: readonly string[], change?: RunChange): Promise<number>;
}

export interface ProcessInfo {
  readonly pid: number;
  readonly ppid: number;
  /** The words of the command, joined by blanks. */
  readonly command: string;
  /** Milliseconds since 1970. */
  readonly started: number;
  /** True for the shell that started the program, and for the shells around that one. */
  readonly isAsking: boolean;
}

export interface RunChange extends Partial<Streams> {
  readonly env?: ReadonlyMap<string, string>;
  readonly cwd?: string;
  readonly signal?: AbortSignal;
  /**
   * Signals that would have ended the caller's fork go to this process, and the caller goes on once the
   * process has ended.
   */
  readonly takesSignals?: boolean;
  /** An abort of this signal ends the process for certain, also where it survives `signal`. */
  readonly kill?: AbortSignal;
}

/**
 * Answers the exit code. An error that it throws is printed as `name: message` with exit code 1, except for
 * {@link BrokenPipe}.
 */
export type Program = (call: ProgramCall) => number | Promise<number>;
