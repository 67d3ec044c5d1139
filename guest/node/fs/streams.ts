import type { LoadBuiltin } from '../builtins/builtin.ts';
import type { EventLoop } from '../loop/loop.ts';
import {
  argTypeError,
  needFunction,
  needInteger,
  nodeError,
  outOfRange,
} from '../builtins/internal/errors.ts';
import { inheritable, plainBase } from '../builtins/callable.ts';
import { fdOf, needSignal, optionsOf, pathOf } from './arguments.ts';
import { ENTER, LEAVE, type FileHandle } from './file-handle.ts';

type Done = (error?: Error | null, ...values: never[]) => void;

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

interface StreamOptions {
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

interface FileStream {
  fd: number | null;
  readonly path: unknown;
  readonly flags: string;
  readonly mode: number;
  emit(name: string, ...args: unknown[]): boolean;
  open(): void;
}

const PIECE = 64 * 1024;

/** Makes the file streams, which use the public functions of `fs`. */
export function makeFileStreams(
  module: object,
  isHandle: (value: unknown) => value is FileHandle,
  load: LoadBuiltin,
  loop: EventLoop,
) {
  const fs = module as StreamFs;
  const { addAbortSignal, Readable, Writable } = load('stream');
  const { Buffer } = load('buffer');
  const { deprecate } = load('util');

  /** The functions of a stream on a handle: each calls the method of the handle. */
  function throughHandle(handle: FileHandle): StreamFs {
    const settle = (
      promise: Promise<unknown>,
      done: (error: Error | null, count: number) => void,
      part: string,
    ) =>
      promise.then(
        (result) => loop.nextTick(() => done(null, Number(Object(result)[part])), []),
        (error: unknown) => loop.nextTick(() => done(error as Error, 0), []),
      );
    return {
      ...fs,
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
  function sourceOf(options: StreamOptions, path: unknown, uses: readonly (keyof StreamFs)[]) {
    const { fd: given, fs: own, signal, autoClose = true } = options;
    // All checks come before the stream is constructed, which would open the file.
    needSignal(signal);
    const functions = own ?? fs;
    const isOpen = given !== undefined && given !== null;
    if (!isOpen) {
      needFunction(functions.open, 'options.fs.open');
      pathOf(path);
    }
    if (isHandle(given) && own)
      throw nodeError('ERR_METHOD_NOT_IMPLEMENTED', 'The FileHandle with fs method is not implemented');
    if (isOpen && typeof given !== 'number' && !isHandle(given))
      throw argTypeError('options.fd', ['number', 'FileHandle'], given);
    for (const use of uses) needFunction(functions[use], `options.fs.${use}`);
    if (autoClose) needFunction(functions.close, 'options.fs.close');
    if (!isOpen) return { fd: null, functions, shown: path instanceof URL ? pathOf(path) : path };
    if (typeof given === 'number') return { fd: fdOf(given), functions, shown: undefined };
    return { fd: given.fd, functions: throughHandle(given), shown: undefined, handle: given };
  }

  /** Makes a stream close when its handle does, and the other way around. */
  function join(stream: { close(): void }, handle: FileHandle | undefined): void {
    if (!handle) return;
    handle[ENTER]();
    handle.on('close', () => stream.close());
  }

  const open = deprecated('ReadStream');
  const openToWrite = deprecated('WriteStream');
  function deprecated(name: string) {
    return deprecate(function open() {}, `${name}.prototype.open() is deprecated`, 'DEP0135');
  }

  class ReadStream extends plainBase(Readable) {
    fd: number | null;
    path: unknown;
    flags: string;
    mode: number;
    start: number | undefined;
    end: number;
    pos: number | undefined;
    bytesRead = 0;
    declare open: () => void;
    readonly #fs: StreamFs;
    #isBusy = false;
    /** Called when the operation under way has ended, if the stream was destroyed meanwhile. */
    #idle: Done | undefined;

    constructor(path: unknown, given?: unknown) {
      const options = optionsOf<StreamOptions>(given);
      const { encoding, highWaterMark = PIECE, emitClose = true, autoClose = true, signal } = options;
      const { start, end } = options;
      const { fd, functions, shown, handle } = sourceOf(options, path, ['read']);
      if (start !== undefined) needInteger(start, 'start', 0);
      if (end !== undefined && end !== Infinity) needInteger(end, 'end', 0);
      if (start !== undefined && end !== undefined && start > end)
        throw outOfRange('start', `<= "end" (here: ${end})`, start);
      super({
        highWaterMark,
        emitClose,
        autoDestroy: autoClose,
        ...(encoding && encoding !== ('buffer' as string) && { encoding: encoding as BufferEncoding }),
      });
      this.fd = fd;
      this.#fs = functions;
      this.path = shown;
      this.flags = options.flags ?? 'r';
      this.mode = options.mode ?? 0o666;
      this.start = start;
      this.end = end ?? Infinity;
      this.pos = start;
      join(this, handle);
      // This comes last, because the signal may destroy the stream at once.
      if (signal) addAbortSignal(signal, this);
    }

    override _construct(done: Done) {
      openIt(this, this.#fs, done);
    }

    override _read(size: number) {
      const left = this.pos === undefined ? this.end - this.bytesRead + 1 : this.end - this.pos + 1;
      const length = Math.min(size, left);
      if (length <= 0) return void this.push(null);
      const piece = Buffer.allocUnsafeSlow(length);
      this.#isBusy = true;
      this.#fs.read(this.fd as number, piece, 0, length, this.pos, (error, count) => {
        this.#isBusy = false;
        // The stream was destroyed meanwhile, and closing it waits for this read.
        if (this.destroyed) return void this.#idle?.(error);
        if (error) return void (this.autoClose ? this.destroy(error) : this.emit('error', error));
        this.bytesRead += count;
        if (this.pos !== undefined) this.pos += count;
        if (count === 0) return void this.push(null);
        // A short piece is copied, so that it does not keep the whole buffer in memory.
        this.push(
          count === length ? piece : Buffer.from(Uint8Array.prototype.slice.call(piece, 0, count).buffer),
        );
      });
    }

    override _destroy(error: Error | null, done: Done) {
      const close = (failed?: Error | null) => closeIt(this, this.#fs, false, error ?? failed ?? null, done);
      if (this.#isBusy) this.#idle = close;
      else close();
    }

    close(done?: Done) {
      if (done) {
        if (this.closed) loop.nextTick(() => done(), []);
        else this.once('close', () => done());
      }
      this.destroy();
    }

    get pending() {
      return this.fd === null;
    }

    get autoClose() {
      return Boolean(stateOf(this, '_readableState').autoDestroy);
    }

    set autoClose(closes) {
      stateOf(this, '_readableState').autoDestroy = closes;
    }
  }

  class WriteStream extends plainBase(Writable) {
    fd: number | null;
    path: unknown;
    flags: string;
    mode: number;
    start: number | undefined;
    pos: number | undefined;
    bytesWritten = 0;
    flush: boolean;
    declare open: () => void;
    readonly #fs: StreamFs;
    #isBusy = false;
    /** Called when the operation under way has ended, if the stream was destroyed meanwhile. */
    #idle: Done | undefined;

    constructor(path: unknown, given?: unknown) {
      const options = optionsOf<StreamOptions>(given);
      const { encoding, emitClose = true, autoClose = true, highWaterMark, signal, start, flush } = options;
      if (flush !== undefined && flush !== null && typeof flush !== 'boolean')
        throw argTypeError('options.flush', 'boolean', flush);
      const { write, writev } = options.fs ?? {};
      const uses = (['write', 'writev'] as const).filter((name) => options.fs?.[name]);
      const { fd, functions, shown, handle } = sourceOf(options, path, [
        ...(uses.length > 0 ? uses : (['write'] as const)),
        ...(flush ? (['fsync'] as const) : []),
      ]);
      if (start !== undefined) needInteger(start, 'start', 0);
      super({
        emitClose,
        autoDestroy: autoClose,
        decodeStrings: true,
        ...(highWaterMark !== undefined && { highWaterMark }),
      });
      this.fd = fd;
      this.#fs = functions;
      this.path = shown;
      this.flags = options.flags ?? 'w';
      this.mode = options.mode ?? 0o666;
      this.start = start;
      this.pos = start;
      this.flush = flush ?? false;
      // A program that passes its own functions needs only one of the two.
      if (options.fs && !writev) Object.assign(this, { _writev: null });
      if (options.fs && !write) Object.assign(this, { _write: null });
      if (encoding) this.setDefaultEncoding(encoding as BufferEncoding);
      join(this, handle);
      // This comes last, because the signal may destroy the stream at once.
      if (signal) addAbortSignal(signal, this);
    }

    override _construct(done: Done) {
      openIt(this, this.#fs, done);
    }

    override _write(chunk: Uint8Array, _encoding: BufferEncoding, done: Done) {
      this.#put([chunk], false, done);
    }

    override _writev(chunks: { chunk: Uint8Array }[], done: Done) {
      this.#put(
        chunks.map(({ chunk }) => chunk),
        true,
        done,
      );
    }

    /** Writes all pieces, in as many calls as that takes. */
    #put(pieces: Uint8Array[], isVector: boolean, done: Done, tries = 0) {
      this.#isBusy = true;
      const [first = new Uint8Array(0)] = pieces;
      const size = pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
      const wrote = (error: NodeJS.ErrnoException | null, written: number) => {
        const isLater = error?.code === 'EAGAIN';
        const count = isLater ? 0 : written;
        this.#isBusy = false;
        if (this.destroyed) {
          done(error);
          return void this.#idle?.(error);
        }
        if (error && !isLater) return done(error);
        this.bytesWritten += count;
        if (this.pos !== undefined) this.pos += count;
        if (count >= size) return done();
        if (count === 0 && tries > 4) return done(new Error(isVector ? 'writev failed' : 'write failed'));
        this.#put([Buffer.concat(pieces).subarray(count)], isVector, done, count > 0 ? 0 : tries + 1);
      };
      const fd = this.fd as number;
      if (isVector) this.#fs.writev?.(fd, pieces, this.pos, wrote);
      else this.#fs.write?.(fd, first, 0, first.byteLength, this.pos, wrote);
    }

    override _destroy(error: Error | null, done: Done) {
      const close = (failed?: Error | null) =>
        closeIt(this, this.#fs, this.flush, error ?? failed ?? null, done);
      if (this.#isBusy) this.#idle = close;
      else close();
    }

    close(done?: Done) {
      if (done) {
        if (this.closed) return loop.nextTick(() => done(), []);
        this.once('close', () => done());
      }
      if (!this.autoClose) this.on('finish', () => this.destroy());
      this.end();
    }

    destroySoon() {
      this.end();
    }

    get pending() {
      return this.fd === null;
    }

    get autoClose() {
      return Boolean(stateOf(this, '_writableState').autoDestroy);
    }

    set autoClose(closes) {
      stateOf(this, '_writableState').autoDestroy = closes;
    }
  }

  Object.assign(ReadStream.prototype, { open });
  Object.assign(WriteStream.prototype, { open: openToWrite });

  function openIt(stream: FileStream, { open: opens }: StreamFs, done: Done) {
    if (stream.fd !== null) return done();
    if (stream.open !== open && stream.open !== openToWrite) return openOtherwise(stream, done);
    opens(stream.path, stream.flags, stream.mode, (error, fd) => {
      if (error) return done(error);
      stream.fd = fd;
      done();
      stream.emit('open', fd);
      stream.emit('ready');
    });
  }

  /** Opens a stream with an `open` method that a program has set, which reports its result with events. */
  function openOtherwise(stream: FileStream, done: Done): void {
    const { emit } = stream;
    stream.emit = (name, ...args) => {
      if (name === 'open' || name === 'error') {
        stream.emit = emit;
        done(name === 'error' ? (args[0] as Error) : undefined);
        if (name === 'error') return true;
      }
      return emit.call(stream, name, ...args);
    };
    stream.open();
  }

  function closeIt(
    stream: FileStream,
    { close, fsync }: StreamFs,
    flushes: boolean,
    error: Error | null,
    done: Done,
  ) {
    const { fd } = stream;
    if (fd === null) return done(error);
    const shut = (first: Error | null | undefined) => {
      close(fd, (failed) => done(first ?? failed));
      stream.fd = null;
    };
    if (flushes && fsync) fsync(fd, (failed) => shut(error ?? failed));
    else shut(error);
  }

  return { ReadStream: inheritable(ReadStream), WriteStream: inheritable(WriteStream) };
}

function stateOf(stream: object, name: string): { autoDestroy?: unknown } {
  return Object(Reflect.get(stream, name)) as object;
}
