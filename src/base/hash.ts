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
