import { expand, extract } from '@noble/hashes/hkdf.js';
import { pbkdf2 } from '@noble/hashes/pbkdf2.js';
import { scrypt } from '@noble/hashes/scrypt.js';
import { bytesIn } from '../internal/bytes.ts';
import { argTypeError, needInteger, needString, nodeError, outOfRange } from '../internal/errors.ts';
import type { CryptoContext } from './context.ts';
import { digestNamed } from './hashing.ts';
import * as keyObject from './key-object.ts';

const MAX_INT32 = 2 ** 31 - 1;
const MAX_UINT32 = 2 ** 32 - 1;
const SCRYPT = { N: 16384, r: 8, p: 1 } as const;
const SCRYPT_LONG = { N: 'cost', r: 'blockSize', p: 'parallelization' } as const;
const SCRYPT_MEMORY = 32 * 1024 * 1024;

/**
 * Keys from passwords and from other keys. Each looks at its arguments at once and throws what node throws of them;
 * what it gives does the work.
 */
export function makeDerivations(context: CryptoContext) {
  function secretBytes(value: unknown, name: string, views: readonly string[] = VIEWS): Uint8Array {
    const bytes = value instanceof SharedArrayBuffer ? new Uint8Array(value) : value;
    if (typeof bytes !== 'string' && !bytesIn(bytes)) throw argTypeError(name, ['string', ...views], value);
    return context.bytesOf(bytes, name);
  }

  /** The library refuses to make nothing. */
  const some = (length: number, make: () => Uint8Array) => () => {
    if (length === 0) throw new Error('Deriving bits failed');
    return make();
  };

  return {
    pbkdf2(password: unknown, salt: unknown, iterations: unknown, length: unknown, digest: unknown) {
      needString(digest, 'digest');
      const [secret, seasoning] = [secretBytes(password, 'password'), secretBytes(salt, 'salt')];
      needInteger(iterations, 'iterations', 1, MAX_INT32);
      needInteger(length, 'keylen', 0, MAX_INT32);
      const hash = digestNamed(digest);
      return some(length, () => pbkdf2(hash, secret, seasoning, { c: iterations, dkLen: length }));
    },

    hkdf(digest: unknown, key: unknown, salt: unknown, info: unknown, length: unknown) {
      needString(digest, 'digest');
      const material = keyObject.isKey(key)
        ? keyObject.secretOf(key)
        : secretBytes(key, 'ikm', ['SecretKeyObject', ...HKDF_VIEWS]);
      const seasoning = secretBytes(salt, 'salt', HKDF_VIEWS);
      const more = secretBytes(info, 'info', HKDF_VIEWS);
      needInteger(length, 'length', 0, Number.MAX_SAFE_INTEGER);
      if (more.length > 1024) throw outOfRange('info', 'must not contain more than 1024 bytes', more.length);
      const hash = digestNamed(digest);
      if (length > 255 * hash.outputLen)
        throw nodeError('ERR_CRYPTO_INVALID_KEYLEN', 'Invalid key length', RangeError);
      return some(length, () => expand(hash, extract(hash, material, seasoning), more, length));
    },

    scrypt(password: unknown, salt: unknown, length: unknown, given?: unknown) {
      const [secret, seasoning] = [secretBytes(password, 'password'), secretBytes(salt, 'salt')];
      needInteger(length, 'keylen', 0, MAX_INT32);
      const options: Readonly<Record<string, unknown>> = Object(given ?? {});
      const cost = (name: keyof typeof SCRYPT): number => {
        let chosen: unknown = options[name];
        if (chosen !== undefined) needInteger(chosen, name, 0, MAX_UINT32);
        const long = options[SCRYPT_LONG[name]];
        if (long !== undefined) {
          if (chosen !== undefined)
            throw nodeError('ERR_CRYPTO_SCRYPT_INVALID_PARAMETER', 'Invalid scrypt parameter');
          needInteger(long, SCRYPT_LONG[name], 0, MAX_UINT32);
          chosen = long;
        }
        return Number(chosen) || SCRYPT[name];
      };
      const [N, r, p] = [cost('N'), cost('r'), cost('p')];
      const { maxmem: memory } = options;
      if (memory !== undefined) needInteger(memory, 'maxmem', 0);
      const maxmem = memory || SCRYPT_MEMORY;
      const invalid = (more = '') =>
        nodeError('ERR_CRYPTO_INVALID_SCRYPT_PARAMS', `Invalid scrypt params${more}`, RangeError);
      const isPower = (N & (N - 1)) === 0;
      if (N > 1 && !isPower) throw invalid();
      if (N < 2 || Math.log2(N) >= 16 * r || p > (2 ** 30 - 1) / r || 128 * r * (N + p + 2) > maxmem)
        throw invalid(': error:030000AC:digital envelope routines::memory limit exceeded');
      return () =>
        length === 0
          ? new Uint8Array(0)
          : scrypt(secret, seasoning, { N, r, p, dkLen: length, maxmem: Number.MAX_SAFE_INTEGER });
    },
  };
}

const VIEWS = ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'];
const HKDF_VIEWS = ['ArrayBuffer', 'TypedArray', 'DataView', 'Buffer'];
