import type { MakeBuiltin } from './builtin.ts';
import { Buffer, MAX_LENGTH, MAX_STRING_LENGTH, shown } from './buffer/buffer.ts';
import { decode, encode, encodingNamed } from './buffer/encodings.ts';
import { argTypeError, nodeError, unavailable } from './internal/errors.ts';

const bytesOf = (value: unknown): Uint8Array => {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  throw argTypeError('input', ['ArrayBuffer', 'Buffer', 'TypedArray'], value);
};

function isUtf8(input: unknown): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytesOf(input)));
    return true;
  } catch (error) {
    if (error instanceof TypeError && !('code' in error && error.code === 'ERR_INVALID_ARG_TYPE'))
      return false;
    throw error;
  }
}

function transcode(source: unknown, fromEncoding: unknown, toEncoding: unknown) {
  if (!(source instanceof Uint8Array)) throw argTypeError('source', ['Buffer', 'Uint8Array'], source);
  const [from, to] = [encodingNamed(fromEncoding), encodingNamed(toEncoding)];
  const usable = ['utf8', 'utf16le', 'latin1', 'ascii'];
  if (!from || !to || !usable.includes(from) || !usable.includes(to))
    throw nodeError(
      'U_ILLEGAL_ARGUMENT_ERROR',
      'Unable to transcode Buffer [U_ILLEGAL_ARGUMENT_ERROR]',
      Error,
      {
        errno: 1,
      },
    );
  const text = decode(source, from);
  const top = { utf8: Infinity, utf16le: Infinity, latin1: 255, ascii: 127 }[
    to as 'utf8' | 'utf16le' | 'latin1' | 'ascii'
  ];
  const fitting = Array.from(text, (char) => ((char.codePointAt(0) ?? 0) > top ? '?' : char)).join('');
  return Buffer.from(encode(fitting, to));
}

export const makeBuffer: MakeBuiltin = () => {
  const exports = {
    Buffer,
    SlowBuffer: (size: number) => Buffer.allocUnsafeSlow(size),
    transcode,
    isUtf8,
    isAscii: (input: unknown) => bytesOf(input).every((byte) => byte < 128),
    kMaxLength: MAX_LENGTH,
    kStringMaxLength: MAX_STRING_LENGTH,
    btoa: (text: string) => globalThis.btoa(text),
    atob: (text: string) => globalThis.atob(text),
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
    set: (bytes: number) => (shown.bytes = bytes),
  });
  return exports;
};
