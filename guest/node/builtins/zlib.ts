import type { MakeBuiltin } from './builtin.ts';
import { inheritable } from './callable.ts';
import { bytesIn } from './internal/bytes.ts';
import { argTypeError, needFunction, needNumber, refusals } from './internal/errors.ts';
import { makeBrotliCodec } from './zlib/brotli-codec.ts';
import type { Brotli } from './zlib/brotli/main.ts';
import { convert, makeCodec, type CodecOptions } from './zlib/codec.ts';
import { codes, constants } from './zlib/constants.ts';
import { crc32 } from './zlib/crc32.ts';
import { isBrotli, makeZlibStream, type AnyFormat } from './zlib/stream-class.ts';
import { ownTimers } from '../loop/own-timers.ts';

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
  const codecOf = (format: AnyFormat, options: CodecOptions) =>
    isBrotli(format) ? makeBrotliCodec(format, options, brotli) : makeCodec(format, options);

  function bytesOf(input: unknown): Uint8Array {
    if (typeof input === 'string') return Buffer.from(input);
    const bytes = bytesIn(input);
    if (!bytes)
      throw argTypeError('buffer', ['string', 'Buffer', 'TypedArray', 'DataView', 'ArrayBuffer'], input);
    return bytes;
  }

  function functionsOf(format: AnyFormat) {
    const Codec = makeZlibStream(format, { Buffer, Transform, codecOf });
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
