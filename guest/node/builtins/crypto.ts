import { expand, extract } from '@noble/hashes/hkdf.js';
import { hmac } from '@noble/hashes/hmac.js';
import { pbkdf2 } from '@noble/hashes/pbkdf2.js';
import type { MakeBuiltin } from './builtin.ts';
import { hashNamed, hashNames, isExtendable, type HashFunction, type Running } from './crypto/hashes.ts';
import { makeSubtle } from './crypto/subtle.ts';
import { constants } from './crypto/constants.ts';
import { makeDerivations } from './crypto/derive.ts';
import { fillRandom, makeRandom, type Callback } from './crypto/random.ts';
import * as hashes from './crypto/hashes.ts';
import * as keyObject from './crypto/key-object.ts';
import type { Keys } from './crypto/keys/main.ts';
import type { KeyTools } from './crypto/keys/tools.ts';
import * as bytes from './internal/bytes.ts';
import { bytesIn } from './internal/bytes.ts';
import * as errors from './internal/errors.ts';
import { PlainProxy } from './internal/proxies.ts';
import {
  argTypeError,
  argValueError,
  needFunction,
  needInteger,
  needString,
  nodeError,
  plainError,
  refusals,
} from './internal/errors.ts';

/** Members that need ciphers or key pairs. That part of node is loaded on first use of one. */
const withKeys = [
  'Cipheriv',
  'Decipheriv',
  'DiffieHellman',
  'DiffieHellmanGroup',
  'ECDH',
  'Sign',
  'Verify',
  'createCipheriv',
  'createDecipheriv',
  'createDiffieHellman',
  'createDiffieHellmanGroup',
  'createECDH',
  'createPrivateKey',
  'createPublicKey',
  'createSign',
  'createVerify',
  'checkPrime',
  'checkPrimeSync',
  'diffieHellman',
  'generateKey',
  'generateKeyPair',
  'generateKeyPairSync',
  'generateKeySync',
  'generatePrime',
  'generatePrimeSync',
  'getCipherInfo',
  'getCiphers',
  'getCurves',
  'getDiffieHellman',
  'privateDecrypt',
  'privateEncrypt',
  'publicDecrypt',
  'publicEncrypt',
  'sign',
  'verify',
] as const;

// Read when this module loads, because it later implements the `crypto` of the process.
const platform = globalThis.crypto;

export const makeCrypto: MakeBuiltin = (host, load) => {
  const { Buffer } = load('buffer');
  const { Transform, Writable } = load('stream');
  const { deprecate, inspect, promisify } = load('util');

  let loaded: Keys | undefined;
  function keys(): Keys {
    const tools: KeyTools = {
      Buffer,
      Transform,
      Writable,
      StringDecoder: (load('string_decoder') as Pick<KeyTools, 'StringDecoder'>).StringDecoder,
      errors,
      bytes,
      hashes,
      keys: keyObject,
      hmac,
      pbkdf2,
      hkdf: (hash, key, salt, info, length) =>
        expand(hash as never, extract(hash as never, key, salt), info, length),
      random(length) {
        const filled = new Uint8Array(length);
        fillRandom(filled);
        return filled;
      },
      bytesOf,
    };
    return (loaded ??= host.part('keys')(tools));
  }

  const lazily = Object.fromEntries(
    withKeys.map((name) => {
      // An arrow function could not be called with `new`, which some of these need.
      const use = function (...args: unknown[]): unknown {
        const found: unknown = keys()[name];
        const isClass = /^[A-Z]/.test(name);
        return isClass
          ? (Reflect.construct(found as new () => object, args) as unknown)
          : (Reflect.apply(found as () => unknown, undefined, args) as unknown);
      };
      Object.defineProperty(use, Symbol.hasInstance, {
        value: (value: object) => loaded !== undefined && value instanceof (loaded[name] as () => unknown),
      });
      return [name, Object.defineProperty(use, 'name', { value: name })];
    }),
  );
  Object.defineProperty(lazily.ECDH, 'convertKey', {
    value: (...args: Parameters<Keys['ECDH']['convertKey']>) => keys().ECDH.convertKey(...args),
  });
  const pairs: unknown = Reflect.get(lazily, 'generateKeyPair');
  Object.defineProperty(pairs, promisify.custom, {
    value: (...args: unknown[]) =>
      new Promise((resolve, reject) => {
        const done = (error: Error | null, publicKey?: unknown, privateKey?: unknown) =>
          error ? reject(error) : resolve({ publicKey, privateKey });
        (pairs as (...given: unknown[]) => void)(...args, done);
      }),
  });
  const createSecretKey = keyObject.makeSecretKeys(load);

  function bytesOf(value: unknown, name: string, encoding?: unknown): Uint8Array {
    if (typeof value === 'string') {
      if (value.length % 2 === 1 && String(encoding).toLowerCase() === 'hex')
        throw argValueError('encoding', encoding, `is invalid for data of length ${value.length}`);
      return Buffer.from(value, Buffer.isEncoding(String(encoding)) ? (encoding as 'utf8') : 'utf8');
    }
    const found = bytesIn(value);
    if (!found) throw argTypeError(name, ['string', 'Buffer', 'TypedArray', 'DataView'], value);
    return found;
  }

  const output = (bytes: Uint8Array, encoding: unknown) => {
    const whole = Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);
    const name = encoding === undefined || encoding === null ? '' : String(encoding);
    return Buffer.isEncoding(name) ? whole.toString(name) : whole;
  };

  /** The base of hashes and HMACs: they take bytes from `update` or as a stream, and return the digest once. */
  class Digesting extends Transform {
    #running: Running;
    #done = false;
    /** The digest of a stream that has ended, which can still be read. */
    #ended: Uint8Array | undefined;
    constructor(running: Running, options?: object | null) {
      super(options ?? undefined);
      this.#running = running;
    }
    update(data: unknown, encoding?: unknown): this {
      if (this.#done || this.#ended) throw this.finalized();
      this.#running.update(bytesOf(data, 'data', encoding));
      return this;
    }
    digest(encoding?: unknown): unknown {
      if (this.#done) return this.again(encoding);
      this.#done = true;
      return output(this.#ended ?? this.#running.digest(), encoding);
    }
    /** Shows the object as node does, where the stream is created only when it is used. */
    [inspect.custom](depth: number, options: object): string {
      const { name } = this.constructor;
      if (depth < 0) return `[${name}]`;
      const Handle = { [name]: class {} }[name];
      const shown = {
        _options: undefined,
        [Symbol('kHandle')]: Handle && new Handle(),
        [Symbol('kState')]: { [Symbol('kFinalized')]: this.#done },
      };
      return `${name} ${inspect(shown, options)}`;
    }
    finalized(): Error {
      return nodeError('ERR_CRYPTO_HASH_FINALIZED', 'Digest already called');
    }
    again(_encoding: unknown): unknown {
      throw this.finalized();
    }
    protected cloned(): Running {
      if (this.#done || this.#ended) throw this.finalized();
      return this.#running.clone();
    }
    override _transform(chunk: unknown, encoding: string, done: (error?: Error) => void): void {
      this.update(chunk, encoding);
      done();
    }
    override _flush(done: (error?: Error) => void): void {
      this.#ended = this.#running.digest();
      this.push(Buffer.from(this.#ended));
      done();
    }
  }

  class Hash extends Digesting {
    copy(options?: object | null): Hash {
      return new Hash(this.cloned(), options);
    }
  }

  class Hmac extends Digesting {
    // The second digest of an HMAC is empty, as in node.
    override again(encoding: unknown): unknown {
      return output(new Uint8Array(0), encoding);
    }
  }

  function createHash(algorithm: unknown, options?: { outputLength?: number } | null): Hash {
    needString(algorithm, 'algorithm');
    const found = hashNamed(algorithm);
    if (!found) throw new Error('Digest method not supported');
    const outputLength = options?.outputLength;
    if (outputLength !== undefined) needInteger(outputLength, 'options.outputLength', 0, 2 ** 32 - 1);
    if (outputLength !== undefined && outputLength !== found.outputLen && !isExtendable(algorithm))
      throw Object.assign(new Error('error:030000B2:digital envelope routines::not XOF or invalid length'), {
        library: 'digital envelope routines',
        reason: 'not XOF or invalid length',
        code: 'ERR_OSSL_EVP_NOT_XOF_OR_INVALID_LENGTH',
      });
    const running = found.create(outputLength === undefined ? undefined : { dkLen: outputLength });
    return new Hash(running, options);
  }

  function digestNamed(digest: unknown, name = 'digest'): HashFunction {
    needString(digest, name);
    const found = hashNamed(digest);
    if (!found) throw plainError('ERR_CRYPTO_INVALID_DIGEST', `Invalid digest: ${digest}`, TypeError);
    return found;
  }

  function createHmac(digest: unknown, key: unknown, options?: object | null): Hmac {
    needString(digest, 'hmac');
    const found = digestNamed(digest);
    if (key === null || key === undefined)
      throw argTypeError(
        'key',
        ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView', 'string', 'KeyObject', 'CryptoKey'],
        key,
      );
    const secret = keyObject.isKey(key) ? keyObject.secretOf(key) : bytesOf(key, 'key');
    return new Hmac(hmac.create(found as never, secret) as Running, options);
  }

  /** Does the work now, but calls back later, like node with its other threads. */
  function later(work: () => unknown, callback: Callback): void {
    const { process } = globalThis;
    let value: unknown;
    try {
      value = work();
    } catch (error) {
      return process.nextTick(callback, error as Error);
    }
    setImmediate(() => callback(null, value));
  }

  function timingSafeEqual(one: unknown, other: unknown): boolean {
    for (const [name, value] of [
      ['buf1', one],
      ['buf2', other],
    ] as const)
      if (!ArrayBuffer.isView(value) && !(value instanceof ArrayBuffer))
        throw plainError(
          'ERR_INVALID_ARG_TYPE',
          `The "${name}" argument must be an instance of ArrayBuffer, Buffer, TypedArray, or DataView.`,
          TypeError,
        );
    const [first, second] = [bytesOf(one, 'buf1'), bytesOf(other, 'buf2')];
    if (first.length !== second.length)
      throw plainError(
        'ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH',
        'Input buffers must have the same byte length',
        RangeError,
      );
    let difference = 0;
    for (let at = 0; at < first.length; at++) difference |= (first[at] ?? 0) ^ (second[at] ?? 0);
    return difference === 0;
  }

  /** Makes a deprecated class constructible with or without `new`. */
  const deprecated = (Class: object, make: (...args: never[]) => object, code: string) => {
    const construct = (_target: object, args: unknown[]) => Reflect.apply(make, undefined, args) as object;
    const open = new PlainProxy(Class, {
      construct,
      apply: (target, _self, args) => construct(target, args),
    });
    const { name } = Class as { readonly name: string };
    return deprecate(open as () => unknown, `crypto.${name} constructor is deprecated.`, code);
  };

  const derive = makeDerivations({ bytesOf, digestNamed });
  /** Makes both forms of a function: the synchronous one, and the one with a callback. */
  const both = (
    name: keyof typeof derive,
    places: number,
    shown: (made: Uint8Array) => unknown = (made) => output(made, undefined),
  ) => {
    const prepare = (args: unknown[]) => {
      const make = Reflect.apply(derive[name], undefined, args) as () => Uint8Array;
      return () => shown(make());
    };
    return {
      [`${name}Sync`]: (...args: unknown[]) => prepare(args)(),
      [name]: (...args: unknown[]) => {
        // The options of scrypt before the callback are optional. For the others, a callback that comes early
        // means that an argument is missing, and `prepare` throws.
        const isShort = name === 'scrypt' ? args.length <= places : typeof args[places - 1] === 'function';
        const [callback] = args.splice(isShort ? places - 1 : places);
        const work = prepare(args);
        needFunction(callback, 'callback');
        later(work, callback as Callback);
      },
    };
  };
  const random = makeRandom(Buffer, later);

  const subtle = makeSubtle(keys);

  const module = {
    ...refusals('crypto'),
    ...lazily,
    constants,
    createHash,
    createHmac,
    createSecretKey,
    getFips: () => 0,
    getHashes: () => [...hashNames],
    getRandomValues: (values: never) => platform.getRandomValues(values) as unknown,
    Hash: deprecated(Hash, createHash, 'DEP0179'),
    hash(algorithm: unknown, data: unknown, encoding: unknown = 'hex') {
      needString(algorithm, 'algorithm');
      if (typeof data !== 'string' && !ArrayBuffer.isView(data))
        throw argTypeError('input', ['string', 'Buffer', 'TypedArray', 'DataView'], data);
      needString(encoding, 'outputEncoding');
      if (encoding !== 'buffer' && !Buffer.isEncoding(encoding))
        throw argValueError('outputEncoding', encoding);
      if (!hashNamed(algorithm)) throw new Error(`Digest method ${algorithm} is not supported`);
      return createHash(algorithm).update(data).digest(encoding);
    },
    ...both('hkdf', 5, (made) => Uint8Array.from(made).buffer),
    ...both('pbkdf2', 5),
    ...both('scrypt', 4),
    Hmac: deprecated(Hmac, createHmac, 'DEP0181'),
    KeyObject: keyObject.KeyObject,
    ...random,
    secureHeapUsed: () => ({ total: 0, used: 0, utilization: 0, min: 2 }),
    setEngine: () => undefined,
    setFips: () => undefined,
    subtle,
    timingSafeEqual,
    webcrypto: platform,
  };
  for (const name of ['prng', 'pseudoRandomBytes', 'rng'])
    Object.defineProperty(module, name, { value: random.randomBytes, configurable: true, writable: true });
  return module;
};
