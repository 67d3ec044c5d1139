import type { LoadBuiltin } from '../builtins/builtin.ts';
import type { EventLoop } from '../loop.ts';
import { argTypeError, needInteger, outOfRange } from '../builtins/internal/errors.ts';
import { callable } from '../callable.ts';
import { fdOf, optionsOf, pathOf } from './arguments.ts';
import type { FsCore } from './core.ts';

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
}

interface FileHandle {
  readonly fd: number;
  on(name: 'close', run: () => void): unknown;
  close(): Promise<void>;
}

interface FileStream {
  fd: number | null;
  readonly path: unknown;
  readonly flags: string;
  readonly mode: number;
  emit(name: string, ...args: unknown[]): boolean;
}

/** A URL is shown as the path that it is for. */
function shownPath(path: unknown): unknown {
  return path instanceof URL ? pathOf(path) : path;
}

type Done = (error?: Error | null) => void;

const PIECE = 64 * 1024;

/** Streams of files. Each operation is an event of its own, so that streams go on side by side. */
export function makeFileStreams(core: FsCore, load: LoadBuiltin, loop: EventLoop) {
  const { Readable, Writable } = load('stream');
  const { Buffer } = load('buffer');

  const later = (done: Done, run: () => void) =>
    loop.addOnce(() => {
      let failed: unknown;
      try {
        run();
      } catch (error) {
        failed = error;
      }
      done(failed === undefined ? null : (failed as Error));
    });

  function fdIn(given: StreamOptions['fd']): number | null {
    const fd = typeof given === 'object' && given !== null ? given.fd : given;
    if (fd === undefined || fd === null) return null;
    if (typeof fd !== 'number') throw argTypeError('options.fd', ['number', 'FileHandle'], fd);
    return fdOf(fd);
  }

  /** Where a handle was given it closes the file itself, and tells when somebody else has. */
  function handleIn(
    given: StreamOptions['fd'],
    stream: { destroy(): void; once(name: string, run: () => void): void },
  ) {
    if (typeof given !== 'object' || given === null) return undefined;
    given.on('close', () => stream.destroy());
    return given;
  }

  function checkSignal(signal: unknown): void {
    if (signal !== undefined && !(typeof signal === 'object' && signal !== null && 'aborted' in signal))
      throw argTypeError('options.signal', 'AbortSignal', signal);
  }

  class ReadStream extends Readable {
    fd: number | null;
    path: unknown;
    flags: string;
    mode: number;
    start: number | undefined;
    end: number;
    pos: number | undefined;
    bytesRead = 0;
    readonly #autoClose: boolean;
    readonly #handle: FileHandle | undefined;

    constructor(path: unknown, given?: unknown) {
      const options = optionsOf<StreamOptions>(given);
      const { encoding, highWaterMark = PIECE, emitClose = true, autoClose = true, signal } = options;
      const { start, end } = options;
      // All before the stream is one: else it would open what was refused.
      checkSignal(signal);
      const fd = fdIn(options.fd);
      if (fd === null) pathOf(path);
      if (start !== undefined) needInteger(start, 'start', 0);
      if (end !== undefined && end !== Infinity) needInteger(end, 'end', 0);
      if (start !== undefined && end !== undefined && start > end)
        throw outOfRange('start', `<= "end" (here: ${end})`, start);
      super({
        highWaterMark,
        emitClose,
        autoDestroy: autoClose,
        ...(encoding && encoding !== ('buffer' as string) && { encoding: encoding as BufferEncoding }),
        ...(signal && { signal }),
      });
      this.fd = fd;
      this.#handle = handleIn(options.fd, this);
      this.path = shownPath(path);
      this.flags = options.flags ?? 'r';
      this.mode = options.mode ?? 0o666;
      this.start = start;
      this.end = end ?? Infinity;
      this.pos = start;
      this.#autoClose = autoClose;
    }

    override _construct(done: Done) {
      openIt(this, done);
    }

    override _read(size: number) {
      const left = this.pos === undefined ? this.end - this.bytesRead + 1 : this.end - this.pos + 1;
      const length = Math.min(size, left);
      if (length <= 0) return void this.push(null);
      const piece = Buffer.allocUnsafe(length);
      let count = 0;
      later(
        (error) => {
          if (error) return void this.destroy(error);
          this.bytesRead += count;
          if (this.pos !== undefined) this.pos += count;
          this.push(count > 0 ? piece.subarray(0, count) : null);
        },
        () => (count = core.read(this.fd, piece, 0, length, this.pos ?? null)),
      );
    }

    override _destroy(error: Error | null, done: Done) {
      closeIt(this, this.#autoClose, this.#handle, error, done);
    }

    close(done?: Done) {
      if (done) this.once('close', () => done());
      this.destroy();
    }

    get pending() {
      return this.fd === null;
    }

    get autoClose() {
      return this.#autoClose;
    }
  }

  class WriteStream extends Writable {
    fd: number | null;
    path: unknown;
    flags: string;
    mode: number;
    start: number | undefined;
    pos: number | undefined;
    bytesWritten = 0;
    readonly #autoClose: boolean;
    readonly #handle: FileHandle | undefined;

    constructor(path: unknown, given?: unknown) {
      const options = optionsOf<StreamOptions>(given);
      const { encoding, emitClose = true, autoClose = true, highWaterMark, signal, start } = options;
      checkSignal(signal);
      if (options.flush !== undefined && typeof options.flush !== 'boolean')
        throw argTypeError('options.flush', 'boolean', options.flush);
      const fd = fdIn(options.fd);
      if (fd === null) pathOf(path);
      if (start !== undefined) needInteger(start, 'start', 0);
      super({
        emitClose,
        autoDestroy: autoClose,
        decodeStrings: true,
        ...(highWaterMark !== undefined && { highWaterMark }),
        ...(signal && { signal }),
      });
      this.fd = fd;
      this.#handle = handleIn(options.fd, this);
      this.path = shownPath(path);
      this.flags = options.flags ?? 'w';
      this.mode = options.mode ?? 0o666;
      this.start = start;
      this.pos = start;
      this.#autoClose = autoClose;
      if (encoding) this.setDefaultEncoding(encoding as BufferEncoding);
    }

    override _construct(done: Done) {
      openIt(this, done);
    }

    override _write(chunk: Uint8Array, _encoding: BufferEncoding, done: Done) {
      later(done, () => this.#put(chunk));
    }

    override _writev(chunks: { chunk: Uint8Array }[], done: Done) {
      later(done, () => this.#put(Buffer.concat(chunks.map(({ chunk }) => chunk))));
    }

    #put(bytes: Uint8Array) {
      const count = core.write(this.fd, bytes, 0, bytes.byteLength, this.pos ?? null);
      this.bytesWritten += count;
      if (this.pos !== undefined) this.pos += count;
    }

    override _destroy(error: Error | null, done: Done) {
      closeIt(this, this.#autoClose, this.#handle, error, done);
    }

    close(done?: Done) {
      if (done) {
        if (this.closed) return loop.nextTick(() => done(), []);
        this.once('close', () => done());
      }
      this.end();
    }

    destroySoon() {
      this.end();
    }

    get pending() {
      return this.fd === null;
    }

    get autoClose() {
      return this.#autoClose;
    }
  }

  function openIt(stream: FileStream, done: Done) {
    if (stream.fd !== null) return done();
    later(
      (error) => {
        done(error);
        if (error) return;
        stream.emit('open', stream.fd);
        stream.emit('ready');
      },
      () => (stream.fd = core.open(stream.path, stream.flags, stream.mode)),
    );
  }

  function closeIt(
    stream: FileStream,
    autoClose: boolean,
    handle: FileHandle | undefined,
    error: Error | null,
    done: Done,
  ) {
    const { fd } = stream;
    if (fd === null || !autoClose) return done(error);
    if (handle) {
      stream.fd = null;
      return void handle.close().then(
        () => done(error),
        (failed: unknown) => done(error ?? (failed as Error)),
      );
    }
    later(
      (failed) => {
        stream.fd = null;
        done(error ?? failed);
      },
      () => core.close(fd),
    );
  }

  return { ReadStream: callable(ReadStream), WriteStream: callable(WriteStream) };
}
