import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/** SHA-256 in lower-case hex: the address of a blob. Synchronous and available in every realm, also where `crypto.subtle` is not. */
export type Hash = string;

export function hashBytes(bytes: Uint8Array): Hash {
  return bytesToHex(sha256(bytes));
}

export function hashText(text: string): Hash {
  return hashBytes(new TextEncoder().encode(text));
}

/** Like {@link hashBytes}, but off the calling thread where the browser can: for large contents. */
export async function digestBytes(bytes: Uint8Array): Promise<Hash> {
  const subtle: SubtleCrypto | undefined = globalThis.crypto?.subtle;
  // Small contents are hashed faster than they could be handed over; shared memory cannot be handed over at all.
  if (!subtle || bytes.byteLength < 4_096 || !(bytes.buffer instanceof ArrayBuffer)) return hashBytes(bytes);
  return bytesToHex(
    new Uint8Array(
      await subtle.digest('SHA-256', new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
    ),
  );
}
