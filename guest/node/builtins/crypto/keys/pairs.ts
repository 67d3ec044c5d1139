import type { AsymmetricMaterial, CurveMaterial, KeyObject, RsaMaterial } from '../key-object.ts';
import type { makeCodec, KeyInput } from './codec.ts';
import { isRsa, openOf } from './codec.ts';
import { agreed, curveKey, curveNamed, curveOf, edwardsKinds, signerOf } from './curves.ts';
import { isProbablePrime } from 'micro-rsa-dsa-dh/primality.js';
import { bigOfBytes, bytesOfBig } from './der.ts';
import {
  PADDING,
  PRIME_ROUNDS,
  primeOf,
  rsaCrypt,
  rsaKey,
  rsaSigner,
  sealed,
  unsealed,
  verifiesPss,
} from './rsa.ts';
import { opensslError, type KeyTools } from './tools.ts';

type Callback = (error: Error | null, ...values: unknown[]) => void;

interface SignInput extends KeyInput {
  readonly dsaEncoding?: unknown;
  readonly padding?: unknown;
  readonly saltLength?: unknown;
}

/** Keys in pairs, what they sign and what they agree on. */
export function makePairs(tools: KeyTools, codec: ReturnType<typeof makeCodec>) {
  const { Buffer, Writable, hashes, keys } = tools;
  const errors: KeyTools['errors'] = tools.errors;
  const { argTypeError, argValueError, nodeError, plainError } = errors;

  const unsupported = () =>
    opensslError(
      '03000096',
      'digital envelope routines',
      'operation not supported for this keytype',
      'ERR_OSSL_EVP_OPERATION_NOT_SUPPORTED_FOR_THIS_KEYTYPE',
    );

  /** A key as functions take it: an object of ours, or what it can be read from. */
  function pairOf(input: unknown, wanted: 'public' | 'private'): AsymmetricMaterial {
    const given = isObject(input) && keys.isKey(input.key) ? input.key : input;
    if (!keys.isKey(given)) return codec.read(given, wanted);
    if (given.type === 'secret' || (wanted === 'private' && given.type === 'public'))
      throw keys.wrongType(given.type, wanted === 'private' ? 'private' : 'private or public');
    return keys.pairOf(given);
  }

  const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
    typeof value === 'object' && value !== null;

  function createPrivateKey(input: unknown): KeyObject {
    if (input instanceof keys.KeyObject)
      throw argTypeError('key', ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], input);
    return keys.keyOf(codec.read(input, 'private'), 'private');
  }

  function createPublicKey(input: unknown): KeyObject {
    const given = isObject(input) && keys.isKey(input.key) ? input.key : input;
    if (!keys.isKey(given)) return keys.keyOf(openOf(codec.read(given, 'public')), 'public');
    if (given.type !== 'private') throw keys.wrongType(given.type, 'private');
    return keys.keyOf(openOf(keys.pairOf(given)), 'public');
  }

  function rsaOf(
    input: unknown,
    hash: string,
    fn: NonNullable<ReturnType<typeof hashes.hashNamed>>,
    key: RsaMaterial,
  ) {
    const { padding, saltLength } = (isObject(input) ? input : {}) as SignInput;
    const chosen =
      typeof padding === 'number' ? padding : key.kind === 'rsa-pss' ? PADDING.pss : PADDING.pkcs1;
    const signer = rsaSigner(hash, fn, chosen, typeof saltLength === 'number' ? saltLength : -2, key);
    if (!signer) throw plainError('ERR_CRYPTO_INVALID_DIGEST', `Invalid digest: ${hash}`, TypeError);
    return { signer, isAnySalt: chosen === PADDING.pss && typeof saltLength !== 'number' };
  }

  function signWith(
    digest: string | null | undefined,
    data: Uint8Array,
    input: unknown,
    material: AsymmetricMaterial,
  ): Uint8Array {
    if (isRsa(material)) {
      const name = hashes.canonicalHash(digest ?? 'sha256');
      const fn = hashes.hashNamed(name);
      if (!fn || !material.secret)
        throw plainError('ERR_CRYPTO_INVALID_DIGEST', `Invalid digest: ${digest}`, TypeError);
      return rsaOf(input, name, fn, material).signer.sign({ n: material.n, d: material.secret.d }, data);
    }
    const { secret } = material;
    const signer = signerOf(material.kind);
    if (!secret || (material.kind !== 'ec' && !signer)) throw unsupported();
    if (signer) {
      if (digest) throw opensslError('1C80007A', 'Provider routines', 'invalid digest');
      return signer.sign(data, secret);
    }
    const hashed = hashes.hashNamed(digest ?? 'sha256')?.(data);
    if (!hashed) throw plainError('ERR_CRYPTO_INVALID_DIGEST', `Invalid digest: ${digest}`, TypeError);
    return curveOf(material).ecdsa.sign(hashed, secret, {
      prehash: false,
      lowS: false,
      extraEntropy: true,
      format: dsaFormat(input),
    });
  }

  function verifyWith(
    digest: string | null | undefined,
    data: Uint8Array,
    input: unknown,
    material: AsymmetricMaterial,
    signature: Uint8Array,
  ): boolean {
    try {
      if (isRsa(material)) {
        const name = hashes.canonicalHash(digest ?? 'sha256');
        const fn = hashes.hashNamed(name);
        if (!fn) throw plainError('ERR_CRYPTO_INVALID_DIGEST', `Invalid digest: ${digest}`, TypeError);
        const { signer, isAnySalt } = rsaOf(input, name, fn, material);
        return isAnySalt
          ? verifiesPss(fn, material, data, signature)
          : signer.verify(material, data, signature);
      }
      if (material.kind !== 'ec') {
        const signer = signerOf(material.kind);
        if (!signer) throw unsupported();
        return signer.verify(signature, data, material.point);
      }
      const hashed = hashes.hashNamed(digest ?? 'sha256')?.(data);
      if (!hashed) throw plainError('ERR_CRYPTO_INVALID_DIGEST', `Invalid digest: ${digest}`, TypeError);
      return curveOf(material).ecdsa.verify(signature, hashed, material.point, {
        prehash: false,
        lowS: false,
        format: dsaFormat(input),
      });
    } catch (error) {
      // Errors with a code are meant for the program. Any other means that the signature cannot even be parsed.
      if (error instanceof Error && 'code' in error) throw error;
      return false;
    }
  }

  function dsaFormat(input: unknown): 'compact' | 'der' {
    const encoding = isObject(input) ? input.dsaEncoding : undefined;
    if (encoding !== undefined && encoding !== 'der' && encoding !== 'ieee-p1363')
      throw argValueError('options.dsaEncoding', encoding);
    return encoding === 'ieee-p1363' ? 'compact' : 'der';
  }

  const buffer = (bytes: Uint8Array, encoding?: unknown) => {
    const whole = Buffer.from(bytes);
    return encoding === undefined || encoding === null || encoding === 'buffer'
      ? whole
      : whole.toString(encoding as 'hex');
  };

  function needDigest(digest: unknown): string | null | undefined {
    if (digest === null || digest === undefined) return digest;
    errors.needString(digest, 'algorithm');
    if (!hashes.hashNamed(digest))
      throw plainError('ERR_CRYPTO_INVALID_DIGEST', `Invalid digest: ${digest}`, TypeError);
    return digest;
  }

  function sign(digest: unknown, data: unknown, key: unknown, callback?: unknown): unknown {
    const run = () => {
      if (!key) throw nodeError('ERR_CRYPTO_SIGN_KEY_REQUIRED', 'No key provided to sign');
      return buffer(signWith(needDigest(digest), tools.bytesOf(data, 'data'), key, pairOf(key, 'private')));
    };
    return answering(run, callback);
  }

  function verify(
    digest: unknown,
    data: unknown,
    key: unknown,
    signature: unknown,
    callback?: unknown,
  ): unknown {
    const run = () =>
      verifyWith(
        needDigest(digest),
        tools.bytesOf(data, 'data'),
        key,
        pairOf(key, 'public'),
        tools.bytesOf(signature, 'signature'),
      );
    return answering(run, callback);
  }

  function answering(run: () => unknown, callback: unknown): unknown {
    return callback === undefined ? run() : answeringLater(run, callback);
  }

  function answeringLater(run: () => unknown, callback: unknown): unknown {
    errors.needFunction(callback, 'callback');
    const value = run();
    setImmediate(() => (callback as Callback)(null, value));
    return undefined;
  }

  class Gathering extends Writable {
    protected readonly digest: string;
    readonly #parts: Uint8Array[] = [];
    constructor(digest: unknown, options?: object) {
      errors.needString(digest, 'algorithm');
      super(options);
      if (!hashes.hashNamed(digest))
        throw plainError('ERR_CRYPTO_INVALID_DIGEST', 'Invalid digest', TypeError);
      this.digest = digest;
    }
    update(data: unknown, encoding?: unknown): this {
      this.#parts.push(Uint8Array.from(tools.bytesOf(data, 'data', encoding)));
      return this;
    }
    override _write(chunk: unknown, encoding: string, done: (error?: Error) => void): void {
      this.update(chunk, encoding);
      done();
    }
    protected gathered(): Uint8Array {
      return Buffer.concat(this.#parts);
    }
  }

  class Sign extends Gathering {
    sign(key: unknown, encoding?: unknown): unknown {
      if (!key) throw nodeError('ERR_CRYPTO_SIGN_KEY_REQUIRED', 'No key provided to sign');
      return buffer(signWith(this.digest, this.gathered(), key, pairOf(key, 'private')), encoding);
    }
  }

  class Verify extends Gathering {
    verify(key: unknown, signature: unknown, encoding?: unknown): boolean {
      const bytes = tools.bytesOf(signature, 'signature', encoding);
      return verifyWith(this.digest, this.gathered(), key, pairOf(key, 'public'), bytes);
    }
  }

  function makePair(type: unknown, options: unknown): AsymmetricMaterial {
    errors.needString(type, 'type');
    const kind = edwardsKinds.find((each) => each === type);
    if (kind) return curveKey(kind, kind, tools.random);
    if (type !== 'ec' && type !== 'rsa' && type !== 'rsa-pss') {
      if (['dsa', 'dh'].includes(type))
        throw errors.unavailable(
          `a key pair of type '${type}'`,
          'there are those of RSA, of elliptic curves, Ed25519, Ed448, X25519 and X448',
        );
      throw argValueError('type', type, 'must be a supported key type');
    }
    errors.needObject(options, 'options');
    if (type === 'ec') {
      const { namedCurve } = options;
      errors.needString(namedCurve, 'options.namedCurve');
      const curve = curveNamed(namedCurve);
      if (!curve) throw plainError('ERR_CRYPTO_INVALID_CURVE', 'Invalid EC curve name', TypeError);
      return curveKey('ec', curve.name, tools.random);
    }
    const { modulusLength, publicExponent = 65537 } = options;
    errors.needInteger(modulusLength, 'options.modulusLength', 0, 2 ** 32 - 1);
    errors.needInteger(publicExponent, 'options.publicExponent', 0, 2 ** 32 - 1);
    return rsaKey(modulusLength, BigInt(publicExponent), type, tools.random);
  }

  function generateKeyPairSync(type: unknown, options?: unknown) {
    const material = makePair(type, options);
    const { publicKeyEncoding, privateKeyEncoding } = (options ?? {}) as Record<string, object | undefined>;
    return {
      publicKey: publicKeyEncoding
        ? codec.write(openOf(material), 'public', publicKeyEncoding)
        : keys.keyOf(openOf(material), 'public'),
      privateKey: privateKeyEncoding
        ? codec.write(material, 'private', privateKeyEncoding)
        : keys.keyOf(material, 'private'),
    };
  }

  function generateKeyPair(type: unknown, ...rest: unknown[]): void {
    const callback = rest.pop();
    errors.needFunction(callback, 'callback');
    const { publicKey, privateKey } = generateKeyPairSync(type, rest[0]);
    setImmediate(() => (callback as Callback)(null, publicKey, privateKey));
  }

  function generateKeySync(type: unknown, options: unknown): KeyObject {
    errors.needString(type, 'type');
    errors.needObject(options, 'options');
    const { length } = options;
    if (type === 'aes') {
      if (length !== 128 && length !== 192 && length !== 256)
        throw argValueError('options.length', length, 'must be one of: 128, 192, 256');
    } else if (type !== 'hmac') throw argValueError('type', type, 'must be a supported key type');
    else errors.needInteger(length, 'options.length', 8, 2 ** 31 - 1);
    return keys.keyOf({ kind: 'secret', bytes: tools.random(Math.floor(Number(length) / 8)) }, 'secret');
  }

  function diffieHellman(options: unknown, callback?: unknown): unknown {
    errors.needObject(options, 'options');
    const { privateKey, publicKey } = options;
    if (!(privateKey instanceof keys.KeyObject))
      throw argTypeError('options.privateKey', 'KeyObject', privateKey);
    if (!(publicKey instanceof keys.KeyObject))
      throw argTypeError('options.publicKey', 'KeyObject', publicKey);
    const [own, other] = [keys.pairOf(privateKey), keys.pairOf(publicKey)];
    if (isRsa(own) || isRsa(other) || own.curve !== other.curve || signerOf(own.kind))
      throw nodeError(
        'ERR_CRYPTO_INCOMPATIBLE_KEY',
        `Incompatible key types for Diffie-Hellman: ${own.kind} and ${other.kind}`,
      );
    return answering(() => buffer(agreed(own, other)), callback);
  }

  class ECDH {
    #key: CurveMaterial;
    constructor(name: unknown) {
      errors.needString(name, 'curve');
      const curve = curveNamed(name);
      if (!curve) throw plainError('ERR_CRYPTO_INVALID_CURVE', 'Invalid EC curve name', TypeError);
      this.#key = { kind: 'ec', curve: curve.name, point: new Uint8Array(0) };
    }
    generateKeys(encoding?: unknown, format?: unknown): unknown {
      this.#key = curveKey('ec', this.#key.curve, tools.random);
      return this.getPublicKey(encoding, format);
    }
    getPublicKey(encoding?: unknown, format: unknown = 'uncompressed'): unknown {
      const { Point } = curveOf(this.#key).ecdsa;
      if (this.#key.point.length === 0)
        throw plainError('ERR_CRYPTO_OPERATION_FAILED', 'Failed to get ECDH public key');
      return buffer(
        format === 'compressed' ? Point.fromBytes(this.#key.point).toBytes(true) : this.#key.point,
        encoding,
      );
    }
    getPrivateKey(encoding?: unknown): unknown {
      if (!this.#key.secret)
        throw plainError('ERR_CRYPTO_OPERATION_FAILED', 'Failed to get ECDH private key');
      return buffer(this.#key.secret, encoding);
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
      errors.needString(name, 'curve');
      const bytes = tools.bytesOf(key, 'key', inputEncoding);
      const curve = curveNamed(name);
      if (!curve) throw plainError('ERR_CRYPTO_INVALID_CURVE', 'Invalid EC curve name', TypeError);
      try {
        return buffer(curve.ecdsa.Point.fromBytes(bytes).toBytes(format === 'compressed'), outputEncoding);
      } catch {
        throw plainError('ERR_CRYPTO_OPERATION_FAILED', 'Failed to convert Buffer to EC_POINT');
      }
    }
    computeSecret(other: unknown, inputEncoding?: unknown, outputEncoding?: unknown): unknown {
      const point = tools.bytesOf(other, 'otherPublicKey', inputEncoding);
      if (!curveOf(this.#key).ecdsa.utils.isValidPublicKey(point))
        throw nodeError('ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY', 'Public key is not valid for specified curve');
      return buffer(agreed(this.#key, { ...this.#key, point }), outputEncoding);
    }
  }

  function rsaInput(input: unknown, wanted: 'public' | 'private', padding: number) {
    const material = pairOf(input, wanted);
    if (!isRsa(material)) throw unsupported();
    const {
      padding: chosen,
      oaepHash,
      oaepLabel,
    } = (isObject(input) ? input : {}) as Record<string, unknown>;
    const hash = oaepHash === undefined ? undefined : hashes.hashNamed(String(oaepHash));
    if (oaepHash !== undefined && !hash) throw plainError('ERR_OSSL_EVP_INVALID_DIGEST', 'Invalid digest');
    return {
      material,
      how: {
        padding: typeof chosen === 'number' ? chosen : padding,
        ...(hash && { hash }),
        ...(oaepLabel !== undefined && { label: tools.bytesOf(oaepLabel, 'key.oaepLabel') }),
      },
    };
  }

  function publicEncrypt(key: unknown, data: unknown): unknown {
    const { material, how } = rsaInput(key, 'public', PADDING.oaep);
    const bytes = tools.bytesOf(data, 'buffer');
    try {
      return buffer(rsaCrypt(material, bytes, how, true));
    } catch {
      throw opensslError(
        '0200006E',
        'rsa routines',
        'data too large for key size',
        'ERR_OSSL_RSA_DATA_TOO_LARGE_FOR_KEY_SIZE',
      );
    }
  }

  function privateDecrypt(key: unknown, data: unknown): unknown {
    const { material, how } = rsaInput(key, 'private', PADDING.oaep);
    const bytes = tools.bytesOf(data, 'buffer');
    try {
      return buffer(rsaCrypt(material, bytes, how, false));
    } catch {
      throw opensslError(
        '02000079',
        'rsa routines',
        'oaep decoding error',
        'ERR_OSSL_RSA_OAEP_DECODING_ERROR',
      );
    }
  }

  const privateEncrypt = (key: unknown, data: unknown) =>
    buffer(sealed(rsaInput(key, 'private', PADDING.pkcs1).material, tools.bytesOf(data, 'buffer')));
  const publicDecrypt = (key: unknown, data: unknown) =>
    buffer(unsealed(rsaInput(key, 'public', PADDING.pkcs1).material, tools.bytesOf(data, 'buffer')));

  const NUMBERS = ['ArrayBuffer', 'TypedArray', 'Buffer', 'DataView'];
  function bigIn(value: unknown, name: string, types: readonly string[]): bigint {
    const bytes = tools.bytes.bytesIn(value);
    if (typeof value !== 'bigint' && !bytes) throw argTypeError(name, types, value);
    if (typeof value === 'bigint' && value < 0n) throw errors.outOfRange(name, '>= 0', value);
    return typeof value === 'bigint' ? value : bigOfBytes(bytes ?? new Uint8Array(0));
  }

  function checkPrimeSync(candidate: unknown, options: unknown = {}): boolean {
    const value = bigIn(candidate, 'candidate', [...NUMBERS, 'bigint']);
    errors.needObject(options, 'options');
    errors.needInteger(options.checks ?? 0, 'options.checks', 0, 2 ** 31 - 1);
    return value > 1n && (value < 4n || (value % 2n === 1n && isProbablePrime(value, PRIME_ROUNDS)));
  }

  function generatePrimeSync(size: unknown, options: unknown = {}): unknown {
    errors.needInteger(size, 'size', 1, 2 ** 31 - 1);
    errors.needObject(options, 'options');
    const { safe = false, bigint = false } = options;
    for (const [name, value] of Object.entries({ safe, bigint }))
      if (typeof value !== 'boolean') throw argTypeError(`options.${name}`, 'boolean', value);
    const part = (name: string) =>
      options[name] === undefined
        ? undefined
        : bigIn(options[name], `options.${name}`, ['bigint', ...NUMBERS]);
    const [add, rem] = [part('add'), part('rem')];
    const tooLarge = (name: string) => nodeError('ERR_OUT_OF_RANGE', `invalid options.${name}`, RangeError);
    if (add !== undefined && add >> BigInt(size) > 0n) throw tooLarge('add');
    if (add !== undefined && rem !== undefined && rem >= add) throw tooLarge('rem');
    const wanted = rem ?? (safe ? 3n : 1n);
    for (;;) {
      const found = size < 3 ? (safe || tools.random(1)[0] === 0 ? 3n : 2n + BigInt(size - 1)) : undefined;
      const value = found ?? primeOf(size, tools.random, false, add ? { add, rem: wanted } : undefined);
      if (found === undefined && safe && !checkPrimeSync((value - 1n) / 2n)) continue;
      return bigint ? value : Uint8Array.from(bytesOfBig(value, Math.ceil(size / 8))).buffer;
    }
  }

  return {
    ECDH,
    checkPrime: (candidate: unknown, ...rest: unknown[]) =>
      answeringLater(() => checkPrimeSync(candidate, rest.length > 1 ? rest[0] : undefined), rest.at(-1)),
    checkPrimeSync,
    generatePrime: (size: unknown, ...rest: unknown[]) =>
      answeringLater(() => generatePrimeSync(size, rest.length > 1 ? rest[0] : undefined), rest.at(-1)),
    generatePrimeSync,
    Sign,
    Verify,
    createECDH: (name: unknown) => new ECDH(name),
    createPrivateKey,
    createPublicKey,
    createSign: (digest: unknown, options?: object) => new Sign(digest, options),
    createVerify: (digest: unknown, options?: object) => new Verify(digest, options),
    diffieHellman,
    generateKey: (type: unknown, options: unknown, callback: unknown) =>
      answeringLater(() => generateKeySync(type, options), callback),
    generateKeyPair,
    generateKeyPairSync,
    generateKeySync,
    getCurves: () => ['prime256v1', 'secp256k1', 'secp384r1', 'secp521r1'],
    privateDecrypt,
    privateEncrypt,
    publicDecrypt,
    publicEncrypt,
    sign,
    verify,
  };
}
