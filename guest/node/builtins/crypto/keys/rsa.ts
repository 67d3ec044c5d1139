import { sha1 } from '@noble/hashes/legacy.js';
import { IFCPrimes, mgf1, OAEP, PKCS1_KEM, PSS } from 'micro-rsa-dsa-dh/rsa.js';
import { isProbablePrime } from 'micro-rsa-dsa-dh/primality.js';
import * as signers from 'micro-rsa-dsa-dh/rsa.js';
import type { HashFunction } from '../hashes.ts';
import type { RsaMaterial } from '../key-object.ts';
import { bytesOfBig, bigOfBytes } from './der.ts';
import { joined } from './modes.ts';

export const PADDING = { pkcs1: 1, none: 3, oaep: 4, pss: 6 } as const;

type Random = (length: number) => Uint8Array;

// Below it the library makes none; tests of programs do, because they are quick.
const LIBRARY_BITS = 2048;

/** A prime of that many bits; for keys its first two are set, so that a product is as long as it has to be. */
export function primeOf(
  bits: number,
  random: Random,
  isForKey = false,
  modulo?: { readonly add: bigint; readonly rem: bigint },
): bigint {
  const top = isForKey ? 3n << BigInt(bits - 2) : 1n << BigInt(bits - 1);
  for (;;) {
    const odd = BigInt.asUintN(bits, bigOfBytes(random(Math.ceil(bits / 8)))) | top | 1n;
    const value = modulo ? odd - (odd % modulo.add) + modulo.rem : odd;
    if (isProbablePrime(value, PRIME_ROUNDS)) return value;
  }
}

export const PRIME_ROUNDS = 20;

function smallPrimes(bits: number, e: bigint, random: Random): { p: bigint; q: bigint } {
  const fitting = (length: number): bigint => {
    const prime = primeOf(length, random, true);
    return common(prime - 1n, e) === 1n ? prime : fitting(length);
  };
  const p = fitting(Math.ceil(bits / 2));
  let q = p;
  while (q === p) q = fitting(Math.floor(bits / 2));
  return { p, q };
}

export function rsaKey(bits: number, e: bigint, kind: RsaMaterial['kind'], random: Random): RsaMaterial {
  const found = bits < LIBRARY_BITS ? smallPrimes(bits, e, random) : IFCPrimes(bits, e);
  const [p, q] = found.p > found.q ? [found.p, found.q] : [found.q, found.p];
  const order = ((p - 1n) * (q - 1n)) / common(p - 1n, q - 1n);
  return { kind, n: p * q, e, secret: { d: inverse(e, order), p, q } };
}

function common(one: bigint, other: bigint): bigint {
  return other === 0n ? one : common(other, one % other);
}

export function inverse(value: bigint, modulus: bigint): bigint {
  let [before, now, rest, next] = [0n, 1n, modulus, value % modulus];
  while (next !== 0n) {
    const times = rest / next;
    [rest, next] = [next, rest - times * next];
    [before, now] = [now, before - times * now];
  }
  return ((before % modulus) + modulus) % modulus;
}

export const lengthOf = (n: bigint) => Math.ceil(n.toString(16).length / 2);

const byName: Readonly<Record<string, signers.IPKCS>> = {
  sha1: signers.PKCS1_SHA1,
  sha224: signers.PKCS1_SHA224,
  sha256: signers.PKCS1_SHA256,
  sha384: signers.PKCS1_SHA384,
  sha512: signers.PKCS1_SHA512,
  'sha512-224': signers.PKCS1_SHA512_224,
  'sha512-256': signers.PKCS1_SHA512_256,
  'sha3-224': signers.PKCS1_SHA3_224,
  'sha3-256': signers.PKCS1_SHA3_256,
  'sha3-384': signers.PKCS1_SHA3_384,
  'sha3-512': signers.PKCS1_SHA3_512,
};

/** `hash` by its name as hashes.ts has it. Undefined where there is no such signature. */
export function rsaSigner(
  hash: string,
  fn: HashFunction,
  padding: number,
  saltLength: number,
  key: RsaMaterial,
) {
  if (padding !== PADDING.pss) return byName[hash];
  const longest = lengthOf(key.n) - fn.outputLen - 2;
  // -1: as long as the digest; -2: as long as can be.
  const salt = saltLength === -1 ? fn.outputLen : saltLength === -2 ? longest : saltLength;
  return PSS(fn, mgf1(fn), salt);
}

/** How long the salt of a signature is, where it may be of any length: the only one that fits. */
export function verifiesPss(
  fn: HashFunction,
  key: RsaMaterial,
  data: Uint8Array,
  signature: Uint8Array,
): boolean {
  const longest = lengthOf(key.n) - fn.outputLen - 2;
  for (const salt of new Set([
    fn.outputLen,
    longest,
    ...Array.from({ length: longest }, (_, length) => length),
  ]))
    if (PSS(fn, mgf1(fn), salt).verify(key, data, signature)) return true;
  return false;
}

/** Throws where it does not fit or cannot be read. */
export function rsaCrypt(
  key: RsaMaterial,
  data: Uint8Array,
  how: { readonly padding: number; readonly hash?: HashFunction; readonly label?: Uint8Array },
  isEncrypting: boolean,
): Uint8Array {
  const hash = how.hash ?? sha1;
  if (how.padding === PADDING.none) return raw(key, data, isEncrypting ? key.e : secretOf(key).d);
  const kem = how.padding === PADDING.oaep ? OAEP(hash, mgf1(hash), how.label) : PKCS1_KEM;
  return isEncrypting ? kem.encrypt(key, data) : kem.decrypt({ n: key.n, d: secretOf(key).d }, data);
}

function secretOf(key: RsaMaterial) {
  if (!key.secret) throw new Error('a private key is needed');
  return key.secret;
}

export function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  let square = base % modulus;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

function raw({ n }: RsaMaterial, data: Uint8Array, exponent: bigint): Uint8Array {
  return bytesOfBig(power(bigOfBytes(data), exponent, n), lengthOf(n));
}

/** `privateEncrypt` and `publicDecrypt`: what a signature does to its bytes, without a hash. */
export function sealed(key: RsaMaterial, data: Uint8Array): Uint8Array {
  const filling = lengthOf(key.n) - data.length - 3;
  if (filling < 8) throw new Error('data too large for key size');
  const filled = joined(Uint8Array.of(0, 1), new Uint8Array(filling).fill(255), Uint8Array.of(0), data);
  return raw(key, filled, secretOf(key).d);
}

export function unsealed(key: RsaMaterial, data: Uint8Array): Uint8Array {
  const filled = raw(key, data, key.e);
  const end = filled.indexOf(0, 2);
  if (filled[0] !== 0 || filled[1] !== 1 || end < 10) throw new Error('invalid padding');
  return filled.slice(end + 1);
}
