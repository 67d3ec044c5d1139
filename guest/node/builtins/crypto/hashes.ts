import { blake2b, blake2s } from '@noble/hashes/blake2.js';
import { md5, ripemd160, sha1 } from '@noble/hashes/legacy.js';
import { sha224, sha256, sha384, sha512, sha512_224, sha512_256 } from '@noble/hashes/sha2.js';
import type { CHash } from '@noble/hashes/utils.js';
import { sha3_224, sha3_256, sha3_384, sha3_512, shake128, shake256 } from '@noble/hashes/sha3.js';

/** A hash that has taken some bytes. */
export interface RunningHash {
  update(bytes: Uint8Array): unknown;
  digest(): Uint8Array;
  clone(): RunningHash;
}

/** A hash of the library. */
export type HashFunction = { create(options?: { dkLen: number }): RunningHash } & CHash;

const byName: Readonly<Record<string, HashFunction>> = {
  blake2b512: blake2b,
  blake2s256: blake2s,
  md5,
  ripemd160,
  sha1,
  sha224,
  sha256,
  'sha3-224': sha3_224,
  'sha3-256': sha3_256,
  'sha3-384': sha3_384,
  'sha3-512': sha3_512,
  sha384,
  sha512,
  'sha512-224': sha512_224,
  'sha512-256': sha512_256,
  shake128,
  shake256,
};

const aliases: Readonly<Record<string, string>> = {
  rmd160: 'ripemd160',
  ripemd: 'ripemd160',
  'sha-1': 'sha1',
  'sha-256': 'sha256',
  'sha-384': 'sha384',
  'sha-512': 'sha512',
  'sha2-224': 'sha224',
  'sha2-256': 'sha256',
  'sha2-384': 'sha384',
  'sha2-512': 'sha512',
  'ssl3-md5': 'md5',
  'ssl3-sha1': 'sha1',
  'sha512/224': 'sha512-224',
  'sha512/256': 'sha512-256',
};

const SHA3 = ['224', '256', '384', '512'];

/** The names in OpenSSL's list. */
export const hashNames: readonly string[] = [
  ...['MD5', 'RIPEMD160', 'SHA1', 'SHA1-2', 'SHA224', 'SHA256'].map((name) => `RSA-${name}`),
  ...SHA3.map((bits) => `RSA-SHA3-${bits}`),
  ...['SHA384', 'SHA512', 'SHA512/224', 'SHA512/256'].map((name) => `RSA-${name}`),
  'blake2b512',
  'blake2s256',
  ...SHA3.map((bits) => `id-rsassa-pkcs1-v1_5-with-sha3-${bits}`),
  'md5',
  'md5WithRSAEncryption',
  'ripemd',
  'ripemd160',
  'ripemd160WithRSA',
  'rmd160',
  ...['sha1', 'sha224', 'sha256'].flatMap((name) => [name, `${name}WithRSAEncryption`]),
  ...SHA3.map((bits) => `sha3-${bits}`),
  ...['sha384', 'sha512', 'sha512-224', 'sha512-256'].flatMap((name) => [name, `${name}WithRSAEncryption`]),
  'shake128',
  'shake256',
  'ssl3-md5',
  'ssl3-sha1',
].sort();

/** Returns one canonical name for each hash, whichever of its names was given. */
export function canonicalHash(name: string): string {
  const key = name
    .toLowerCase()
    .replace(/^rsa-(?:sha1-2$)?|^id-rsassa-pkcs1-v1_5-with-|withrsa(?:encryption)?$/g, (found) =>
      found === 'rsa-sha1-2' ? 'sha1' : '',
    );
  return aliases[key] ?? key;
}

export function hashNamed(name: string): HashFunction | undefined {
  return byName[canonicalHash(name)];
}

/** Whether the digest can have any length. */
export const isExtendable = (name: string) => /^shake/i.test(name);
