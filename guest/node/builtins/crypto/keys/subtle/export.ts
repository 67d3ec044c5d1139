import type { AsymmetricMaterial, CryptoKey } from '../../key-object.ts';
import type { KeyCodec } from '../codec.ts';
import { isRsa } from '../codec/material.ts';
import { pkcs8, spki } from '../codec/structures.ts';
import type { KeyTools } from '../tools.ts';
import { fault, notSupported } from './errors.ts';
import type { WebKeys } from './web-keys.ts';

export const bufferOf = (bytes: Uint8Array): ArrayBuffer => Uint8Array.from(bytes).buffer;

/** Exports keys from `crypto.subtle`. */
export class KeyExport {
  readonly #tools: KeyTools;
  readonly #codec: KeyCodec;
  readonly #webKeys: WebKeys;

  constructor(tools: KeyTools, codec: KeyCodec, webKeys: WebKeys) {
    this.#tools = tools;
    this.#codec = codec;
    this.#webKeys = webKeys;
  }

  /** Returns an object for a JSON web key, else bytes. */
  export(format: string, key: CryptoKey): object {
    if (!key.extractable) throw fault('InvalidAccessException', 'key is not extractable');
    const material = this.#tools.keys.materialOf(key);
    if (material.kind !== 'secret') return this.#exportPair(format, key, material);
    if (format === 'raw') return bufferOf(material.bytes);
    if (format !== 'jwk') throw cannotExport(format, key);
    return {
      key_ops: [...key.usages],
      ext: key.extractable,
      alg: this.#webKeys.jwkAlgorithm(key.algorithm),
      kty: 'oct',
      k: this.#tools.Buffer.from(material.bytes).toString('base64url'),
    };
  }

  #exportPair(format: string, key: CryptoKey, material: AsymmetricMaterial): object {
    const { type, usages, extractable, algorithm } = key;
    if (format === 'jwk') {
      const alg = this.#webKeys.jwkAlgorithm(algorithm);
      return {
        key_ops: [...usages],
        ext: extractable,
        ...(alg && { alg }),
        ...this.#codec.toJwk(material, type),
      };
    }
    if (format === 'spki' && type === 'public') return bufferOf(spki(material));
    if (format === 'pkcs8' && type === 'private') return bufferOf(pkcs8(material));
    if (format === 'raw' && type === 'public' && !isRsa(material)) return bufferOf(material.point);
    throw cannotExport(format, key);
  }
}

function cannotExport(format: string, { algorithm, type }: CryptoKey): DOMException {
  return notSupported(`Unable to export ${String(algorithm.name)} ${type} key using ${format} format`);
}
