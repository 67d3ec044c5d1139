import type { AsymmetricMaterial, CryptoKey, KeyType } from '../../key-object.ts';
import { isRsa, openOf } from '../codec/material.ts';
import { curveOf } from '../curves.ts';
import { bytesOfBig } from '../der.ts';
import type { KeyTools } from '../tools.ts';
import { isAes, USES, type Algorithm } from './algorithms.ts';
import type { SubtleArguments } from './arguments.ts';
import { dataFault, notSupported, syntaxFault } from './errors.ts';

/** The properties that a program wants a new key to have. */
export interface KeyRequest {
  readonly algorithm: Algorithm;
  readonly extractable: boolean;
  readonly usages: readonly string[];
}

/** Makes the objects of class CryptoKey from key material. */
export class WebKeys {
  readonly #tools: KeyTools;
  readonly #args: SubtleArguments;

  constructor(tools: KeyTools, args: SubtleArguments) {
    this.#tools = tools;
    this.#args = args;
  }

  /** Returns the usages of a new key in the order of the specification. Throws where one is not allowed. */
  usesOf(name: string, type: KeyType, wanted: readonly string[]): string[] {
    const allowed = USES[name]?.[type] ?? [];
    if (wanted.some((use) => !allowed.includes(use)))
      throw syntaxFault(
        `Unsupported key usage for ${isAes(name) ? 'an AES' : name === 'HMAC' ? 'an HMAC' : `a ${name}`} key`,
      );
    return allowed.filter((use) => wanted.includes(use));
  }

  secret(bytes: Uint8Array, { algorithm, extractable, usages }: KeyRequest): CryptoKey {
    const uses = this.usesOf(algorithm.name, 'secret', usages);
    if (uses.length === 0) throw syntaxFault('Usages cannot be empty when importing a secret key.');
    const { name } = algorithm;
    if ((name === 'PBKDF2' || name === 'HKDF') && extractable)
      throw syntaxFault(`${name} keys are not extractable`);
    const bits = bytes.length * 8;
    if (name === 'HMAC' && Number(algorithm.length ?? bits) !== bits)
      throw notSupported('Unsupported algorithm.length');
    if (isAes(name) && ![16, 24, 32].includes(bytes.length)) throw dataFault('Invalid key length');
    if (name === 'HMAC' && bytes.length === 0) throw dataFault('Zero-length key is not supported');
    const shown =
      name === 'HMAC'
        ? { name, hash: { name: this.#args.hashOf(algorithm.hash).name }, length: bits }
        : isAes(name)
          ? { name, length: bits }
          : { name };
    return this.#tools.keys.cryptoKeyOf(
      { kind: 'secret', bytes },
      { type: 'secret', algorithm: shown, extractable, usages: uses },
    );
  }

  /** Makes one key of a pair. A public key has only the open part of the material. */
  ofPair(
    material: AsymmetricMaterial,
    type: 'public' | 'private',
    { algorithm, extractable, usages }: KeyRequest,
  ): CryptoKey {
    const { name } = algorithm;
    const uses = this.usesOf(name, type, usages);
    if (type === 'private' && uses.length === 0)
      throw syntaxFault('Usages cannot be empty when importing a private key.');
    const shown = isRsa(material)
      ? {
          name,
          modulusLength: material.n.toString(2).length,
          publicExponent: bytesOfBig(material.e),
          hash: { name: this.#args.hashOf(algorithm.hash).name },
        }
      : material.kind === 'ec'
        ? { name, namedCurve: curveOf(material).jwk }
        : { name };
    return this.#tools.keys.cryptoKeyOf(type === 'public' ? openOf(material) : material, {
      type,
      algorithm: shown,
      extractable,
      usages: uses,
    });
  }

  /** Returns the algorithm's name in JSON web keys. */
  jwkAlgorithm(algorithm: Readonly<Record<string, unknown>>): string | undefined {
    const name = String(algorithm.name);
    const hash =
      algorithm.hash === undefined ? '' : this.#args.hashOf(algorithm.hash).name.replace('SHA-', '');
    if (name === 'HMAC') return `HS${hash}`;
    if (isAes(name)) return `A${String(algorithm.length)}${name.slice(4)}`;
    if (name === 'RSASSA-PKCS1-v1_5') return `RS${hash}`;
    if (name === 'RSA-PSS') return `PS${hash}`;
    if (name === 'RSA-OAEP') return hash === '1' ? 'RSA-OAEP' : `RSA-OAEP-${hash}`;
    return undefined;
  }
}
