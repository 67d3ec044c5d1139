import { argTypeError, nodeError, outOfRange } from '../internal/errors.ts';
import type { Brotli } from './brotli/main.ts';
import { failure, type Codec, type CodecOptions } from './codec.ts';
import { constants } from './constants.ts';

export type BrotliFormat = 'BrotliCompress' | 'BrotliDecompress';

/** Answers of the library. */
const SUCCESS = 1;
const WANTS_INPUT = 2;

const PIECE = 64 * 1024;
/** How many bytes are collected before compression begins. Flushing compresses earlier. */
const GATHERED = 1024 * 1024;

/** `brotli` is asked for where something is packed or unpacked. */
export function makeBrotliCodec(format: BrotliFormat, options: CodecOptions, brotli: () => Brotli): Codec {
  checkOptions(options);
  return format === 'BrotliCompress' ? packer(options, brotli) : unpacker(options, brotli);
}

const LAST_PARAM = 8;

function checkOptions({ chunkSize, flush, finishFlush, params }: CodecOptions): void {
  if (chunkSize !== undefined) inRange('chunkSize', chunkSize, constants.Z_MIN_CHUNK, Infinity);
  for (const [name, value] of Object.entries({ flush, finishFlush }))
    if (value !== undefined) inRange(name, value, 0, constants.BROTLI_OPERATION_EMIT_METADATA);
  for (const [key, value] of Object.entries(params ?? {})) {
    if (!(Number(key) >= 0 && Number(key) <= LAST_PARAM))
      throw nodeError('ERR_BROTLI_INVALID_PARAM', `${key} is not a valid Brotli parameter`, RangeError);
    if (typeof value !== 'number' && typeof value !== 'boolean')
      throw argTypeError('options.params[key]', 'number', value);
  }
}

function inRange(name: string, value: unknown, low: number, high: number): void {
  if (typeof value !== 'number') throw argTypeError(`options.${name}`, 'number', value);
  if (value >= low && value <= high) return;
  throw outOfRange(`options.${name}`, high === Infinity ? `>= ${low}` : `>= ${low} and <= ${high}`, value);
}

/**
 * The library packs, but cannot be told to give out what it has so far. Whoever asks for that gets the rest as it is, in
 * blocks that are not packed: it arrives, and any brotli reads it.
 */
function packer(options: CodecOptions, brotli: () => Brotli): Codec {
  const quality = Number(
    options.params?.[constants.BROTLI_PARAM_QUALITY] ?? constants.BROTLI_DEFAULT_QUALITY,
  );
  const stored = new Stored();
  let gathered: Uint8Array[] | undefined = [];
  let size = 0;
  let stream: InstanceType<Brotli['CompressStream']> | undefined;

  function pack(bytes: Uint8Array | undefined): Uint8Array[] {
    stream ??= new (brotli().CompressStream)(Math.min(Math.max(Math.trunc(quality), 0), 11));
    const pieces: Uint8Array[] = [];
    for (let left = bytes; ;) {
      const { buf, code, input_offset: taken } = stream.compress(left, PIECE);
      if (buf.length > 0) pieces.push(buf);
      left = left?.subarray(taken);
      if (code === SUCCESS || (code === WANTS_INPUT && !left?.length)) return pieces;
    }
  }

  const take = () => {
    const pieces = gathered ?? [];
    gathered = undefined;
    return pieces;
  };

  return {
    push(bytes, flush) {
      if (stored.isUsed) return stored.blocks(bytes);
      if (!gathered) return bytes.length > 0 ? pack(bytes) : [];
      // Whoever gave it may write over it.
      if (bytes.length > 0) gathered.push(bytes.slice());
      size += bytes.length;
      if (flush === constants.BROTLI_OPERATION_FLUSH) {
        stored.isUsed = true;
        return take().flatMap((each) => stored.blocks(each));
      }
      return size > GATHERED ? take().flatMap(pack) : [];
    },
    finish() {
      if (stored.isUsed) return [stored.end()];
      const pieces = [...take().flatMap(pack), ...pack(undefined)];
      stream?.free();
      return pieces;
    },
  };
}

/** A brotli stream of blocks as they are (RFC 7932, 9.2), with the smallest window. */
class Stored {
  isUsed = false;
  #hasBegun = false;

  blocks(bytes: Uint8Array): Uint8Array[] {
    const blocks: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; at += 65_536) {
      const part = bytes.subarray(at, at + 65_536);
      // One bit for the window before the first; not the last (1 bit), 4 nibbles of length (2), the length, not packed (1).
      const shift = this.#hasBegun ? 0 : 1;
      const bits = (((part.length - 1) << 3) | (1 << 19)) << shift;
      this.#hasBegun = true;
      const block = new Uint8Array(part.length + 3);
      block.set([bits & 255, (bits >> 8) & 255, (bits >> 16) & 255]);
      block.set(part, 3);
      blocks.push(block);
    }
    return blocks;
  }

  /** The last block, an empty one. */
  end(): Uint8Array {
    return Uint8Array.of(this.#hasBegun ? 0b11 : 0b110);
  }
}

function unpacker(options: CodecOptions, brotli: () => Brotli): Codec {
  let stream: InstanceType<Brotli['DecompressStream']> | undefined;
  let hasEnded = false;
  const isLenient =
    options.finishFlush === constants.BROTLI_OPERATION_FLUSH ||
    options.finishFlush === constants.BROTLI_OPERATION_PROCESS;
  return {
    push(bytes) {
      const pieces: Uint8Array[] = [];
      if (bytes.length === 0 || hasEnded) return pieces;
      stream ??= new (brotli().DecompressStream)();
      for (let left = bytes; ;) {
        let result;
        try {
          result = stream.decompress(left, PIECE);
        } catch {
          throw Object.assign(failure(-2, 'Decompression failed'), { code: 'ERR__ERROR_FORMAT_RESERVED' });
        }
        if (result.buf.length > 0) pieces.push(result.buf);
        left = left.subarray(result.input_offset);
        hasEnded = result.code === SUCCESS;
        if (hasEnded) stream.free();
        if (hasEnded || (result.code === WANTS_INPUT && left.length === 0)) return pieces;
      }
    },
    finish() {
      if (!hasEnded && !isLenient) throw failure(constants.Z_BUF_ERROR, 'unexpected end of file');
      return [];
    },
  };
}
