import type { AsymmetricMaterial, KeyObject } from '../../key-object.ts';
import { openOf } from '../codec/material.ts';
import { curveKey, curveNamed, edwardsKinds } from '../curves.ts';
import { rsaKey } from '../rsa.ts';
import type { KeyTools } from '../tools.ts';
import { answerLater, keyInputOf, type PairContext } from './context.ts';
import { ownTimers } from '../../../../loop/own-timers.ts';

/** Makes the functions of `crypto` that generate keys, or read them. */
export function makeKeyCreation(context: PairContext) {
  const { tools, codec } = context;
  const { keys } = tools;
  const errors: KeyTools['errors'] = tools.errors;

  function generateKeyPairSync(type: unknown, options?: unknown) {
    const material = newPair(tools, type, options);
    const { publicKeyEncoding, privateKeyEncoding } = (options ?? {}) as Record<string, object | undefined>;
    return {
      publicKey: publicKeyEncoding
        ? codec.export(openOf(material), 'public', publicKeyEncoding)
        : keys.keyOf(openOf(material), 'public'),
      privateKey: privateKeyEncoding
        ? codec.export(material, 'private', privateKeyEncoding)
        : keys.keyOf(material, 'private'),
    };
  }

  function generateKeySync(type: unknown, options: unknown): KeyObject {
    errors.needString(type, 'type');
    errors.needObject(options, 'options');
    const { length } = options;
    if (type === 'aes') {
      if (length !== 128 && length !== 192 && length !== 256)
        throw errors.argValueError('options.length', length, 'must be one of: 128, 192, 256');
    } else if (type !== 'hmac') throw errors.argValueError('type', type, 'must be a supported key type');
    else errors.needInteger(length, 'options.length', 8, 2 ** 31 - 1);
    return keys.keyOf({ kind: 'secret', bytes: tools.random(Math.floor(Number(length) / 8)) }, 'secret');
  }

  return {
    createPrivateKey(input: unknown): KeyObject {
      if (input instanceof keys.KeyObject)
        throw errors.argTypeError(
          'key',
          ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'],
          input,
        );
      return keys.keyOf(codec.read(input, 'private'), 'private');
    },
    createPublicKey(input: unknown): KeyObject {
      const given = keyInputOf(context, input);
      if (!keys.isKey(given)) return keys.keyOf(openOf(codec.read(given, 'public')), 'public');
      if (given.type !== 'private') throw keys.wrongType(given.type, 'private');
      return keys.keyOf(openOf(keys.pairOf(given)), 'public');
    },
    generateKey: (type: unknown, options: unknown, callback: unknown) =>
      answerLater(tools, () => generateKeySync(type, options), callback),
    generateKeyPair(type: unknown, ...rest: unknown[]): void {
      const callback = rest.pop();
      errors.needFunction(callback, 'callback');
      const { publicKey, privateKey } = generateKeyPairSync(type, rest[0]);
      ownTimers().setImmediate(() => callback(null, publicKey, privateKey));
    },
    generateKeyPairSync,
    generateKeySync,
  };
}

function newPair(tools: KeyTools, type: unknown, options: unknown): AsymmetricMaterial {
  const errors: KeyTools['errors'] = tools.errors;
  errors.needString(type, 'type');
  const kind = edwardsKinds.find((each) => each === type);
  if (kind) return curveKey(kind, kind, tools.random);
  if (type !== 'ec' && type !== 'rsa' && type !== 'rsa-pss') {
    if (['dsa', 'dh'].includes(type))
      throw errors.unavailable(
        `a key pair of type '${type}'`,
        'there are those of RSA, of elliptic curves, Ed25519, Ed448, X25519 and X448',
      );
    throw errors.argValueError('type', type, 'must be a supported key type');
  }
  errors.needObject(options, 'options');
  if (type === 'ec') {
    const { namedCurve } = options;
    errors.needString(namedCurve, 'options.namedCurve');
    const curve = curveNamed(namedCurve);
    if (!curve) throw errors.plainError('ERR_CRYPTO_INVALID_CURVE', 'Invalid EC curve name', TypeError);
    return curveKey('ec', curve.name, tools.random);
  }
  const { modulusLength, publicExponent = 65537 } = options;
  errors.needInteger(modulusLength, 'options.modulusLength', 0, 2 ** 32 - 1);
  errors.needInteger(publicExponent, 'options.publicExponent', 0, 2 ** 32 - 1);
  return rsaKey(modulusLength, BigInt(publicExponent), type, tools.random);
}
