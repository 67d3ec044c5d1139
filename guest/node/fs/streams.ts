import type { LoadBuiltin } from '../builtins/builtin.ts';
import type { EventLoop } from '../loop.ts';
import { nodeError } from '../builtins/internal/errors.ts';
import { fdOf, optionsOf, pathOf } from './arguments.ts';
import type { FsCore } from './core.ts';

interface StreamOptions {
  readonly flags?: string;
  readonly encoding?: BufferEncoding;
  readonly fd?: number | { readonly fd: number };
  readonly mode?: number;
  readonly autoClose?: boolean;
  readonly emitClose?: boolean;
  readonly start?: number;
  readonly end?: number;
  readonly highWaterMark?: number;
  readonly signal?: AbortSignal;
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

  const fdIn = (fd: StreamOptions['fd']) => (typeof fd === 'object' ? fd.fd : fd);

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

    constructor(path: unknown, given?: unknown) {
      const options = optionsOf<StreamOptions>(given);
      const { encoding, highWaterMark = PIECE, emitClose = true, autoClose = true, signal } = options;
      super({
        highWaterMark,
        emitClose,
        autoDestroy: autoClose,
        ...(encoding && encoding !== ('buffer' as string) && { encoding: encoding as BufferEncoding }),
        ...(signal && { signal }),
      });
      const { start, end } = options;
      checkRange('start', start);
      if (end !== undefined && end !== Infinity) checkRange('end', end);
      if (start !== undefined && end !== undefined && start > end)
        throw nodeError(
          'ERR_OUT_OF_RANGE',
          `The value of "start" is out of range. It must be <= "end" (here: ${end}). Received ${start}`,
          RangeError,
        );
      const fd = fdIn(options.fd);
      this.fd = fd === undefined || fd === null ? null : fdOf(fd);
      this.path = this.fd === null ? pathText(path) : path;
      this.flags = options.flags ?? 'r';
      this.mode = options.mode ?? 0o666;
      this.start = start;
      this.end = end ?? Infinity;
      this.pos = start;
      this.#autoClose = autoClose;
    }

    override _construct(done: Done) {
      if (this.fd !== null) return done();
      later(
        (error) => {
          done(error);
          if (error) return;
          this.emit('open', this.fd);
          this.emit('ready');
        },
        () => (this.fd = core.open(this.path, this.flags, this.mode)),
      );
    }

    override _read(size: number) {
      const left = this.pos === undefined ? this.end - this.bytesRead + 1 : this.end - this.pos + 1;
      const length = Math.min(size, left, PIECE);
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
      closeIt(this, this.#autoClose, error, done);
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

    constructor(path: unknown, given?: unknown) {
      const options = optionsOf<StreamOptions>(given);
      const { encoding, emitClose = true, autoClose = true, highWaterMark, signal, start } = options;
      super({
        emitClose,
        autoDestroy: autoClose,
        decodeStrings: true,
        ...(highWaterMark !== undefined && { highWaterMark }),
        ...(signal && { signal }),
      });
      checkRange('start', start);
      const fd = fdIn(options.fd);
      this.fd = fd === undefined || fd === null ? null : fdOf(fd);
      this.path = this.fd === null ? pathText(path) : path;
      this.flags = options.flags ?? 'w';
      this.mode = options.mode ?? 0o666;
      this.start = start;
      this.pos = start;
      this.#autoClose = autoClose;
      if (encoding) this.setDefaultEncoding(encoding as BufferEncoding);
    }

    override _construct(done: Done) {
      if (this.fd !== null) return done();
      later(
        (error) => {
          done(error);
          if (error) return;
          this.emit('open', this.fd);
          this.emit('ready');
        },
        () => (this.fd = core.open(this.path, this.flags, this.mode)),
      );
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
      closeIt(this, this.#autoClose, error, done);
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

  function closeIt(stream: { fd: number | null }, autoClose: boolean, error: Error | null, done: Done) {
    const { fd } = stream;
    if (fd === null || !autoClose) return done(error);
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

function pathText(path: unknown): unknown {
  pathOf(path);
  return path;
}

function checkRange(name: string, value: unknown): void {
  if (value === undefined) return;
  if (typeof value !== 'number')
    throw nodeError(
      'ERR_INVALID_ARG_TYPE',
      `The "${name}" argument must be of type number. Received type ${typeof value}`,
      TypeError,
    );
  if (!Number.isInteger(value) || value < 0)
    throw nodeError(
      'ERR_OUT_OF_RANGE',
      `The value of "${name}" is out of range. It must be >= 0 && <= 9007199254740991. Received ${value}`,
      RangeError,
    );
}

/** A class that may be called without `new`, as these were before classes. */
function callable<Class extends new (...args: never[]) => object>(Class: Class): Class {
  return new Proxy(Class, {
    apply: (_target, _self, args) => Reflect.construct(Class, args) as unknown,
  });
}
