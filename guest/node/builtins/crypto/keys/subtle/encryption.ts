import { aeskw } from '@noble/ciphers/aes.js';
import type { CryptoKey } from '../../key-object.ts';
import { crypt } from '../cipher-info.ts';
import { isRsa } from '../codec/material.ts';
import { ctrMode, gcmMode, joined } from '../modes.ts';
import { PADDING, rsaCrypt } from '../rsa.ts';
import type { KeyTools } from '../tools.ts';
import { isAes, type Algorithm } from './algorithms.ts';
import type { SubtleArguments } from './arguments.ts';
import { failed, operationFault, unknownAlgorithm } from './errors.ts';

const TAG_BITS = [32, 64, 96, 104, 112, 120, 128];

/** Encrypts and decrypts for `crypto.subtle`. */
export class SubtleEncryption {
  readonly #tools: KeyTools;
  readonly #args: SubtleArguments;

  constructor(tools: KeyTools, args: SubtleArguments) {
    this.#tools = tools;
    this.#args = args;
  }

  crypt(algorithm: Algorithm, key: CryptoKey, data: Uint8Array, isEncrypting: boolean): Uint8Array {
    if (isAes(algorithm.name)) return this.#aes(key, algorithm, data, isEncrypting);
    const material = this.#tools.keys.pairOf(key);
    if (algorithm.name !== 'RSA-OAEP' || !isRsa(material)) throw unknownAlgorithm();
    const label = algorithm.label === undefined ? {} : { label: this.#parameter(algorithm, 'label') };
    const { fn: hash } = this.#args.hashOf(key.algorithm.hash);
    return rsaCrypt(material, data, { padding: PADDING.oaep, hash, ...label }, isEncrypting);
  }

  #parameter(algorithm: Algorithm, name: string): Uint8Array {
    return this.#args.bytesOf(algorithm[name], 'encrypt', `algorithm.${name}`);
  }

  #aes(key: CryptoKey, algorithm: Algorithm, data: Uint8Array, isEncrypting: boolean): Uint8Array {
    const secret = this.#tools.keys.secretOf(key);
    if (algorithm.name === 'AES-KW') {
      const wrapping = aeskw(secret);
      return isEncrypting ? wrapping.encrypt(data) : wrapping.decrypt(data);
    }
    if (algorithm.name === 'AES-CTR') {
      const { length } = algorithm;
      if (typeof length !== 'number' || length < 1 || length > 128)
        throw operationFault('AES-CTR algorithm.length must be between 1 and 128');
      const counter = this.#parameter(algorithm, 'counter');
      if (counter.length !== 16) throw operationFault('The counter is not 16 bytes long');
      return ctrMode(secret, counter).update(data);
    }
    const iv = this.#parameter(algorithm, 'iv');
    if (algorithm.name !== 'AES-CBC') return this.#gcm(secret, iv, algorithm, data, isEncrypting);
    if (iv.length !== 16) throw operationFault('algorithm.iv must contain exactly 16 bytes');
    return crypt(`aes-${secret.length * 8}-cbc`, secret, iv, data, isEncrypting);
  }

  #gcm(
    secret: Uint8Array,
    iv: Uint8Array,
    algorithm: Algorithm,
    data: Uint8Array,
    isEncrypting: boolean,
  ): Uint8Array {
    const tagBits = Number(algorithm.tagLength ?? 128);
    if (!TAG_BITS.includes(tagBits)) throw operationFault(`${tagBits} is not a valid AES-GCM tag length`);
    const tagLength = tagBits / 8;
    if (!isEncrypting && data.length < tagLength) throw operationFault('The provided data is too small.');
    const mode = gcmMode(secret, iv, isEncrypting);
    if (algorithm.additionalData !== undefined) mode.auth?.aad(this.#parameter(algorithm, 'additionalData'));
    const text = isEncrypting ? data : data.subarray(0, Math.max(0, data.length - tagLength));
    const out = mode.update(text);
    const tag = (mode.auth?.tag() ?? new Uint8Array(0)).subarray(0, tagLength);
    if (isEncrypting) return joined(out, tag);
    const given = data.subarray(data.length - tagLength);
    if (!given.every((byte, at) => byte === tag[at])) throw failed();
    return out;
  }
}
