import { isProbablePrime } from 'micro-rsa-dsa-dh/primality.js';
import { DHGroups } from 'micro-rsa-dsa-dh/dh.js';
import { bigOfBytes, bytesOfBig } from './der.ts';
import { lengthOf, power, PRIME_ROUNDS, primeOf } from './rsa.ts';
import { opensslError, type KeyTools } from './tools.ts';

const SOURCES = ['number', 'string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'];
const SMALLEST_BITS = 512;

const groups: Readonly<Record<string, { readonly p: bigint; readonly g: bigint }>> = DHGroups;
const bitsOf = (value: bigint) => value.toString(2).length;
const isPrime = (value: bigint) => value > 2n && value % 2n === 1n && isProbablePrime(value, PRIME_ROUNDS);
const isSafe = (p: bigint) => isPrime(p) && isPrime((p - 1n) / 2n);

/** Key agreement over numbers. */
export function makeDiffieHellman(tools: KeyTools) {
  const { Buffer } = tools;
  const errors: KeyTools['errors'] = tools.errors;
  const { argTypeError, nodeError, plainError } = errors;

  const bytesOf = (value: unknown, name: string, encoding: unknown, types = SOURCES.slice(1)): Uint8Array => {
    if (typeof value !== 'string' && !tools.bytes.bytesIn(value)) throw argTypeError(name, types, value);
    return tools.bytesOf(value, name, encoding);
  };

  function encoded(value: bigint, encoding: unknown, length?: number): unknown {
    const whole = Buffer.from(bytesOfBig(value, length));
    return encoding === undefined || encoding === null || encoding === 'buffer'
      ? whole
      : whole.toString(encoding as 'hex');
  }

  // A prime that nobody chose to their own good: any other of its length would be as good, and takes minutes to find.
  const primeOfLength = (bits: number): bigint => {
    const known = Object.values(groups).find(({ p }) => bitsOf(p) === bits);
    if (known) return known.p;
    for (;;) {
      const half = primeOf(bits - 1, tools.random, true);
      if (isPrime(half * 2n + 1n)) return half * 2n + 1n;
    }
  };

  class Agreement {
    readonly #p: bigint;
    readonly #g: bigint;
    #secret: bigint | undefined;
    #open: bigint | undefined;
    declare readonly verifyError: number;
    constructor(p: bigint, g: bigint, error: number) {
      this.#p = p;
      this.#g = g;
      Object.defineProperty(this, 'verifyError', { value: error, enumerable: true });
    }
    generateKeys(encoding?: unknown): unknown {
      const bits = bitsOf(this.#p);
      this.#secret ??= (bigOfBytes(tools.random(Math.ceil(bits / 8))) % (this.#p - 3n)) + 2n;
      this.#open = power(this.#g, this.#secret, this.#p);
      return this.getPublicKey(encoding);
    }
    computeSecret(other: unknown, inputEncoding?: unknown, outputEncoding?: unknown): unknown {
      const theirs = bigOfBytes(bytesOf(other, 'key', inputEncoding));
      if (theirs < 2n) throw nodeError('ERR_CRYPTO_INVALID_KEYLEN', 'Supplied key is too small', RangeError);
      if (theirs > this.#p - 2n)
        throw plainError('ERR_CRYPTO_INVALID_KEYTYPE', 'Unspecified validation error', RangeError);
      return encoded(power(theirs, this.#needSecret(), this.#p), outputEncoding, lengthOf(this.#p));
    }
    #needSecret(): bigint {
      if (this.#secret === undefined)
        throw plainError('ERR_CRYPTO_INVALID_STATE', 'No private key - did you forget to generate one?');
      return this.#secret;
    }
    getPrime(encoding?: unknown): unknown {
      return encoded(this.#p, encoding);
    }
    getGenerator(encoding?: unknown): unknown {
      return encoded(this.#g, encoding);
    }
    getPublicKey(encoding?: unknown): unknown {
      if (this.#open === undefined)
        throw plainError('ERR_CRYPTO_INVALID_STATE', 'No public key - did you forget to generate one?');
      return encoded(this.#open, encoding);
    }
    getPrivateKey(encoding?: unknown): unknown {
      return encoded(this.#needSecret(), encoding);
    }
    protected keep(key: 'public' | 'private', value: bigint): void {
      if (key === 'public') this.#open = value;
      else this.#secret = value;
    }
  }

  class DiffieHellman extends Agreement {
    constructor(sizeOrKey: unknown, keyEncoding?: unknown, generator?: unknown, encoding?: unknown) {
      const isSize = typeof sizeOrKey === 'number';
      if (isSize) errors.needInteger(sizeOrKey, 'sizeOrKey', -(2 ** 31), 2 ** 31 - 1);
      else if (typeof sizeOrKey !== 'string' && !tools.bytes.bytesIn(sizeOrKey))
        throw argTypeError('sizeOrKey', SOURCES, sizeOrKey);
      const isEncoding = keyEncoding === 'buffer' || Buffer.isEncoding(String(keyEncoding));
      const given = (keyEncoding && !isEncoding ? keyEncoding : generator) || 2;
      const how = keyEncoding && !isEncoding ? generator : encoding;
      if (typeof given === 'number') errors.needInteger(given, 'generator', -(2 ** 31), 2 ** 31 - 1);
      const g =
        typeof given === 'number' ? BigInt(given) : bigOfBytes(bytesOf(given, 'generator', how, SOURCES));
      if (isSize && sizeOrKey < SMALLEST_BITS)
        throw opensslError(
          '0280007E',
          'Diffie-Hellman routines',
          'modulus too small',
          'ERR_OSSL_DH_MODULUS_TOO_SMALL',
        );
      if (g < 2n)
        throw opensslError(
          '02800065',
          'Diffie-Hellman routines',
          'bad generator',
          'ERR_OSSL_DH_BAD_GENERATOR',
        );
      if (isSize) super(primeOfLength(sizeOrKey), g, 0);
      else {
        const p = bigOfBytes(tools.bytesOf(sizeOrKey, 'sizeOrKey', isEncoding ? keyEncoding : undefined));
        // As DH_check tells it.
        const faults = [
          !isPrime(p),
          !isSafe(p) && isPrime(p),
          false,
          false,
          false,
          false,
          false,
          bitsOf(p) < 512,
        ];
        super(
          p,
          g,
          faults.reduce((sum, is, at) => sum + (is ? 2 ** at : 0), 0),
        );
      }
    }
    setPublicKey(key: unknown, encoding?: unknown): void {
      this.keep('public', bigOfBytes(bytesOf(key, 'key', encoding)));
    }
    setPrivateKey(key: unknown, encoding?: unknown): void {
      this.keep('private', bigOfBytes(bytesOf(key, 'key', encoding)));
    }
  }

  class DiffieHellmanGroup extends Agreement {
    constructor(name: unknown) {
      errors.needString(name, 'name');
      const group = groups[name.toLowerCase()];
      if (!group) throw plainError('ERR_CRYPTO_UNKNOWN_DH_GROUP', 'Unknown DH group');
      super(group.p, group.g, 0);
    }
  }

  const ofGroup = (name: unknown) => new DiffieHellmanGroup(name);
  return {
    DiffieHellman,
    DiffieHellmanGroup,
    createDiffieHellman: (...args: ConstructorParameters<typeof DiffieHellman>) => new DiffieHellman(...args),
    createDiffieHellmanGroup: ofGroup,
    getDiffieHellman: ofGroup,
  };
}
