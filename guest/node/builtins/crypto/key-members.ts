import { expand, extract } from '@noble/hashes/hkdf.js';
import { hmac } from '@noble/hashes/hmac.js';
import { pbkdf2 } from '@noble/hashes/pbkdf2.js';
import type { NodeHost } from '../builtin.ts';
import * as bytes from '../internal/bytes.ts';
import * as errors from '../internal/errors.ts';
import type { CryptoContext } from './context.ts';
import * as hashes from './hashes.ts';
import * as keyObject from './key-object.ts';
import type { Keys } from './keys/keys.ts';
import type { KeyTools } from './keys/tools.ts';
import { fillRandom } from './fill-random.ts';

/** Members that need ciphers or key pairs. That part of node is loaded on first use of one. */
const NAMES = [
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

type KeyMember = (this: unknown, ...args: unknown[]) => unknown;

/** The part of `crypto` for keys, which is loaded when one of its members is first used. */
export class LazyKeys {
  readonly #host: NodeHost;
  readonly #context: CryptoContext;
  #loaded: Keys | undefined;

  constructor(host: NodeHost, context: CryptoContext) {
    this.#host = host;
    this.#context = context;
  }

  get(): Keys {
    return (this.#loaded ??= this.#host.part('keys')(toolsOf(this.#context)));
  }

  /** Returns functions that stand for the members and load the part when they are called. */
  members(): Record<string, KeyMember> {
    return Object.fromEntries(NAMES.map((name) => [name, this.#member(name)]));
  }

  #member(name: (typeof NAMES)[number]): KeyMember {
    const get = () => this.get();
    // An arrow function could not be called with `new`, which some of these need.
    const use = function (...args: unknown[]): unknown {
      const member = get()[name];
      const isClass = /^[A-Z]/.test(name);
      return isClass ? Reflect.construct(member, args) : Reflect.apply(member, undefined, args);
    };
    Object.defineProperty(use, Symbol.hasInstance, {
      value: (value: object) => this.#loaded !== undefined && value instanceof this.#loaded[name],
    });
    Object.defineProperty(use, 'name', { value: name });
    if (name === 'ECDH')
      Object.defineProperty(use, 'convertKey', {
        value: (...args: Parameters<Keys['ECDH']['convertKey']>) => get().ECDH.convertKey(...args),
      });
    if (name === 'generateKeyPair') {
      const { promisify } = this.#context.load('util');
      Object.defineProperty(use, promisify.custom, {
        value: (...args: unknown[]) => promisedPair(use, args),
      });
    }
    return use;
  }
}

function promisedPair(generateKeyPair: KeyMember, args: readonly unknown[]): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, publicKey?: unknown, privateKey?: unknown) =>
      error ? reject(error) : resolve({ publicKey, privateKey });
    generateKeyPair(...args, done);
  });
}

function toolsOf(context: CryptoContext): KeyTools {
  const { Buffer, Transform, load } = context;
  return {
    Buffer,
    Transform,
    Writable: load('stream').Writable,
    StringDecoder: (load('string_decoder') as Pick<KeyTools, 'StringDecoder'>).StringDecoder,
    errors,
    bytes,
    hashes,
    keys: keyObject,
    hmac,
    pbkdf2,
    hkdf: (hash, key, salt, info, length) => expand(hash, extract(hash, key, salt), info, length),
    random(length) {
      const filled = new Uint8Array(length);
      fillRandom(filled);
      return filled;
    },
    bytesOf: (value, name, encoding) => context.bytesOf(value, name, encoding),
  };
}
