import { expand, extract } from '@noble/hashes/hkdf.js';
import { hmac } from '@noble/hashes/hmac.js';
import { pbkdf2 } from '@noble/hashes/pbkdf2.js';
import { scrypt } from '@noble/hashes/scrypt.js';
import type { MakeBuiltin } from './builtin.ts';
import { hashNamed, hashNames, isExtendable, type HashFunction, type Running } from './crypto/hashes.ts';
import { makeSubtle } from './crypto/subtle.ts';
import { constants } from './crypto/constants.ts';
import * as hashes from './crypto/hashes.ts';
import * as keyObject from './crypto/key-object.ts';
import type { Keys } from './crypto/keys/main.ts';
import type { KeyTools } from './crypto/keys/tools.ts';
import * as bytes from './internal/bytes.ts';
import { bytesIn } from './internal/bytes.ts';
import * as errors from './internal/errors.ts';
import {
  argTypeError,
  needFunction,
  needInteger,
  needObject,
  needString,
  nodeError,
  outOfRange,
  plainError,
  refusals,
} from './internal/errors.ts';

type Callback = (error: Error | null, value?: unknown) => void;

/** What needs certificates, or groups of their own: each says that it is not there. */
/** What needs ciphers or keys in pairs: that part of node is loaded with the first use of one. */
const withKeys = [
  'Cipheriv',
  'Decipheriv',
  'ECDH',
  'Sign',
  'Verify',
  'createCipheriv',
  'createDecipheriv',
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
  'privateDecrypt',
  'privateEncrypt',
  'publicDecrypt',
  'publicEncrypt',
  'sign',
  'verify',
] as const;

// What getRandomValues gives at once.
const RANDOM_CHUNK = 65536;
const MAX_RANDOM_RANGE = 2 ** 48 - 1;

// As it is when this is loaded: a process's own `crypto` is made of this module.
const platform = globalThis.crypto;

export const makeCrypto: MakeBuiltin = (host, load) => {
  const { Buffer } = load('buffer');
  const { Transform, Writable } = load('stream');
  const { inspect, promisify } = load('util');

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
    return (loaded ??= (host.part('keys') as (tools: KeyTools) => Keys)(tools));
  }

  const lazily = Object.fromEntries(
    withKeys.map((name) => {
      // No arrow: some are made with `new`.
      const use = function (...args: unknown[]): unknown {
        const found: unknown = keys()[name];
        const isClass = /^[A-Z]/.test(name);
        return isClass
          ? (Reflect.construct(found as new () => object, args) as unknown)
          : (Reflect.apply(found as () => unknown, undefined, args) as unknown);
      };
      return [name, Object.defineProperty(use, 'name', { value: name })];
    }),
  );
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
    if (typeof value === 'string') return Buffer.from(value, (encoding ?? 'utf8') as 'utf8');
    const found = bytesIn(value);
    if (!found) throw argTypeError(name, ['string', 'Buffer', 'TypedArray', 'DataView'], value);
    return found;
  }

  /** Of a key derivation: its arguments may be buffers too. */
  function inputOf(value: unknown, name: string): Uint8Array {
    if (typeof value !== 'string' && !bytesIn(value))
      throw argTypeError(name, ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], value);
    return bytesOf(value, name);
  }

  const output = (bytes: Uint8Array, encoding: unknown) => {
    const whole = Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);
    return typeof encoding !== 'string' || !Buffer.isEncoding(encoding)
      ? whole
      : whole.toString(encoding as 'hex');
  };

  /** What a hash and an HMAC have in common: bytes in by `update` or as a stream, the digest out once. */
  class Digesting extends Transform {
    #running: Running;
    #done = false;
    /** Of a stream that has ended: it can still be asked for. */
    #ended: Uint8Array | undefined;
    constructor(running: Running) {
      super();
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
    /** As it shows there: the stream is made only where it is used. */
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
    copy(): Hash {
      return new Hash(this.cloned());
    }
  }

  class Hmac extends Digesting {
    // An HMAC that is asked again answers with nothing.
    override again(encoding: unknown): unknown {
      return output(new Uint8Array(0), encoding);
    }
  }

  function createHash(algorithm: unknown, options: { outputLength?: number } = {}): Hash {
    needString(algorithm, 'algorithm');
    const found = hashNamed(algorithm);
    if (!found) throw new Error('Digest method not supported');
    const { outputLength } = options;
    if (outputLength !== undefined) needInteger(outputLength, 'options.outputLength', 0, 2 ** 32 - 1);
    if (outputLength !== undefined && outputLength !== found.outputLen && !isExtendable(algorithm))
      throw Object.assign(new Error('error:030000B2:digital envelope routines::not XOF or invalid length'), {
        library: 'digital envelope routines',
        reason: 'not XOF or invalid length',
        code: 'ERR_OSSL_EVP_NOT_XOF_OR_INVALID_LENGTH',
      });
    return new Hash(found.create(outputLength === undefined ? undefined : { dkLen: outputLength }));
  }

  function digestNamed(digest: unknown, name = 'digest'): HashFunction {
    needString(digest, name);
    const found = hashNamed(digest);
    if (!found) throw plainError('ERR_CRYPTO_INVALID_DIGEST', `Invalid digest: ${digest}`, TypeError);
    return found;
  }

  function createHmac(digest: unknown, key: unknown): Hmac {
    needString(digest, 'hmac');
    const found = digestNamed(digest);
    if (key === null || key === undefined)
      throw argTypeError(
        'key',
        ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView', 'string', 'KeyObject', 'CryptoKey'],
        key,
      );
    const secret = keyObject.isKey(key) ? keyObject.secretOf(key) : bytesOf(key, 'key');
    return new Hmac(hmac.create(found as never, secret) as Running);
  }

  function fillRandom(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += RANDOM_CHUNK)
      platform.getRandomValues(bytes.subarray(at, at + RANDOM_CHUNK) as Uint8Array<ArrayBuffer>);
  }

  /** Does it now and tells later, as what would be done on another thread. */
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

  function randomBytes(size: unknown, callback?: Callback): unknown {
    if (typeof size !== 'number') throw argTypeError('size', 'number', size);
    if (!(size >= 0 && size <= 2 ** 31 - 1)) throw outOfRange('size', `>= 0 && <= ${2 ** 31 - 1}`, size);
    const bytes = Buffer.alloc(size);
    const fill = () => {
      fillRandom(bytes);
      return bytes;
    };
    if (callback === undefined) return fill();
    needFunction(callback, 'callback');
    return later(fill, callback);
  }

  function randomFillSync(buffer: unknown, offset = 0, size?: number): unknown {
    if (!ArrayBuffer.isView(buffer) && !(buffer instanceof ArrayBuffer))
      throw argTypeError('buf', ['ArrayBuffer', 'ArrayBufferView'], buffer);
    const bytes = bytesOf(buffer, 'buf');
    if (offset < 0 || offset > bytes.length) throw outOfRange('offset', `>= 0 && <= ${bytes.length}`, offset);
    const length = size ?? bytes.length - offset;
    if (length + offset > bytes.length)
      throw outOfRange('size + offset', `<= ${bytes.length}`, length + offset);
    fillRandom(bytes.subarray(offset, offset + length));
    return buffer;
  }

  function randomInt(first: unknown, second?: unknown, third?: unknown): number | void {
    const onlyMax = second === undefined || typeof second === 'function';
    const [min, max] = onlyMax ? [0, first] : [first, second];
    const callback = onlyMax ? second : third;
    if (!Number.isSafeInteger(min)) throw argTypeError('min', 'a safe integer', min);
    if (!Number.isSafeInteger(max)) throw argTypeError('max', 'a safe integer', max);
    const [low, high] = [Number(min), Number(max)];
    if (high <= low) throw outOfRange('max', `greater than the value of "min" (${low})`, high);
    const range = high - low;
    if (range > MAX_RANDOM_RANGE)
      throw outOfRange(onlyMax ? 'max' : 'max - min', `<= ${MAX_RANDOM_RANGE}`, range);
    const limit = 2 ** 48 - (2 ** 48 % range);
    const pick = (): number => {
      const words = platform.getRandomValues(new Uint16Array(3));
      const value = (words[0] ?? 0) * 2 ** 32 + (words[1] ?? 0) * 2 ** 16 + (words[2] ?? 0);
      return value < limit ? (value % range) + low : pick();
    };
    if (callback === undefined) return pick();
    needFunction(callback, 'callback');
    return globalThis.process.nextTick(callback, undefined, pick());
  }

  function randomUUID(options?: unknown): string {
    if (options !== undefined) needObject(options, 'options');
    const bytes = new Uint8Array(16);
    fillRandom(bytes);
    bytes[6] = ((bytes[6] ?? 0) & 15) | 64;
    bytes[8] = ((bytes[8] ?? 0) & 63) | 128;
    return Buffer.from(bytes)
      .toString('hex')
      .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
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

  function pbkdf2Sync(
    password: unknown,
    salt: unknown,
    iterations: unknown,
    length: unknown,
    digest: unknown,
  ) {
    needString(digest, 'digest');
    const [secret, seasoning] = [inputOf(password, 'password'), inputOf(salt, 'salt')];
    needInteger(iterations, 'iterations', 1, 2 ** 31 - 1);
    needInteger(length, 'keylen', 0, 2 ** 31 - 1);
    return output(
      pbkdf2(digestNamed(digest) as never, secret, seasoning, { c: iterations, dkLen: length }),
      undefined,
    );
  }

  interface ScryptOptions {
    readonly N?: number;
    readonly cost?: number;
    readonly r?: number;
    readonly blockSize?: number;
    readonly p?: number;
    readonly parallelization?: number;
    readonly maxmem?: number;
  }

  function scryptSync(password: unknown, salt: unknown, length: unknown, options: ScryptOptions = {}) {
    const [secret, seasoning] = [inputOf(password, 'password'), inputOf(salt, 'salt')];
    needInteger(length, 'keylen', 0, 2 ** 31 - 1);
    const N = options.N ?? options.cost ?? 16384;
    const r = options.r ?? options.blockSize ?? 8;
    const p = options.p ?? options.parallelization ?? 1;
    const maxmem = options.maxmem ?? 32 * 1024 * 1024;
    if (N < 2 || (N & (N - 1)) !== 0)
      throw nodeError('ERR_CRYPTO_INVALID_SCRYPT_PARAMS', 'Invalid scrypt params', RangeError);
    if (128 * N * r > maxmem)
      throw nodeError(
        'ERR_CRYPTO_INVALID_SCRYPT_PARAMS',
        'Invalid scrypt params: error:030000AC:digital envelope routines::memory limit exceeded',
        RangeError,
      );
    return output(scrypt(secret, seasoning, { N, r, p, dkLen: length, maxmem: maxmem * 2 }), undefined);
  }

  function hkdfSync(
    digest: unknown,
    key: unknown,
    salt: unknown,
    info: unknown,
    length: unknown,
  ): ArrayBuffer {
    const hash = digestNamed(digest) as never;
    needInteger(length, 'length', 0, 2 ** 31 - 1);
    const more = bytesOf(info, 'info');
    if (more.length > 1024) throw outOfRange('info', 'must not contain more than 1024 bytes', more.length);
    if (length > 255 * digestNamed(digest).outputLen)
      throw nodeError('ERR_CRYPTO_INVALID_KEYLEN', 'Invalid key length', RangeError);
    const material = keyObject.isKey(key) ? keyObject.secretOf(key) : bytesOf(key, 'ikm');
    return Uint8Array.from(expand(hash, extract(hash, material, bytesOf(salt, 'salt')), more, length)).buffer;
  }

  const subtle = makeSubtle(keys);

  return {
    ...refusals('crypto'),
    ...lazily,
    constants,
    createHash,
    createHmac,
    createSecretKey,
    getFips: () => 0,
    getHashes: () => [...hashNames],
    getRandomValues: (values: never) => platform.getRandomValues(values) as unknown,
    Hash,
    hash(algorithm: unknown, data: unknown, encoding: unknown = 'hex') {
      needString(algorithm, 'algorithm');
      if (typeof data !== 'string' && !ArrayBuffer.isView(data))
        throw argTypeError('input', ['string', 'Buffer', 'TypedArray', 'DataView'], data);
      if (!hashNamed(algorithm)) throw new Error(`Digest method ${algorithm} is not supported`);
      return createHash(algorithm).update(data).digest(encoding);
    },
    hkdf: (...args: unknown[]) =>
      later(() => hkdfSync(args[0], args[1], args[2], args[3], args[4]), args[5] as Callback),
    hkdfSync,
    Hmac,
    KeyObject: keyObject.KeyObject,
    pbkdf2: (...args: unknown[]) => {
      needFunction(args[5], 'callback');
      const [password, salt, iterations, length, digest] = args;
      needString(digest, 'digest');
      later(() => pbkdf2Sync(password, salt, iterations, length, digest), args[5] as Callback);
    },
    pbkdf2Sync,
    randomBytes,
    randomFill: (buffer: unknown, ...rest: unknown[]) => {
      const callback = rest.pop();
      needFunction(callback, 'callback');
      const [offset, size] = rest as (number | undefined)[];
      later(() => randomFillSync(buffer, offset, size), callback as Callback);
    },
    randomFillSync,
    randomInt,
    randomUUID,
    scrypt: (password: unknown, salt: unknown, length: unknown, options: unknown, callback?: unknown) => {
      const done = typeof options === 'function' ? options : callback;
      needFunction(done, 'callback');
      const chosen = typeof options === 'object' && options !== null ? options : {};
      later(() => scryptSync(password, salt, length, chosen), done as Callback);
    },
    scryptSync,
    secureHeapUsed: () => ({ total: 0, used: 0, utilization: 0, min: 2 }),
    setEngine: () => undefined,
    setFips: () => undefined,
    subtle,
    timingSafeEqual,
    webcrypto: platform,
  };
};
