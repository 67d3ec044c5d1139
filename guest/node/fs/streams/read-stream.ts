import { needInteger, outOfRange } from '../../builtins/internal/errors.ts';
import { plainBase } from '../../builtins/callable.ts';
import { optionsOf } from '../arguments.ts';
import { stateOf, type StreamContext } from './context.ts';
import { closeFile } from './opening.ts';
import { join, type Done, type StreamFs, type StreamOptions } from './sources.ts';

const PIECE = 64 * 1024;

/** Makes the class `fs.ReadStream`. */
export function makeReadStream({ load, loop, sources, opening }: StreamContext) {
  const { addAbortSignal, Readable } = load('stream');
  const { Buffer } = load('buffer');

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
      const { fd, functions, shown, handle } = sources.sourceOf(options, path, ['read']);
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
      opening.open(this, this.#fs, done);
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
      const close = (failed?: Error | null) =>
        closeFile(this, this.#fs, false, error ?? failed ?? null, done);
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

  Object.assign(ReadStream.prototype, { open: opening.methods.ReadStream });
  return ReadStream;
}
