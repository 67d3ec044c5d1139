import { plainBase } from '../callable.ts';
import type { BuiltinShapes } from '../builtin.ts';
import { ownTimers } from '../../loop/own-timers.ts';
import type { BrotliFormat } from './brotli-codec.ts';
import type { Codec, CodecOptions, Format } from './codec.ts';
import { constants } from './constants.ts';
import { ZlibHandle } from './handle.ts';

export type AnyFormat = Format | BrotliFormat;

export const isBrotli = (format: AnyFormat): format is BrotliFormat => format.startsWith('Brotli');

interface Parts {
  readonly Buffer: BuiltinShapes['buffer']['Buffer'];
  readonly Transform: BuiltinShapes['stream']['Transform'];
  readonly codecOf: (format: AnyFormat, options: CodecOptions) => Codec;
}

/** Makes the class of the streams that pack or unpack one format, such as `zlib.Gzip`. */
export function makeZlibStream(format: AnyFormat, { Buffer, Transform, codecOf }: Parts) {
  const Codec = class extends plainBase(Transform) {
    bytesWritten = 0;
    readonly _writeState = new Uint32Array(2);
    _handle: ZlibHandle | null;
    readonly _chunkSize: number;
    readonly _finishFlushFlag: number;
    _outOffset = 0;
    #codec;
    readonly #flush: number;
    #options: CodecOptions;
    constructor(options: CodecOptions & { readonly highWaterMark?: number } = {}) {
      super(options.highWaterMark === undefined ? {} : { highWaterMark: options.highWaterMark });
      this.#options = options;
      this.#codec = codecOf(format, options);
      this._handle = new ZlibHandle(this.#codec, this._writeState);
      this._chunkSize = options.chunkSize ?? constants.Z_DEFAULT_CHUNK;
      this._finishFlushFlag =
        options.finishFlush ?? (isBrotli(format) ? constants.BROTLI_OPERATION_FINISH : constants.Z_FINISH);
      this.#flush = options.flush ?? constants.Z_NO_FLUSH;
    }
    /** Each caller gets a buffer of its own. */
    get _outBuffer(): Buffer {
      return Buffer.allocUnsafe(this._chunkSize);
    }
    override _transform(chunk: Uint8Array, _encoding: string, done: (error?: Error) => void): void {
      this.bytesWritten += chunk.length;
      this.#give(() => this.#codec.push(chunk, this.#flush), done);
    }
    override _flush(done: (error?: Error) => void): void {
      this.#give(() => this.#codec.finish(), done);
    }
    flush(kind?: unknown, callback?: unknown): void {
      const usual = isBrotli(format) ? constants.BROTLI_OPERATION_FLUSH : constants.Z_FULL_FLUSH;
      const mode = typeof kind === 'number' ? kind : usual;
      const done = typeof kind === 'function' ? kind : callback;
      this.#give(
        () => this.#codec.push(new Uint8Array(0), mode),
        (error) => {
          if (error) this.destroy(error);
          else if (typeof done === 'function') done();
        },
      );
    }
    params(level: number, strategy: number, done: (error?: Error | null) => void): void {
      this.#give(
        () => this.#codec.push(new Uint8Array(0), constants.Z_SYNC_FLUSH),
        () => {},
      );
      this.#options = { ...this.#options, level, strategy };
      ownTimers().queueMicrotask(() => done(null));
    }
    /**
     * Works through a piece at once. Node has this method for its own functions, and packages that unpack in one go, such
     * as minizlib, call it and keep its `_handle` from being closed meanwhile.
     */
    _processChunk(chunk: Uint8Array, flush: number): Buffer {
      const isLast = flush === (isBrotli(format) ? constants.BROTLI_OPERATION_FINISH : constants.Z_FINISH);
      this.bytesWritten += chunk.length;
      const pieces = this.#codec.push(chunk, isLast ? this.#flush : flush);
      pieces.push(...(isLast ? this.#codec.finish() : (this.#codec.drain?.() ?? [])));
      return Buffer.concat(
        pieces.map((piece) => Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)),
      );
    }
    reset(): void {
      this.#codec = codecOf(format, this.#options);
      this._handle = new ZlibHandle(this.#codec, this._writeState);
    }
    close(done?: () => void): void {
      if (done) this.once('close', done);
      this.destroy();
    }
    #give(make: () => Uint8Array[], done: (error?: Error) => void): void {
      try {
        for (const piece of make()) this.push(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength));
      } catch (error) {
        return done(error as Error);
      }
      done();
    }
  };
  Object.defineProperty(Codec, 'name', { value: format });
  return Codec;
}
