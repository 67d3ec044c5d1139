import { bytesIn } from '../internal/bytes.ts';
import { plainError } from '../internal/errors.ts';

function needBytes(value: unknown, name: string): Uint8Array {
  const bytes = bytesIn(value);
  if (!bytes)
    throw plainError(
      'ERR_INVALID_ARG_TYPE',
      `The "${name}" argument must be an instance of ArrayBuffer, Buffer, TypedArray, or DataView.`,
      TypeError,
    );
  return bytes;
}

/** Compares bytes in a time that does not depend on where they differ. */
export function timingSafeEqual(one: unknown, other: unknown): boolean {
  const [first, second] = [needBytes(one, 'buf1'), needBytes(other, 'buf2')];
  if (first.length !== second.length)
    throw plainError(
      'ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH',
      'Input buffers must have the same byte length',
      RangeError,
    );
  let difference = 0;
  for (let at = 0; at < first.length; at++) difference |= (first[at] ?? 0) ^ (second[at] ?? 0);
  return difference === 0;
}
