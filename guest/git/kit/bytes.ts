import { sha1 } from '@noble/hashes/legacy.js';
import { bytesToHex } from '@noble/hashes/utils.js';

export type ObjectType = 'blob' | 'tree' | 'commit' | 'tag';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export const utf8 = (text: string): Uint8Array => encoder.encode(text);
export const asText = (bytes: Uint8Array): string => decoder.decode(bytes);

/** The id that git gives to an object. */
export function idOf(type: ObjectType, bytes: Uint8Array): string {
  return bytesToHex(
    sha1
      .create()
      .update(utf8(`${type} ${bytes.length}\0`))
      .update(bytes)
      .digest(),
  );
}

export function shaOf(bytes: Uint8Array): Uint8Array {
  return sha1(bytes);
}

export function fromHex(hex: string): Uint8Array {
  const bytes = new Uint8Array(hex.length >> 1);
  for (let at = 0; at < bytes.length; at++)
    bytes[at] = (digit(hex.charCodeAt(2 * at)) << 4) | digit(hex.charCodeAt(2 * at + 1));
  return bytes;
}

/** The value of a hexadecimal digit by its code: letters of both cases have the same low bits. */
function digit(code: number): number {
  return code < 58 ? code - 48 : (code & 15) + 9;
}

export function toHex(bytes: Uint8Array): string {
  return bytesToHex(bytes);
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}

/** Git takes content with a zero byte in its beginning for binary. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8000).includes(0);
}

/** Orders paths by their bytes, as git does. Only characters beyond U+D7FF differ from the order of strings. */
export function comparePaths(a: string, b: string): number {
  if (a === b) return 0;
  if (!/[\ud800-\uffff]/.test(a + b)) return a < b ? -1 : 1;
  const [one, other] = [utf8(a), utf8(b)];
  for (let at = 0; at < one.length && at < other.length; at++) {
    const away = (one[at] ?? 0) - (other[at] ?? 0);
    if (away !== 0) return away;
  }
  return one.length - other.length;
}
