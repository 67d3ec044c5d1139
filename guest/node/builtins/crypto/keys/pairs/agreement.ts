import type { CurveMaterial } from '../../key-object.ts';
import { isRsa } from '../codec/material.ts';
import { agreed, curveKey, curveNamed, curveOf, signerOf, type Curve } from '../curves.ts';
import type { KeyTools } from '../tools.ts';
import { answer, outputOf } from './context.ts';

/** `crypto.diffieHellman`. */
export function diffieHellman(tools: KeyTools, options: unknown, callback?: unknown): unknown {
  const { keys } = tools;
  const errors: KeyTools['errors'] = tools.errors;
  errors.needObject(options, 'options');
  const { privateKey, publicKey } = options;
  if (!(privateKey instanceof keys.KeyObject))
    throw errors.argTypeError('options.privateKey', 'KeyObject', privateKey);
  if (!(publicKey instanceof keys.KeyObject))
    throw errors.argTypeError('options.publicKey', 'KeyObject', publicKey);
  const [own, other] = [keys.pairOf(privateKey), keys.pairOf(publicKey)];
  if (isRsa(own) || isRsa(other) || own.curve !== other.curve || signerOf(own.kind))
    throw errors.nodeError(
      'ERR_CRYPTO_INCOMPATIBLE_KEY',
      `Incompatible key types for Diffie-Hellman: ${own.kind} and ${other.kind}`,
    );
  return answer(tools, () => outputOf(tools, agreed(own, other)), callback);
}

function needCurve(tools: KeyTools, name: unknown): Curve {
  const errors: KeyTools['errors'] = tools.errors;
  errors.needString(name, 'curve');
  const curve = curveNamed(name);
  if (!curve) throw errors.plainError('ERR_CRYPTO_INVALID_CURVE', 'Invalid EC curve name', TypeError);
  return curve;
}

/** Makes the class `crypto.ECDH`. */
export function makeEcdh(tools: KeyTools) {
  const { nodeError, plainError } = tools.errors;
  return class ECDH {
    #key: CurveMaterial;
    constructor(name: unknown) {
      this.#key = { kind: 'ec', curve: needCurve(tools, name).name, point: new Uint8Array(0) };
    }
    generateKeys(encoding?: unknown, format?: unknown): unknown {
      this.#key = curveKey('ec', this.#key.curve, tools.random);
      return this.getPublicKey(encoding, format);
    }
    getPublicKey(encoding?: unknown, format: unknown = 'uncompressed'): unknown {
      const { Point } = curveOf(this.#key).ecdsa;
      const { point } = this.#key;
      if (point.length === 0)
        throw plainError('ERR_CRYPTO_OPERATION_FAILED', 'Failed to get ECDH public key');
      return outputOf(
        tools,
        format === 'compressed' ? Point.fromBytes(point).toBytes(true) : point,
        encoding,
      );
    }
    getPrivateKey(encoding?: unknown): unknown {
      if (!this.#key.secret)
        throw plainError('ERR_CRYPTO_OPERATION_FAILED', 'Failed to get ECDH private key');
      return outputOf(tools, this.#key.secret, encoding);
    }
    setPrivateKey(key: unknown, encoding?: unknown): void {
      const secret = Uint8Array.from(tools.bytesOf(key, 'key', encoding));
      const { ecdsa } = curveOf(this.#key);
      if (!ecdsa.utils.isValidSecretKey(secret))
        throw plainError('ERR_CRYPTO_INVALID_KEYTYPE', 'Private key is not valid for specified curve.');
      this.#key = { ...this.#key, secret, point: ecdsa.getPublicKey(secret, false) };
    }
    static convertKey(
      key: unknown,
      name: unknown,
      inputEncoding?: unknown,
      outputEncoding?: unknown,
      format: unknown = 'uncompressed',
    ): unknown {
      const errors: KeyTools['errors'] = tools.errors;
      errors.needString(name, 'curve');
      const bytes = tools.bytesOf(key, 'key', inputEncoding);
      const { Point } = needCurve(tools, name).ecdsa;
      try {
        return outputOf(tools, Point.fromBytes(bytes).toBytes(format === 'compressed'), outputEncoding);
      } catch {
        throw plainError('ERR_CRYPTO_OPERATION_FAILED', 'Failed to convert Buffer to EC_POINT');
      }
    }
    computeSecret(other: unknown, inputEncoding?: unknown, outputEncoding?: unknown): unknown {
      const point = tools.bytesOf(other, 'otherPublicKey', inputEncoding);
      if (!curveOf(this.#key).ecdsa.utils.isValidPublicKey(point))
        throw nodeError('ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY', 'Public key is not valid for specified curve');
      return outputOf(tools, agreed(this.#key, { ...this.#key, point }), outputEncoding);
    }
  };
}
