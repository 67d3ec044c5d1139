import { argTypeError, outOfRange } from '../internal/errors.ts';

const MAX_BYTES = 2 ** 31 - 1;

/** Checks a size in units of that many bytes, and returns it in bytes. */
export function needSize(size: unknown, unit = 1): number {
  if (typeof size !== 'number') throw argTypeError('size', 'number', size);
  const bytes = size * unit;
  if (!(bytes >= 0 && bytes <= MAX_BYTES)) throw outOfRange('size', `>= 0 && <= ${MAX_BYTES}`, bytes);
  return Math.floor(bytes);
}

/** Returns the bytes of a buffer from an offset on. Offset and size count the buffer's own elements. */
export function bytesInRange(buffer: unknown, offset: unknown, size: unknown): Uint8Array {
  const isView = ArrayBuffer.isView(buffer);
  if (!isView && !(buffer instanceof ArrayBuffer) && !(buffer instanceof SharedArrayBuffer))
    throw argTypeError('buf', ['ArrayBuffer', 'ArrayBufferView'], buffer);
  const whole = isView
    ? new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)
    : new Uint8Array(buffer);
  const unit = isView && 'BYTES_PER_ELEMENT' in buffer ? Number(buffer.BYTES_PER_ELEMENT) : 1;
  if (typeof offset !== 'number') throw argTypeError('offset', 'number', offset);
  const start = offset * unit;
  if (!(start >= 0 && start <= whole.length)) throw outOfRange('offset', `>= 0 && <= ${whole.length}`, start);
  const length = size === undefined ? whole.length - start : needSize(size, unit);
  if (length + start > whole.length) throw outOfRange('size + offset', `<= ${whole.length}`, length + start);
  return whole.subarray(start, start + length);
}
