import type { MakeBuiltin } from './builtin.ts';
import { Buffer, MAX_LENGTH, MAX_STRING_LENGTH, shown } from './buffer/buffer.ts';
import { decode, encode, encodingNamed, type Encoding } from './buffer/encodings.ts';
import { bytesIn } from './internal/bytes.ts';
import { argTypeError, needNumber, nodeError, unavailable } from './internal/errors.ts';

function bytesOf(input: unknown): Uint8Array {
  if (input instanceof ArrayBuffer && Reflect.get(input, 'detached') === true)
    throw nodeError('ERR_INVALID_STATE', 'Cannot validate on a detached buffer');
  const bytes = bytesIn(input);
  if (!bytes) throw argTypeError('input', ['ArrayBuffer', 'Buffer', 'TypedArray'], input);
  return bytes;
}

function isUtf8(input: unknown): boolean {
  const bytes = Uint8Array.from(bytesOf(input));
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** The highest character of each encoding that `transcode` supports. */
const tops: Partial<Record<Encoding, number>> = {
  utf8: Infinity,
  utf16le: Infinity,
  latin1: 255,
  ascii: 127,
};

function transcode(source: unknown, fromEncoding: unknown, toEncoding: unknown) {
  if (!(source instanceof Uint8Array)) throw argTypeError('source', ['Buffer', 'Uint8Array'], source);
  const [from, to] = [encodingNamed(fromEncoding), encodingNamed(toEncoding)];
  const top = to && tops[to];
  if (!from || !to || top === undefined || tops[from] === undefined)
    throw nodeError(
      'U_ILLEGAL_ARGUMENT_ERROR',
      'Unable to transcode Buffer [U_ILLEGAL_ARGUMENT_ERROR]',
      Error,
      {
        errno: 1,
      },
    );
  const text = decode(source, from);
  const fitting = Array.from(text, (char) => ((char.codePointAt(0) ?? 0) > top ? '?' : char)).join('');
  return Buffer.from(encode(fitting, to));
}

function SlowBuffer(size: unknown) {
  return Buffer.allocUnsafeSlow(size);
}
Object.setPrototypeOf(SlowBuffer.prototype, Uint8Array.prototype);
Object.setPrototypeOf(SlowBuffer, Uint8Array);

export const makeBuffer: MakeBuiltin = () => {
  const exports = {
    Buffer,
    SlowBuffer,
    transcode,
    isUtf8,
    isAscii: (input: unknown) => bytesOf(input).every((byte) => byte < 128),
    kMaxLength: MAX_LENGTH,
    kStringMaxLength: MAX_STRING_LENGTH,
    btoa: globalThis.btoa,
    atob: globalThis.atob,
    constants: { MAX_LENGTH, MAX_STRING_LENGTH },
    Blob: globalThis.Blob,
    File: globalThis.File,
    resolveObjectURL: () => {
      throw unavailable('buffer.resolveObjectURL', 'object URLs are not given out');
    },
  };
  Object.defineProperty(exports, 'INSPECT_MAX_BYTES', {
    enumerable: true,
    configurable: true,
    get: () => shown.bytes,
    set: (bytes: unknown) => {
      needNumber(bytes, 'INSPECT_MAX_BYTES', 0);
      shown.bytes = bytes;
    },
  });
  return exports;
};
