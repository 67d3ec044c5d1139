import type { AsymmetricMaterial, CryptoKey } from '../../key-object.ts';
import { curveKey, curveNamed, edwardsNamed } from '../curves.ts';
import { bigOfBytes } from '../der.ts';
import { rsaKey } from '../rsa.ts';
import type { KeyTools } from '../tools.ts';
import { isAes, isRsaName, USES, type Algorithm } from './algorithms.ts';
import type { SubtleArguments } from './arguments.ts';
import {
  dataFault,
  failed,
  guarded,
  notSupported,
  operationFault,
  syntaxFault,
  unknownAlgorithm,
} from './errors.ts';
import type { KeyRequest, WebKeys } from './web-keys.ts';

/** Generates keys for `crypto.subtle`. */
export class KeyGenerator {
  readonly #tools: KeyTools;
  readonly #args: SubtleArguments;
  readonly #webKeys: WebKeys;

  constructor(tools: KeyTools, args: SubtleArguments, webKeys: WebKeys) {
    this.#tools = tools;
    this.#args = args;
    this.#webKeys = webKeys;
  }

  /** Returns a key, or an object with both keys of a pair. */
  generate(request: KeyRequest): object {
    const { algorithm, usages } = request;
    const { name } = algorithm;
    if (USES[name]?.secret && this.#webKeys.usesOf(name, 'secret', usages).length === 0)
      throw syntaxFault('Usages cannot be empty when creating a key.');
    if (isAes(name)) {
      const { length } = algorithm;
      if (length !== 128 && length !== 192 && length !== 256)
        throw operationFault('AES key length must be 128, 192, or 256 bits');
      return this.#webKeys.secret(this.#tools.random(length / 8), request);
    }
    return name === 'HMAC' ? this.#hmacKey(request) : this.#pair(request);
  }

  #hmacKey({ algorithm, extractable, usages }: KeyRequest): CryptoKey {
    const { name } = algorithm;
    const length = Number(algorithm.length ?? this.#args.hashOf(algorithm.hash).fn.blockLen * 8);
    if (length === 0) throw dataFault('Zero-length key is not supported');
    const uses = this.#webKeys.usesOf(name, 'secret', usages);
    const shown = { name, length, hash: { name: this.#args.hashOf(algorithm.hash).name } };
    const bytes = this.#tools.random(Math.ceil(length / 8));
    return this.#tools.keys.cryptoKeyOf(
      { kind: 'secret', bytes },
      { type: 'secret', algorithm: shown, extractable, usages: uses },
    );
  }

  #pair({ algorithm, extractable, usages }: KeyRequest) {
    const { name } = algorithm;
    const { private: ofPrivate, public: ofPublic } = USES[name] ?? {};
    if (!ofPrivate || !ofPublic) throw unknownAlgorithm();
    if (usages.some((use) => !ofPrivate.includes(use) && !ofPublic.includes(use)))
      throw syntaxFault(`Unsupported key usage for ${/^[AE]/.test(name) ? 'an' : 'a'} ${name} key`);
    const privateUses = usages.filter((use) => ofPrivate.includes(use));
    const publicUses = usages.filter((use) => ofPublic.includes(use));
    if (privateUses.length === 0) throw syntaxFault('Usages cannot be empty when creating a key.');
    const material = guarded(() => this.#newPair(algorithm));
    return {
      publicKey: this.#webKeys.ofPair(material, 'public', {
        algorithm,
        extractable: true,
        usages: publicUses,
      }),
      privateKey: this.#webKeys.ofPair(material, 'private', {
        algorithm,
        extractable,
        usages: privateUses,
      }),
    };
  }

  #newPair({ name, namedCurve, modulusLength, publicExponent }: Algorithm): AsymmetricMaterial {
    const { random } = this.#tools;
    if (isRsaName(name)) {
      const e = bigOfBytes(publicExponent as Uint8Array);
      // No key has another: the search for its primes would not end.
      if (e < 3n || e % 2n === 0n) throw failed();
      return rsaKey(Number(modulusLength), e, 'rsa', random);
    }
    const kind = edwardsNamed(name);
    if (kind) return curveKey(kind, kind, random);
    const curve = curveNamed(String(namedCurve));
    if (!curve) throw notSupported('Unrecognized namedCurve');
    return curveKey('ec', curve.name, random);
  }
}
