import type { CryptoKey } from '../../key-object.ts';
import { isRsa } from '../codec/material.ts';
import { agreed, edwardsNamed } from '../curves.ts';
import type { KeyTools } from '../tools.ts';
import { isAes, type Algorithm } from './algorithms.ts';
import type { SubtleArguments } from './arguments.ts';
import { accessFault, operationFault } from './errors.ts';

/** Derives bits from keys for `crypto.subtle`. */
export class SubtleDerivation {
  readonly #tools: KeyTools;
  readonly #args: SubtleArguments;

  constructor(tools: KeyTools, args: SubtleArguments) {
    this.#tools = tools;
    this.#args = args;
  }

  /** Returns the number of bits that a derived key needs. Null means all that there are. */
  lengthOf({ name, length, hash }: Algorithm): number | null {
    if (isAes(name)) return Number(length);
    return name === 'HMAC' ? Number(length ?? this.#args.hashOf(hash).fn.blockLen * 8) : null;
  }

  derive(algorithm: Algorithm, key: CryptoKey, length: number | null): Uint8Array {
    const { name } = algorithm;
    if (name === 'ECDH' || edwardsNamed(name)) return this.#agree(algorithm, key, length);
    if (length === null) throw operationFault('length cannot be null');
    if (length % 8 !== 0) throw operationFault('length must be a multiple of 8');
    const { fn } = this.#args.hashOf(algorithm.hash);
    if (length === 0) return new Uint8Array(0);
    const salt = this.#args.bytesOf(algorithm.salt, 'deriveBits', 'algorithm.salt');
    const { keys, hkdf, pbkdf2 } = this.#tools;
    if (name === 'HKDF') {
      const secret = keys.secretOf(key);
      const info = this.#args.bytesOf(algorithm.info, 'deriveBits', 'algorithm.info');
      return hkdf(fn, secret, salt, info, length / 8);
    }
    const c = Number(algorithm.iterations);
    if (c === 0) throw operationFault('iterations cannot be zero');
    return pbkdf2(fn, keys.secretOf(key), salt, { c, dkLen: length / 8 });
  }

  #agree(algorithm: Algorithm, key: CryptoKey, length: number | null): Uint8Array {
    const { keys, errors } = this.#tools;
    const other = algorithm.public;
    if (!(other instanceof keys.CryptoKey)) throw errors.argTypeError('algorithm.public', 'CryptoKey', other);
    if (other.type !== 'public') throw accessFault('algorithm.public must be a public key');
    if (key.type !== 'private') throw accessFault('baseKey must be a private key');
    const [own, theirs] = [keys.pairOf(key), keys.pairOf(other)];
    if (isRsa(own) || isRsa(theirs) || own.curve !== theirs.curve) throw accessFault('Named curve mismatch');
    const bits = agreed(own, theirs);
    if (length === null) return bits;
    if (length > bits.length * 8) throw operationFault('derived bit length is too small');
    const cut = bits.slice(0, Math.ceil(length / 8));
    // Only the first bits of the last byte count.
    if (length % 8 !== 0) cut[cut.length - 1] = (cut.at(-1) ?? 0) & (0xff << (8 - (length % 8)));
    return cut;
  }
}
