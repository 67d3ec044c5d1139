import { Deflate, Inflate, type DeflateOptions } from 'pako';
import { bytesIn } from '../internal/bytes.ts';
import { argTypeError, nodeError, outOfRange } from '../internal/errors.ts';
import { codes, constants } from './constants.ts';

export type Format = 'Deflate' | 'Inflate' | 'Gzip' | 'Gunzip' | 'DeflateRaw' | 'InflateRaw' | 'Unzip';

export interface CodecOptions {
  readonly level?: number;
  readonly windowBits?: number;
  readonly memLevel?: number;
  readonly strategy?: number;
  readonly dictionary?: Uint8Array | ArrayBuffer;
  readonly chunkSize?: number;
  readonly finishFlush?: number;
  readonly flush?: number;
  readonly maxOutputLength?: number;
  readonly info?: boolean;
  /** The parameters of brotli, keyed by number. */
  readonly params?: Readonly<Record<number, number | boolean>>;
}

/** Takes bytes and gives what they become, piece by piece. Throws errors with zlib's codes. */
export interface Codec {
  push(bytes: Uint8Array, flush: number): Uint8Array[];
  /** Called at the end of the input. Returns the last output. */
  finish(): Uint8Array[];
  /** Output that is finished, but does not fill a piece yet. */
  drain?(): Uint8Array[];
}

const packing = new Set<Format>(['Deflate', 'Gzip', 'DeflateRaw']);

export function makeCodec(format: Format, options: CodecOptions): Codec {
  checkOptions(format, options);
  return packing.has(format) ? packer(format, options) : unpacker(format, options);
}

function checkOptions(format: Format, options: CodecOptions): void {
  // Without a given window, decompression uses the one of the compressed data.
  const takesWindow = format === 'Inflate' || format === 'Gunzip' || format === 'Unzip';
  const leastWindow = format === 'Gzip' ? constants.Z_MIN_WINDOWBITS + 1 : constants.Z_MIN_WINDOWBITS;
  const ranges = {
    chunkSize: [constants.Z_MIN_CHUNK, Infinity],
    flush: [constants.Z_NO_FLUSH, constants.Z_BLOCK],
    finishFlush: [constants.Z_NO_FLUSH, constants.Z_BLOCK],
    maxOutputLength: [1, Number.MAX_SAFE_INTEGER],
    windowBits: [leastWindow, constants.Z_MAX_WINDOWBITS],
    level: [constants.Z_MIN_LEVEL, constants.Z_MAX_LEVEL],
    memLevel: [constants.Z_MIN_MEMLEVEL, constants.Z_MAX_MEMLEVEL],
    strategy: [constants.Z_DEFAULT_STRATEGY, constants.Z_FIXED],
  } as const;
  const { dictionary } = options;
  if (dictionary !== undefined && !bytesIn(dictionary))
    throw argTypeError('options.dictionary', ['Buffer', 'TypedArray', 'DataView', 'ArrayBuffer'], dictionary);
  for (const [name, [low, high]] of Object.entries(ranges)) {
    const value: unknown = Reflect.get(options, name);
    if (value === undefined || Number.isNaN(value)) continue;
    if (name === 'windowBits' && value === 0 && takesWindow) continue;
    if (typeof value !== 'number') throw argTypeError(`options.${name}`, 'number', value);
    if (!(value >= low && value <= high))
      throw outOfRange(
        `options.${name}`,
        high === Infinity ? `>= ${low}` : `>= ${low} and <= ${high}`,
        value,
      );
  }
}

export function failure(status: number, message: string): Error {
  const code = codes[String(status)] as string | undefined;
  return Object.assign(new Error(message), { errno: status, code: code ?? 'Z_ERRNO' });
}

function taker(target: { onData(chunk: Uint8Array<ArrayBuffer>): void }): () => Uint8Array[] {
  let pieces: Uint8Array[] = [];
  target.onData = (chunk) => void pieces.push(chunk);
  return () => {
    const taken = pieces;
    pieces = [];
    return taken;
  };
}

function packer(format: Format, options: CodecOptions): Codec {
  const { dictionary } = options;
  const deflate = new Deflate({
    level: (Number.isNaN(options.level) ? -1 : (options.level ?? -1)) as NonNullable<DeflateOptions['level']>,
    memLevel: (options.memLevel ?? 8) as NonNullable<DeflateOptions['memLevel']>,
    strategy: (options.strategy ?? 0) as NonNullable<DeflateOptions['strategy']>,
    windowBits: windowBitsOf(format, options) as NonNullable<DeflateOptions['windowBits']>,
    chunkSize: options.chunkSize ?? constants.Z_DEFAULT_CHUNK,
    ...(dictionary && { dictionary }),
  } as DeflateOptions);
  const take = taker(deflate);
  const push = (bytes: Uint8Array, flush: number) => {
    deflate.push(bytes, flush as 0);
    if (deflate.err < 0) throw failure(deflate.err, deflate.msg);
    return take();
  };
  const drain = () => {
    const strm: PakoStream = Reflect.get(deflate, 'strm');
    if (!strm.output || strm.next_out === 0) return [];
    const ready = strm.output.slice(0, strm.next_out);
    // The next push begins a new piece.
    strm.next_out = strm.avail_out = 0;
    return [ready];
  };
  return { push, finish: () => push(new Uint8Array(0), constants.Z_FINISH), drain };
}

/** The state of pako, which it does not declare. */
interface PakoStream {
  readonly output: Uint8Array | null;
  next_out: number;
  avail_out: number;
}

function windowBitsOf(format: Format, options: CodecOptions): number {
  const bits = options.windowBits || constants.Z_DEFAULT_WINDOWBITS;
  switch (format) {
    case 'Deflate':
    case 'Inflate':
      return bits;
    case 'Gzip':
    case 'Gunzip':
      return bits + 16;
    case 'DeflateRaw':
    case 'InflateRaw':
      return -bits;
    case 'Unzip':
      return bits + 32;
  }
}

function unpacker(format: Format, options: CodecOptions): Codec {
  const { dictionary } = options;
  const begin = () => {
    const inflate = new Inflate({
      windowBits: windowBitsOf(format, options) as 15,
      chunkSize: Math.max(options.chunkSize ?? 0, constants.Z_DEFAULT_CHUNK),
      ...(dictionary && { dictionary }),
    });
    return { inflate, take: taker(inflate) };
  };
  let { inflate, take } = begin();
  // One gzip file may follow another.
  const follows = (bytes: Uint8Array) => (format === 'Gunzip' || format === 'Unzip') && bytes[0] === 0x1f;
  const lenient = options.finishFlush === constants.Z_SYNC_FLUSH;
  return {
    push(bytes) {
      if (inflate.ended && follows(bytes)) ({ inflate, take } = begin());
      if (bytes.length === 0 || inflate.ended) return [];
      inflate.push(bytes, constants.Z_SYNC_FLUSH);
      if (inflate.err === constants.Z_NEED_DICT)
        throw failure(constants.Z_NEED_DICT, dictionary ? 'Bad dictionary' : 'Missing dictionary');
      if (inflate.err < 0 && inflate.err !== constants.Z_BUF_ERROR)
        throw failure(
          inflate.err,
          dictionary && /dictionary/.test(inflate.msg) ? 'Bad dictionary' : inflate.msg,
        );
      return take();
    },
    finish() {
      if (!inflate.ended && !lenient) throw failure(constants.Z_BUF_ERROR, 'unexpected end of file');
      return take();
    },
  };
}

/** All at once. */
export function convert(codec: Codec, bytes: Uint8Array, options: CodecOptions): Uint8Array[] {
  const pieces = [...codec.push(bytes, constants.Z_NO_FLUSH), ...codec.finish()];
  const most = options.maxOutputLength ?? Infinity;
  if (pieces.reduce((sum, piece) => sum + piece.length, 0) > most)
    throw nodeError('ERR_BUFFER_TOO_LARGE', `Cannot create a Buffer larger than ${most} bytes`, RangeError);
  return pieces;
}
