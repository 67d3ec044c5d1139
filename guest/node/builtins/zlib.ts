import type { MakeBuiltin } from './builtin.ts';
import { inheritable, plainBase } from './callable.ts';
import { bytesIn } from './internal/bytes.ts';
import { argTypeError, needFunction, needNumber, refusals } from './internal/errors.ts';
import { makeBrotliCodec, type BrotliFormat } from './zlib/brotli-codec.ts';
import type { Brotli } from './zlib/brotli/main.ts';
import { convert, makeCodec, type CodecOptions, type Format } from './zlib/codec.ts';
import { codes, constants } from './zlib/constants.ts';
import { crc32 } from './zlib/crc32.ts';
import { ZlibHandle } from './zlib/handle.ts';
import { ownTimers } from '../loop/own-timers.ts';

type AnyFormat = Format | BrotliFormat;

const formats: readonly AnyFormat[] = [
  'Deflate',
  'Inflate',
  'Gzip',
  'Gunzip',
  'DeflateRaw',
  'InflateRaw',
  'Unzip',
  'BrotliCompress',
  'BrotliDecompress',
];

const named = (format: AnyFormat) => `${format.charAt(0).toLowerCase()}${format.slice(1)}`;

/** Makes `node:zlib`. Zstandard is missing, and its functions say so when called. */
export const makeZlib: MakeBuiltin = (host, load) => {
  const { Buffer } = load('buffer');
  const { Transform } = load('stream');

  let loaded: Brotli | undefined;
  const brotli = () => (loaded ??= host.part('brotli')());
  const isBrotli = (format: AnyFormat): format is BrotliFormat => format.startsWith('Brotli');
  const codecOf = (format: AnyFormat, options: CodecOptions) =>
    isBrotli(format) ? makeBrotliCodec(format, options, brotli) : makeCodec(format, options);

  function bytesOf(input: unknown): Uint8Array {
    if (typeof input === 'string') return Buffer.from(input);
    const bytes = bytesIn(input);
    if (!bytes)
      throw argTypeError('buffer', ['string', 'Buffer', 'TypedArray', 'DataView', 'ArrayBuffer'], input);
    return bytes;
  }

  function classOf(format: AnyFormat) {
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
      /** Room of its own for each that asks. */
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
          for (const piece of make())
            this.push(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength));
        } catch (error) {
          return done(error as Error);
        }
        done();
      }
    };
    Object.defineProperty(Codec, 'name', { value: format });
    return Codec;
  }

  function functionsOf(format: AnyFormat) {
    const Codec = classOf(format);
    const sync = (input: unknown, options: CodecOptions = {}) => {
      const whole = Buffer.concat(convert(codecOf(format, options), bytesOf(input), options));
      return options.info ? { buffer: whole, engine: new Codec(options) } : whole;
    };
    const later = (input: unknown, options: unknown, callback?: unknown) => {
      const done = typeof options === 'function' ? options : callback;
      needFunction(done, 'callback');
      const bytes = bytesOf(input);
      const chosen = typeof options === 'object' && options !== null ? (options as CodecOptions) : {};
      codecOf(format, chosen);
      ownTimers().setImmediate(() => {
        let result: unknown;
        try {
          result = sync(bytes, chosen);
        } catch (error) {
          return void done(error);
        }
        // As in node, a failure is reported earlier than a success.
        ownTimers().setImmediate(() => done(null, result));
      });
    };
    Object.defineProperty(later, 'name', { value: named(format) });
    Object.defineProperty(sync, 'name', { value: `${named(format)}Sync` });
    return {
      [format]: inheritable(Codec),
      [`create${format}`]: (options?: CodecOptions) => new Codec(options),
      [named(format)]: later,
      [`${named(format)}Sync`]: sync,
    };
  }

  const zlib = {
    ...Object.assign({}, ...formats.map(functionsOf)),
    ...refusals('zlib'),
    crc32: (data: unknown, value: unknown = 0) => {
      if (typeof data !== 'string' && !ArrayBuffer.isView(data))
        throw argTypeError('data', ['string', 'Buffer', 'TypedArray', 'DataView'], data);
      needNumber(value, 'value', 0, 2 ** 32 - 1);
      return crc32(bytesOf(data), value);
    },
    constants,
    codes,
  };
  // These constants exist on the module but are not enumerable.
  for (const [name, value] of Object.entries(constants))
    if (/^Z_|^[A-Z]+$/.test(name)) Object.defineProperty(zlib, name, { value, enumerable: false });
  return zlib;
};
