import type { CryptoKey, RsaMaterial } from '../../key-object.ts';
import { isRsa } from '../codec/material.ts';
import { curveOf, signerOf } from '../curves.ts';
import { PADDING, rsaSigner } from '../rsa.ts';
import type { KeyTools } from '../tools.ts';
import type { Algorithm } from './algorithms.ts';
import type { SubtleArguments } from './arguments.ts';
import { failed, unknownAlgorithm } from './errors.ts';

/** Signs and verifies for `crypto.subtle`. */
export class SubtleSignatures {
  readonly #tools: KeyTools;
  readonly #args: SubtleArguments;

  constructor(tools: KeyTools, args: SubtleArguments) {
    this.#tools = tools;
    this.#args = args;
  }

  sign(algorithm: Algorithm, key: CryptoKey, data: Uint8Array): Uint8Array {
    if (algorithm.name === 'HMAC')
      return this.#tools.hmac(this.#args.hashOf(key.algorithm.hash).fn, this.#tools.keys.secretOf(key), data);
    const material = this.#tools.keys.pairOf(key);
    if (!material.secret) throw failed();
    if (isRsa(material))
      return this.#rsaSigner(algorithm, key, material).sign({ n: material.n, d: material.secret.d }, data);
    const signer = signerOf(material.kind);
    if (signer) return signer.sign(data, material.secret);
    const { fn } = this.#args.hashOf(algorithm.hash);
    return curveOf(material).ecdsa.sign(fn(data), material.secret, {
      prehash: false,
      lowS: false,
      extraEntropy: true,
      format: 'compact',
    });
  }

  verify(algorithm: Algorithm, key: CryptoKey, signature: Uint8Array, data: Uint8Array): boolean {
    if (algorithm.name === 'HMAC') {
      const right = this.sign(algorithm, key, data);
      return right.length === signature.length && right.every((byte, at) => byte === signature[at]);
    }
    const material = this.#tools.keys.pairOf(key);
    try {
      if (isRsa(material)) return this.#rsaSigner(algorithm, key, material).verify(material, data, signature);
      const signer = signerOf(material.kind);
      if (signer) return signer.verify(signature, data, material.point);
      const { fn } = this.#args.hashOf(algorithm.hash);
      return curveOf(material).ecdsa.verify(signature, fn(data), material.point, {
        prehash: false,
        lowS: false,
        format: 'compact',
      });
    } catch (error) {
      // Any other error means that the signature cannot even be read.
      if (error instanceof DOMException) throw error;
      return false;
    }
  }

  #rsaSigner(algorithm: Algorithm, key: CryptoKey, material: RsaMaterial) {
    const { plain, fn } = this.#args.hashOf(key.algorithm.hash);
    const padding = algorithm.name === 'RSA-PSS' ? PADDING.pss : PADDING.pkcs1;
    const signer = rsaSigner(plain, fn, padding, Number(algorithm.saltLength ?? 0), material);
    if (!signer) throw unknownAlgorithm();
    return signer;
  }
}
