import { argTypeError, needInteger } from '../../builtins/internal/errors.ts';
import { plainBase } from '../../builtins/callable.ts';
import { optionsOf } from '../arguments.ts';
import { stateOf, type StreamContext } from './context.ts';
import { closeFile } from './opening.ts';
import { join, type Done, type StreamFs, type StreamOptions } from './sources.ts';

/** Makes the class `fs.WriteStream`. */
export function makeWriteStream({ load, loop, sources, opening }: StreamContext) {
  const { addAbortSignal, Writable } = load('stream');
  const { Buffer } = load('buffer');

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
      const { fd, functions, shown, handle } = sources.sourceOf(options, path, [
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
      opening.open(this, this.#fs, done);
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
        closeFile(this, this.#fs, this.flush, error ?? failed ?? null, done);
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

  Object.assign(WriteStream.prototype, { open: opening.methods.WriteStream });
  return WriteStream;
}
