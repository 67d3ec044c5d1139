import { argTypeError, needFunction, nodeError } from '../../builtins/internal/errors.ts';
import type { EventLoop } from '../../loop/loop.ts';
import { fdOf, needSignal, pathOf } from '../arguments.ts';
import { ENTER, LEAVE, type FileHandle } from '../file-handle.ts';

export type Done = (error?: Error | null, ...values: never[]) => void;

/** The functions of `fs` that streams use, looked up at each use: programs replace them or pass their own. */
export interface StreamFs {
  open(path: unknown, flags: unknown, mode: unknown, done: (error: Error | null, fd: number) => void): void;
  close(fd: number, done: Done): void;
  read(
    fd: number,
    into: Uint8Array,
    offset: number,
    length: number,
    position: number | undefined,
    done: (error: Error | null, count: number) => void,
  ): void;
  write?(
    fd: number,
    bytes: Uint8Array,
    offset: number,
    length: number,
    position: number | undefined,
    done: (error: NodeJS.ErrnoException | null, count: number) => void,
  ): void;
  writev?(
    fd: number,
    pieces: Uint8Array[],
    position: number | undefined,
    done: (error: NodeJS.ErrnoException | null, count: number) => void,
  ): void;
  fsync?(fd: number, done: Done): void;
}

export interface StreamOptions {
  readonly flags?: string;
  readonly encoding?: BufferEncoding;
  readonly fd?: number | FileHandle | null;
  readonly mode?: number;
  readonly autoClose?: boolean;
  readonly emitClose?: boolean;
  readonly start?: number;
  readonly end?: number;
  readonly highWaterMark?: number;
  readonly signal?: AbortSignal;
  readonly flush?: boolean;
  readonly fs?: StreamFs;
}

/** Finds the file and the functions that a new stream uses. */
export class StreamSources {
  readonly #fs: StreamFs;
  readonly #isHandle: (value: unknown) => value is FileHandle;
  readonly #loop: EventLoop;

  constructor(fs: StreamFs, isHandle: (value: unknown) => value is FileHandle, loop: EventLoop) {
    this.#fs = fs;
    this.#isHandle = isHandle;
    this.#loop = loop;
  }

  /** The functions of a stream on a handle: each calls the method of the handle. */
  #throughHandle(handle: FileHandle): StreamFs {
    const settle = (
      promise: Promise<unknown>,
      done: (error: Error | null, count: number) => void,
      part: string,
    ) =>
      promise.then(
        (result) => this.#loop.nextTick(() => done(null, Number(Object(result)[part])), []),
        (error: unknown) => this.#loop.nextTick(() => done(error as Error, 0), []),
      );
    return {
      ...this.#fs,
      close: (_fd, done) => void settle((handle[LEAVE](), handle.close()), done as never, ''),
      read: (_fd, into, offset, length, position, done) =>
        void settle(handle.read(into, offset, length, position), done, 'bytesRead'),
      write: (_fd, bytes, offset, length, position, done) =>
        void settle(handle.write(bytes, offset, length, position), done, 'bytesWritten'),
      writev: (_fd, pieces, position, done) =>
        void settle(handle.writev(pieces, position), done, 'bytesWritten'),
      fsync: (_fd, done) => void settle(handle.sync(), done as never, ''),
    };
  }

  /** Returns the functions that a stream uses, and the descriptor of a file that is open already. */
  sourceOf(options: StreamOptions, path: unknown, uses: readonly (keyof StreamFs)[]) {
    const { fd: given, fs: own, signal, autoClose = true } = options;
    // All checks come before the stream is constructed, which would open the file.
    needSignal(signal);
    const functions = own ?? this.#fs;
    const isOpen = given !== undefined && given !== null;
    if (!isOpen) {
      needFunction(functions.open, 'options.fs.open');
      pathOf(path);
    }
    if (this.#isHandle(given) && own)
      throw nodeError('ERR_METHOD_NOT_IMPLEMENTED', 'The FileHandle with fs method is not implemented');
    if (isOpen && typeof given !== 'number' && !this.#isHandle(given))
      throw argTypeError('options.fd', ['number', 'FileHandle'], given);
    for (const use of uses) needFunction(functions[use], `options.fs.${use}`);
    if (autoClose) needFunction(functions.close, 'options.fs.close');
    if (!isOpen) return { fd: null, functions, shown: path instanceof URL ? pathOf(path) : path };
    if (typeof given === 'number') return { fd: fdOf(given), functions, shown: undefined };
    return { fd: given.fd, functions: this.#throughHandle(given), shown: undefined, handle: given };
  }
}

/** Makes a stream close when its handle does, and the other way around. */
export function join(stream: { close(): void }, handle: FileHandle | undefined): void {
  if (!handle) return;
  handle[ENTER]();
  handle.on('close', () => stream.close());
}
