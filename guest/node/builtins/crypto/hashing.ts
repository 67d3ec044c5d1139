import { hmac } from '@noble/hashes/hmac.js';
import { argTypeError, argValueError, needInteger, needString, plainError } from '../internal/errors.ts';
import { PlainProxy } from '../internal/proxies.ts';
import type { CryptoContext } from './context.ts';
import { makeDigestClasses } from './digest-classes.ts';
import { hashNamed, isExtendable, type HashFunction } from './hashes.ts';
import { isKey, secretOf } from './key-object.ts';

/** Makes the members of `crypto` for hashes and HMACs. */
export function makeHashing(context: CryptoContext) {
  const { Hash, Hmac } = makeDigestClasses(context);

  function createHash(algorithm: unknown, options?: { outputLength?: number } | null) {
    needString(algorithm, 'algorithm');
    const hash = hashNamed(algorithm);
    if (!hash) throw new Error('Digest method not supported');
    const outputLength = options?.outputLength;
    if (outputLength !== undefined) needInteger(outputLength, 'options.outputLength', 0, 2 ** 32 - 1);
    if (outputLength !== undefined && outputLength !== hash.outputLen && !isExtendable(algorithm))
      throw Object.assign(new Error('error:030000B2:digital envelope routines::not XOF or invalid length'), {
        library: 'digital envelope routines',
        reason: 'not XOF or invalid length',
        code: 'ERR_OSSL_EVP_NOT_XOF_OR_INVALID_LENGTH',
      });
    const running = hash.create(outputLength === undefined ? undefined : { dkLen: outputLength });
    return new Hash(running, options);
  }

  function createHmac(digest: unknown, key: unknown, options?: object | null) {
    needString(digest, 'hmac');
    const hash = digestNamed(digest);
    if (key === null || key === undefined)
      throw argTypeError(
        'key',
        ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView', 'string', 'KeyObject', 'CryptoKey'],
        key,
      );
    const secret = isKey(key) ? secretOf(key) : context.bytesOf(key, 'key');
    return new Hmac(hmac.create(hash, secret), options);
  }

  return {
    createHash,
    createHmac,
    Hash: deprecated(context, Hash, createHash, 'DEP0179'),
    Hmac: deprecated(context, Hmac, createHmac, 'DEP0181'),
    hash(algorithm: unknown, data: unknown, encoding: unknown = 'hex') {
      needString(algorithm, 'algorithm');
      if (typeof data !== 'string' && !ArrayBuffer.isView(data))
        throw argTypeError('input', ['string', 'Buffer', 'TypedArray', 'DataView'], data);
      needString(encoding, 'outputEncoding');
      if (encoding !== 'buffer' && !context.Buffer.isEncoding(encoding))
        throw argValueError('outputEncoding', encoding);
      if (!hashNamed(algorithm)) throw new Error(`Digest method ${algorithm} is not supported`);
      return createHash(algorithm).update(data).digest(encoding);
    },
  };
}

export function digestNamed(digest: unknown): HashFunction {
  needString(digest, 'digest');
  const hash = hashNamed(digest);
  if (!hash) throw plainError('ERR_CRYPTO_INVALID_DIGEST', `Invalid digest: ${digest}`, TypeError);
  return hash;
}

/** Makes a deprecated class constructible with or without `new`. */
function deprecated<Class extends abstract new (...args: never[]) => object>(
  { load }: CryptoContext,
  Class: Class,
  make: (...args: never[]) => object,
  code: string,
): Class {
  const construct = (_target: Class, args: unknown[]): object => Reflect.apply(make, undefined, args);
  const open = new PlainProxy(Class, {
    construct,
    apply: (target, _self, args) => construct(target, args),
  });
  return load('util').deprecate(open, `crypto.${Class.name} constructor is deprecated.`, code);
}
