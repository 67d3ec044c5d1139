import { aeskw } from '@noble/ciphers/aes.js';
import type { AsymmetricMaterial, CryptoKey, CurveMaterial, KeyType, RsaMaterial } from '../key-object.ts';
import { crypt } from './ciphers.ts';
import { openOf, type makeCodec } from './codec.ts';
import { agreed, curveKey, curveNamed, curveOf, edwards, edwardsNamed, signerOf } from './curves.ts';
import { bigOfBytes, bytesOfBig, readDer } from './der.ts';
import { ctrMode, gcmMode, joined } from './modes.ts';
import { PADDING, rsaCrypt, rsaKey, rsaSigner } from './rsa.ts';
import type { KeyTools } from './tools.ts';

interface Algorithm {
  readonly name: string;
  readonly [part: string]: unknown;
}

/** The allowed uses of each kind of key. For pairs, those of the private and of the public key. */
const USES: Readonly<
  Record<
    string,
    {
      readonly secret?: readonly string[];
      readonly private?: readonly string[];
      readonly public?: readonly string[];
    }
  >
> = {
  HMAC: { secret: ['sign', 'verify'] },
  'AES-GCM': { secret: ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'] },
  'AES-CBC': { secret: ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'] },
  'AES-CTR': { secret: ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'] },
  'AES-KW': { secret: ['wrapKey', 'unwrapKey'] },
  PBKDF2: { secret: ['deriveKey', 'deriveBits'] },
  HKDF: { secret: ['deriveKey', 'deriveBits'] },
  ECDSA: { private: ['sign'], public: ['verify'] },
  Ed25519: { private: ['sign'], public: ['verify'] },
  Ed448: { private: ['sign'], public: ['verify'] },
  'RSASSA-PKCS1-v1_5': { private: ['sign'], public: ['verify'] },
  'RSA-PSS': { private: ['sign'], public: ['verify'] },
  'RSA-OAEP': { private: ['decrypt', 'unwrapKey'], public: ['encrypt', 'wrapKey'] },
  ECDH: { private: ['deriveKey', 'deriveBits'], public: [] },
  X25519: { private: ['deriveKey', 'deriveBits'], public: [] },
  X448: { private: ['deriveKey', 'deriveBits'], public: [] },
};

const NAMES = new Map(Object.keys(USES).map((name) => [name.toLowerCase(), name]));
const AES_KEY = ['AesKeyGenParams', 'length'];
const AES_DERIVED = ['AesDerivedKeyParams', 'length'];
const HASHED = ['RsaHashedImportParams', 'hash'];
const HASHED_NEW = ['RsaHashedKeyGenParams', 'hash', 'modulusLength', 'publicExponent'];
const EC_NEW = ['EcKeyGenParams', 'namedCurve'];
const EC_KEY = ['EcKeyImportParams', 'namedCurve'];
const AGREED = ['EcdhKeyDeriveParams', 'public'];
const CRYPT = {
  'AES-CBC': ['AesCbcParams', 'iv'],
  'AES-CTR': ['AesCtrParams', 'counter', 'length'],
  'AES-GCM': ['AesGcmParams', 'iv'],
  'RSA-OAEP': [],
};
const SIGNED = {
  ECDSA: ['EcdsaParams', 'hash'],
  Ed25519: [],
  Ed448: [],
  HMAC: [],
  'RSA-PSS': ['RsaPssParams', 'saltLength'],
  'RSASSA-PKCS1-v1_5': [],
};
/** The parameters that each operation needs, keyed by algorithm, after the name of their dictionary. */
const PARAMS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  crypt: CRYPT,
  wrap: { ...CRYPT, 'AES-KW': [] },
  sign: SIGNED,
  derive: {
    ECDH: AGREED,
    HKDF: ['HkdfParams', 'hash', 'info', 'salt'],
    PBKDF2: ['Pbkdf2Params', 'hash', 'iterations', 'salt'],
    X25519: AGREED,
    X448: AGREED,
  },
  generate: {
    'AES-CBC': AES_KEY,
    'AES-CTR': AES_KEY,
    'AES-GCM': AES_KEY,
    'AES-KW': AES_KEY,
    ECDH: EC_NEW,
    ECDSA: EC_NEW,
    Ed25519: [],
    Ed448: [],
    HMAC: ['HmacKeyGenParams', 'hash'],
    'RSA-OAEP': HASHED_NEW,
    'RSA-PSS': HASHED_NEW,
    'RSASSA-PKCS1-v1_5': HASHED_NEW,
    X25519: [],
    X448: [],
  },
  derived: {
    'AES-CBC': AES_DERIVED,
    'AES-CTR': AES_DERIVED,
    'AES-GCM': AES_DERIVED,
    'AES-KW': AES_DERIVED,
    HKDF: [],
    HMAC: ['HmacImportParams', 'hash'],
    PBKDF2: [],
  },
  import: {
    ...Object.fromEntries(Object.keys(USES).map((name) => [name, []])),
    ECDH: EC_KEY,
    ECDSA: EC_KEY,
    HMAC: ['HmacImportParams', 'hash'],
    'RSA-OAEP': HASHED,
    'RSA-PSS': HASHED,
    'RSASSA-PKCS1-v1_5': HASHED,
  },
};
const FORMATS = ['raw', 'pkcs8', 'spki', 'jwk'];
const USAGES = [
  ...['encrypt', 'decrypt', 'sign', 'verify'],
  ...['deriveKey', 'deriveBits', 'wrapKey', 'unwrapKey'],
];
const isAes = (name: string) => name.startsWith('AES-');
const isRsaName = (name: string) => name.startsWith('RSA');
const isRsa = (material: AsymmetricMaterial): material is RsaMaterial => 'n' in material;

/** `crypto.subtle`. Parts of keys and data are copied before anything waits, as its specification has it. */
export function makeSubtle(tools: KeyTools, codec: ReturnType<typeof makeCodec>) {
  const { Buffer, errors, hashes, keys } = tools;
  const fault = (name: string, message: string) => new DOMException(message, name);
  const unsupported = () => fault('NotSupportedError', 'Unrecognized algorithm name');
  const failed = () => fault('OperationError', 'The operation failed for an operation-specific reason');

  const warned = new Set<string>();
  function read(given: unknown, doing: keyof typeof PARAMS): Algorithm {
    const parts = typeof given === 'string' ? { name: given } : Object(given ?? {});
    const need = (dictionary: string, member: string) => {
      if (Reflect.get(parts as object, member) === undefined)
        throw errors.nodeError(
          'ERR_MISSING_OPTION',
          `Failed to normalize algorithm: passed algorithm can not be converted to '${dictionary}' because '${member}' is required in '${dictionary}'.`,
          TypeError,
        );
    };
    need('Algorithm', 'name');
    const name = NAMES.get(String(Reflect.get(parts as object, 'name')).toLowerCase());
    const needed = name === undefined ? undefined : PARAMS[doing]?.[name];
    if (name === undefined || !needed) throw unsupported();
    if (name.endsWith('448') && !warned.has(name)) {
      warned.add(name);
      globalThis.process.emitWarning(
        `The ${name} Web Crypto API algorithm is an experimental feature and might change at any time`,
        'ExperimentalWarning',
      );
    }
    const [dictionary = '', ...members] = needed;
    for (const member of members) need(dictionary, member);
    return { ...(parts as object), name };
  }

  function needEnum(value: unknown, allowed: readonly string[], type: string, method: string, at: string) {
    if (!allowed.includes(String(value)))
      throw errors.nodeError(
        'ERR_INVALID_ARG_VALUE',
        `Failed to execute '${method}' on 'SubtleCrypto': ${at} value '${String(value)}' is not a valid enum value of type ${type}.`,
        TypeError,
      );
  }
  const needFormat = (format: unknown, method: string) =>
    needEnum(format, FORMATS, 'KeyFormat', method, '1st argument');
  const needUsages = (usages: readonly string[], method: string, at: string) => {
    for (const [index, use] of usages.entries())
      needEnum(use, USAGES, 'KeyUsage', method, `${at}, index ${index}`);
  };
  function needKey(key: unknown, method: string, at = '2nd'): void {
    if (!(key instanceof keys.CryptoKey))
      throw errors.nodeError(
        'ERR_INVALID_ARG_TYPE',
        `Failed to execute '${method}' on 'SubtleCrypto': ${at} argument is not of type CryptoKey.`,
        TypeError,
      );
  }

  function bytesOf(data: unknown, method: string, at: string): Uint8Array {
    const bytes = tools.bytes.bytesIn(data);
    if (!bytes)
      throw errors.nodeError(
        'ERR_INVALID_ARG_TYPE',
        `Failed to execute '${method}' on 'SubtleCrypto': ${at} is not instance of ArrayBuffer, Buffer, TypedArray, or DataView.`,
        TypeError,
      );
    return Uint8Array.from(bytes);
  }

  const buffer = (bytes: Uint8Array): ArrayBuffer => Uint8Array.from(bytes).buffer;

  function hashOf(given: unknown) {
    const name = String(typeof given === 'object' && given !== null ? Reflect.get(given, 'name') : given);
    const found = /^sha-(1|256|384|512)$/i.exec(name);
    const plain = `sha${found?.[1] ?? ''}`;
    const fn = found && hashes.hashNamed(plain);
    if (!fn) throw unsupported();
    return { name: name.toUpperCase(), plain, fn };
  }

  function needUse(key: CryptoKey, use: string, algorithm: Algorithm): void {
    const isOther = key.algorithm.name !== algorithm.name;
    if (key.usages.includes(use) && !isOther) return;
    const invalid = (message: string) => fault('InvalidAccessError', message);
    if (use === 'sign' || use === 'verify') throw invalid(`Unable to use this key to ${use}`);
    if (!use.startsWith('derive')) throw invalid('The requested operation is not valid for the provided key');
    throw invalid(key.usages.includes(use) ? 'Key algorithm mismatch' : `baseKey does not have ${use} usage`);
  }

  function usesOf(name: string, type: KeyType, wanted: readonly string[]): string[] {
    const allowed = USES[name]?.[type] ?? [];
    if (wanted.some((use) => !allowed.includes(use)))
      throw fault(
        'SyntaxError',
        `Unsupported key usage for ${isAes(name) ? 'an AES' : name === 'HMAC' ? 'an HMAC' : `a ${name}`} key`,
      );
    return allowed.filter((use) => wanted.includes(use));
  }

  function secretKey(
    bytes: Uint8Array,
    algorithm: Algorithm,
    extractable: boolean,
    usages: readonly string[],
  ): CryptoKey {
    const uses = usesOf(algorithm.name, 'secret', usages);
    if (uses.length === 0) throw fault('SyntaxError', 'Usages cannot be empty when importing a secret key.');
    const { name } = algorithm;
    if ((name === 'PBKDF2' || name === 'HKDF') && extractable)
      throw fault('SyntaxError', `${name} keys are not extractable`);
    if (name === 'HMAC' && Number(algorithm.length ?? bytes.length * 8) !== bytes.length * 8)
      throw fault('NotSupportedError', 'Unsupported algorithm.length');
    if (isAes(name) && ![16, 24, 32].includes(bytes.length)) throw fault('DataError', 'Invalid key length');
    if (name === 'HMAC' && bytes.length === 0) throw fault('DataError', 'Zero-length key is not supported');
    const shown =
      name === 'HMAC'
        ? { name, hash: { name: hashOf(algorithm.hash).name }, length: bytes.length * 8 }
        : isAes(name)
          ? { name, length: bytes.length * 8 }
          : { name };
    return keys.cryptoKeyOf(
      { kind: 'secret', bytes },
      { type: 'secret', algorithm: shown, extractable, usages: uses },
    );
  }

  function pairKey(
    material: AsymmetricMaterial,
    type: 'public' | 'private',
    algorithm: Algorithm,
    extractable: boolean,
    usages: readonly string[],
  ): CryptoKey {
    const uses = usesOf(algorithm.name, type, usages);
    if (type === 'private' && uses.length === 0)
      throw fault('SyntaxError', 'Usages cannot be empty when importing a private key.');
    const { name } = algorithm;
    const shown = isRsa(material)
      ? {
          name,
          modulusLength: material.n.toString(2).length,
          publicExponent: bytesOfBig(material.e),
          hash: { name: hashOf(algorithm.hash).name },
        }
      : material.kind === 'ec'
        ? { name, namedCurve: curveOf(material).jwk }
        : { name };
    const held = type === 'public' ? openOf(material) : material;
    return keys.cryptoKeyOf(held, {
      type,
      algorithm: shown,
      extractable,
      usages: uses,
    });
  }

  function expectPair(material: AsymmetricMaterial, { name, namedCurve }: Algorithm): void {
    const wanted = isRsaName(name) ? 'rsa' : name === 'ECDSA' || name === 'ECDH' ? 'ec' : name.toLowerCase();
    if (material.kind !== wanted) throw fault('DataError', 'Invalid key type');
    if (!isRsa(material) && material.kind === 'ec' && curveOf(material).jwk !== namedCurve)
      throw fault('DataError', 'Named curve mismatch');
  }

  function importNow(
    format: string,
    data: unknown,
    algorithm: Algorithm,
    extractable: boolean,
    usages: readonly string[],
  ): CryptoKey {
    const { name } = algorithm;
    const jwk = format === 'jwk' ? (data as Readonly<Record<string, unknown>>) : undefined;
    if (format === 'jwk' && (typeof data !== 'object' || data === null || !('kty' in data)))
      throw fault('DataError', 'Invalid keyData');
    if (USES[name]?.secret) {
      if (!jwk && format !== 'raw')
        throw fault('NotSupportedError', `Unable to import ${name} key with format ${format}`);
      if (jwk) needJwk(jwk, 'oct', algorithm, extractable, usages);
      const bytes = jwk
        ? Uint8Array.from(Buffer.from(String(jwk.k), 'base64url'))
        : bytesOf(data, 'importKey', '2nd argument');
      return secretKey(bytes, algorithm, extractable, usages);
    }
    let material: AsymmetricMaterial;
    try {
      if (jwk) {
        const kty = isRsaName(name) ? 'RSA' : name === 'ECDSA' || name === 'ECDH' ? 'EC' : 'OKP';
        needJwk(jwk, kty, algorithm, extractable, usages);
        material = codec.fromJwk(jwk);
      } else if (format === 'raw')
        material = rawPublic(bytesOf(data, 'importKey', '2nd argument'), algorithm);
      else {
        const der = readDer(bytesOf(data, 'importKey', '2nd argument'));
        material = format === 'spki' ? codec.readSpki(der) : codec.readPkcs8(der);
      }
    } catch (error) {
      throw error instanceof DOMException ? error : fault('DataError', 'Invalid keyData');
    }
    expectPair(material, algorithm);
    return pairKey(material, material.secret ? 'private' : 'public', algorithm, extractable, usages);
  }

  /** Checks that the properties of a JSON web key agree with the import. */
  function needJwk(
    jwk: Readonly<Record<string, unknown>>,
    kty: string,
    algorithm: Algorithm,
    extractable: boolean,
    usages: readonly string[],
  ): void {
    const data = (message: string) => fault('DataError', message);
    if (jwk.kty !== kty) throw data('Invalid JWK "kty" Parameter');
    if (kty === 'oct' && typeof jwk.k !== 'string') throw data('Invalid keyData');
    const isFor = /^(?:sign|verify)$/.test(
      USES[algorithm.name]?.[kty === 'oct' ? 'secret' : 'private']?.[0] ?? '',
    )
      ? 'sig'
      : 'enc';
    if (usages.length > 0 && jwk.use !== undefined && jwk.use !== isFor)
      throw data('Invalid JWK "use" Parameter');
    const ops: unknown = jwk.key_ops;
    if (ops !== undefined && (!Array.isArray(ops) || usages.some((use) => !ops.includes(use))))
      throw data('Key operations and usage mismatch');
    if (jwk.ext === false && extractable) throw data('JWK "ext" Parameter and extractable mismatch');
    const bits = typeof jwk.k === 'string' ? Buffer.from(jwk.k, 'base64url').length * 8 : 0;
    const alg = algNamed(isAes(algorithm.name) ? { ...algorithm, length: bits } : algorithm);
    if (jwk.alg !== undefined && alg !== undefined && jwk.alg !== alg)
      throw data('JWK "alg" does not match the requested algorithm');
  }

  function rawPublic(point: Uint8Array, { name, namedCurve }: Algorithm): CurveMaterial {
    const kind = edwardsNamed(name);
    if (kind) {
      if (point.length !== edwards[kind].bytes) throw fault('DataError', 'Invalid keyData');
      return { kind, curve: kind, point };
    }
    const curve = curveNamed(String(namedCurve));
    if (!curve) throw fault('NotSupportedError', 'Unrecognized namedCurve');
    return { kind: 'ec', curve: curve.name, point: curve.ecdsa.Point.fromBytes(point).toBytes(false) };
  }

  function exportNow(format: string, key: CryptoKey): unknown {
    if (!key.extractable) throw fault('InvalidAccessException', 'key is not extractable');
    const material = keys.materialOf(key);
    const { usages, extractable, algorithm } = key;
    const wrong = () =>
      fault(
        'NotSupportedError',
        `Unable to export ${String(algorithm.name)} ${key.type} key using ${format} format`,
      );
    if (material.kind === 'secret') {
      if (format === 'raw') return buffer(material.bytes);
      if (format !== 'jwk') throw wrong();
      return {
        key_ops: [...usages],
        ext: extractable,
        alg: algOf(key),
        kty: 'oct',
        k: Buffer.from(material.bytes).toString('base64url'),
      };
    }
    if (format === 'jwk') {
      const alg = algOf(key);
      return {
        key_ops: [...usages],
        ext: extractable,
        ...(alg && { alg }),
        ...codec.toJwk(material, key.type),
      };
    }
    if (format === 'spki' && key.type === 'public') return buffer(codec.spki(material));
    if (format === 'pkcs8' && key.type === 'private') return buffer(codec.pkcs8(material));
    if (format === 'raw' && key.type === 'public' && !isRsa(material)) return buffer(material.point);
    throw wrong();
  }

  /** The algorithm's name in JSON web keys. */
  function algNamed(algorithm: Readonly<Record<string, unknown>>): string | undefined {
    const name = String(algorithm.name);
    const hash = algorithm.hash === undefined ? '' : hashOf(algorithm.hash).name.replace('SHA-', '');
    if (name === 'HMAC') return `HS${hash}`;
    if (isAes(name)) return `A${String(algorithm.length)}${name.slice(4)}`;
    if (name === 'RSASSA-PKCS1-v1_5') return `RS${hash}`;
    if (name === 'RSA-PSS') return `PS${hash}`;
    if (name === 'RSA-OAEP') return hash === '1' ? 'RSA-OAEP' : `RSA-OAEP-${hash}`;
    return undefined;
  }
  const algOf = (key: CryptoKey) => algNamed(key.algorithm);

  function generateNow(algorithm: Algorithm, extractable: boolean, usages: readonly string[]): unknown {
    const { name } = algorithm;
    if (USES[name]?.secret && usesOf(name, 'secret', usages).length === 0)
      throw fault('SyntaxError', 'Usages cannot be empty when creating a key.');
    if (isAes(name)) {
      const { length } = algorithm;
      if (length !== 128 && length !== 192 && length !== 256)
        throw fault('OperationError', 'AES key length must be 128, 192, or 256 bits');
      return secretKey(tools.random(length / 8), algorithm, extractable, usages);
    }
    if (name === 'HMAC') {
      const length = Number(algorithm.length ?? hashOf(algorithm.hash).fn.blockLen * 8);
      if (length === 0) throw fault('DataError', 'Zero-length key is not supported');
      const uses = usesOf(name, 'secret', usages);
      const shown = { name, length, hash: { name: hashOf(algorithm.hash).name } };
      const bytes = tools.random(Math.ceil(length / 8));
      return keys.cryptoKeyOf(
        { kind: 'secret', bytes },
        { type: 'secret', algorithm: shown, extractable, usages: uses },
      );
    }
    const { private: ofPrivate, public: ofPublic } = USES[name] ?? {};
    if (!ofPrivate || !ofPublic) throw unsupported();
    if (usages.some((use) => !ofPrivate.includes(use) && !ofPublic.includes(use)))
      throw fault('SyntaxError', `Unsupported key usage for ${/^[AE]/.test(name) ? 'an' : 'a'} ${name} key`);
    const uses = usages.filter((use) => ofPrivate.includes(use));
    if (uses.length === 0) throw fault('SyntaxError', 'Usages cannot be empty when creating a key.');
    const material = guarded(() => newPair(algorithm));
    return {
      publicKey: pairKey(
        material,
        'public',
        algorithm,
        true,
        usages.filter((use) => ofPublic.includes(use)),
      ),
      privateKey: pairKey(material, 'private', algorithm, extractable, uses),
    };
  }

  function newPair({ name, namedCurve, modulusLength, publicExponent }: Algorithm): AsymmetricMaterial {
    if (isRsaName(name)) {
      const e = bigOfBytes(publicExponent as Uint8Array);
      // No key has another: the search for its primes would not end.
      if (e < 3n || e % 2n === 0n) throw failed();
      return rsaKey(Number(modulusLength), e, 'rsa', tools.random);
    }
    const kind = edwardsNamed(name);
    if (kind) {
      return curveKey(kind, kind, tools.random);
    }
    const curve = curveNamed(String(namedCurve));
    if (!curve) throw fault('NotSupportedError', 'Unrecognized namedCurve');
    return curveKey('ec', curve.name, tools.random);
  }

  function aes(key: CryptoKey, algorithm: Algorithm, data: Uint8Array, isEncrypting: boolean): Uint8Array {
    const secret = keys.secretOf(key);
    if (algorithm.name === 'AES-KW') {
      const wrapping = aeskw(secret);
      return isEncrypting ? wrapping.encrypt(data) : wrapping.decrypt(data);
    }
    if (algorithm.name === 'AES-CTR') {
      const { length } = algorithm;
      if (typeof length !== 'number' || length < 1 || length > 128)
        throw fault('OperationError', 'AES-CTR algorithm.length must be between 1 and 128');
      const counter = bytesOf(algorithm.counter, 'encrypt', 'algorithm.counter');
      if (counter.length !== 16) throw fault('OperationError', 'The counter is not 16 bytes long');
      return ctrMode(secret, counter).update(data);
    }
    const iv = bytesOf(algorithm.iv, 'encrypt', 'algorithm.iv');
    if (algorithm.name === 'AES-CBC') {
      if (iv.length !== 16) throw fault('OperationError', 'algorithm.iv must contain exactly 16 bytes');
      return crypt(`aes-${secret.length * 8}-cbc`, secret, iv, data, isEncrypting);
    }
    const tagBits = Number(algorithm.tagLength ?? 128);
    if (![32, 64, 96, 104, 112, 120, 128].includes(tagBits))
      throw fault('OperationError', `${tagBits} is not a valid AES-GCM tag length`);
    const tagLength = tagBits / 8;
    if (!isEncrypting && data.length < tagLength)
      throw fault('OperationError', 'The provided data is too small.');
    const mode = gcmMode(secret, iv, isEncrypting);
    if (algorithm.additionalData !== undefined)
      mode.auth?.aad(bytesOf(algorithm.additionalData, 'encrypt', 'algorithm.additionalData'));
    const text = isEncrypting ? data : data.subarray(0, Math.max(0, data.length - tagLength));
    const out = mode.update(text);
    const tag = (mode.auth?.tag() ?? new Uint8Array(0)).subarray(0, tagLength);
    if (isEncrypting) return joined(out, tag);
    const given = data.subarray(data.length - tagLength);
    if (!given.every((byte, at) => byte === tag[at])) throw failed();
    return out;
  }

  const isTold = (error: unknown) =>
    error instanceof Error && /^ERR_(?:INVALID|MISSING)/.test(String(Reflect.get(error, 'code')));

  /** Turns errors inside into those of the specification. */
  function guarded<Made>(make: () => Made): Made {
    try {
      return make();
    } catch (error) {
      throw error instanceof DOMException || isTold(error) ? error : failed();
    }
  }

  function cryptNow(
    algorithm: Algorithm,
    key: CryptoKey,
    data: Uint8Array,
    isEncrypting: boolean,
  ): Uint8Array {
    const { name } = algorithm;
    if (isAes(name)) return aes(key, algorithm, data, isEncrypting);
    const material = keys.pairOf(key);
    if (name !== 'RSA-OAEP' || !isRsa(material)) throw unsupported();
    const label =
      algorithm.label === undefined ? {} : { label: bytesOf(algorithm.label, 'encrypt', 'algorithm.label') };
    return rsaCrypt(
      material,
      data,
      { padding: PADDING.oaep, hash: hashOf(key.algorithm.hash).fn, ...label },
      isEncrypting,
    );
  }

  function rsaFor(algorithm: Algorithm, key: CryptoKey, material: RsaMaterial) {
    const { plain, fn } = hashOf(key.algorithm.hash);
    const isPss = algorithm.name === 'RSA-PSS';
    const signer = rsaSigner(
      plain,
      fn,
      isPss ? PADDING.pss : PADDING.pkcs1,
      Number(algorithm.saltLength ?? 0),
      material,
    );
    if (!signer) throw unsupported();
    return signer;
  }

  function signNow(algorithm: Algorithm, key: CryptoKey, data: Uint8Array): Uint8Array {
    if (algorithm.name === 'HMAC')
      return tools.hmac(hashOf(key.algorithm.hash).fn as never, keys.secretOf(key), data);
    const material = keys.pairOf(key);
    if (isRsa(material)) {
      if (!material.secret) throw failed();
      return rsaFor(algorithm, key, material).sign({ n: material.n, d: material.secret.d }, data);
    }
    if (!material.secret) throw failed();
    const signer = signerOf(material.kind);
    if (signer) return signer.sign(data, material.secret);
    const { fn } = hashOf(algorithm.hash);
    return curveOf(material).ecdsa.sign(fn(data), material.secret, {
      prehash: false,
      lowS: false,
      extraEntropy: true,
      format: 'compact',
    });
  }

  function verifyNow(algorithm: Algorithm, key: CryptoKey, signature: Uint8Array, data: Uint8Array): boolean {
    if (algorithm.name === 'HMAC') {
      const right = signNow(algorithm, key, data);
      return right.length === signature.length && right.every((byte, at) => byte === signature[at]);
    }
    const material = keys.pairOf(key);
    try {
      if (isRsa(material)) return rsaFor(algorithm, key, material).verify(material, data, signature);
      const signer = signerOf(material.kind);
      if (signer) return signer.verify(signature, data, material.point);
      const { fn } = hashOf(algorithm.hash);
      return curveOf(material).ecdsa.verify(signature, fn(data), material.point, {
        prehash: false,
        lowS: false,
        format: 'compact',
      });
    } catch (error) {
      // A signature that cannot even be read; what the program did wrong is told.
      if (error instanceof DOMException) throw error;
      return false;
    }
  }

  function deriveNow(algorithm: Algorithm, key: CryptoKey, length: number | null): Uint8Array {
    const { name } = algorithm;
    if (name === 'ECDH' || edwardsNamed(name)) {
      const other = algorithm.public;
      if (!(other instanceof keys.CryptoKey))
        throw errors.argTypeError('algorithm.public', 'CryptoKey', other);
      if (other.type !== 'public') throw fault('InvalidAccessError', 'algorithm.public must be a public key');
      if (key.type !== 'private') throw fault('InvalidAccessError', 'baseKey must be a private key');
      const [own, theirs] = [keys.pairOf(key), keys.pairOf(other)];
      if (isRsa(own) || isRsa(theirs) || own.curve !== theirs.curve)
        throw fault('InvalidAccessError', 'Named curve mismatch');
      const bits = agreed(own, theirs);
      if (length === null) return bits;
      if (length > bits.length * 8) throw fault('OperationError', 'derived bit length is too small');
      const cut = bits.slice(0, Math.ceil(length / 8));
      // Only the first bits of the last byte count.
      if (length % 8 !== 0) cut[cut.length - 1] = (cut.at(-1) ?? 0) & (0xff << (8 - (length % 8)));
      return cut;
    }
    if (length === null) throw fault('OperationError', 'length cannot be null');
    if (length % 8 !== 0) throw fault('OperationError', 'length must be a multiple of 8');
    const { fn } = hashOf(algorithm.hash);
    if (length === 0) return new Uint8Array(0);
    const salt = bytesOf(algorithm.salt, 'deriveBits', 'algorithm.salt');
    if (name === 'HKDF')
      return tools.hkdf(
        fn,
        keys.secretOf(key),
        salt,
        bytesOf(algorithm.info, 'deriveBits', 'algorithm.info'),
        length / 8,
      );
    const c = Number(algorithm.iterations);
    if (c === 0) throw fault('OperationError', 'iterations cannot be zero');
    return tools.pbkdf2(fn as never, keys.secretOf(key), salt, { c, dkLen: length / 8 });
  }

  const lengthOf = (algorithm: Algorithm): number | null => {
    if (isAes(algorithm.name)) return Number(algorithm.length);
    if (algorithm.name === 'HMAC') return Number(algorithm.length ?? hashOf(algorithm.hash).fn.blockLen * 8);
    return null;
  };

  return {
    async encrypt(algorithm: unknown, key: CryptoKey, data: unknown): Promise<ArrayBuffer> {
      const chosen = read(algorithm, 'crypt');
      needKey(key, 'encrypt');
      const bytes = bytesOf(data, 'encrypt', '3rd argument');
      needUse(key, 'encrypt', chosen);
      return guarded(() => buffer(cryptNow(chosen, key, bytes, true)));
    },
    async decrypt(algorithm: unknown, key: CryptoKey, data: unknown): Promise<ArrayBuffer> {
      const chosen = read(algorithm, 'crypt');
      needKey(key, 'decrypt');
      const bytes = bytesOf(data, 'decrypt', '3rd argument');
      needUse(key, 'decrypt', chosen);
      return guarded(() => buffer(cryptNow(chosen, key, bytes, false)));
    },
    async sign(algorithm: unknown, key: CryptoKey, data: unknown): Promise<ArrayBuffer> {
      const chosen = read(algorithm, 'sign');
      needKey(key, 'sign');
      const bytes = bytesOf(data, 'sign', '3rd argument');
      needUse(key, 'sign', chosen);
      return guarded(() => buffer(signNow(chosen, key, bytes)));
    },
    async verify(algorithm: unknown, key: CryptoKey, signature: unknown, data: unknown): Promise<boolean> {
      const chosen = read(algorithm, 'sign');
      needKey(key, 'verify');
      const [given, bytes] = [
        bytesOf(signature, 'verify', '3rd argument'),
        bytesOf(data, 'verify', '4th argument'),
      ];
      needUse(key, 'verify', chosen);
      return verifyNow(chosen, key, given, bytes);
    },
    async importKey(
      format: string,
      data: unknown,
      algorithm: unknown,
      extractable: boolean,
      usages: readonly string[],
    ): Promise<CryptoKey> {
      needFormat(format, 'importKey');
      needUsages(usages, 'importKey', '5th argument');
      return importNow(format, data, read(algorithm, 'import'), extractable, usages);
    },
    async exportKey(format: string, key: CryptoKey): Promise<unknown> {
      needFormat(format, 'exportKey');
      needKey(key, 'exportKey');
      return exportNow(format, key);
    },
    async generateKey(algorithm: unknown, extractable: boolean, usages: readonly string[]): Promise<unknown> {
      needUsages(usages, 'generateKey', '3rd argument');
      return generateNow(read(algorithm, 'generate'), extractable, usages);
    },
    async deriveBits(algorithm: unknown, key: CryptoKey, length: number | null = null): Promise<ArrayBuffer> {
      const chosen = read(algorithm, 'derive');
      needKey(key, 'deriveBits');
      needUse(key, 'deriveBits', chosen);
      return buffer(deriveNow(chosen, key, length));
    },
    async deriveKey(
      algorithm: unknown,
      key: CryptoKey,
      derived: unknown,
      extractable: boolean,
      usages: readonly string[],
    ): Promise<CryptoKey> {
      const chosen = read(algorithm, 'derive');
      needKey(key, 'deriveKey');
      const wanted = read(derived, 'derived');
      needUse(key, 'deriveKey', chosen);
      return importNow('raw', deriveNow(chosen, key, lengthOf(wanted)), wanted, extractable, usages);
    },
    async wrapKey(
      format: string,
      key: CryptoKey,
      wrapping: CryptoKey,
      algorithm: unknown,
    ): Promise<ArrayBuffer> {
      const chosen = read(algorithm, 'wrap');
      needUse(wrapping, 'wrapKey', chosen);
      const out = exportNow(format, key);
      const bytes = out instanceof ArrayBuffer ? new Uint8Array(out) : Buffer.from(JSON.stringify(out));
      return guarded(() => buffer(cryptNow(chosen, wrapping, bytes, true)));
    },
    async unwrapKey(
      format: string,
      data: unknown,
      wrapping: CryptoKey,
      algorithm: unknown,
      keyAlgorithm: unknown,
      extractable: boolean,
      usages: readonly string[],
    ): Promise<CryptoKey> {
      const chosen = read(algorithm, 'wrap');
      needUse(wrapping, 'unwrapKey', chosen);
      const given = bytesOf(data, 'unwrapKey', '2nd argument');
      const bytes = guarded(() => cryptNow(chosen, wrapping, given, false));
      const content: unknown = format === 'jwk' ? JSON.parse(Buffer.from(bytes).toString()) : bytes;
      return importNow(format, content, read(keyAlgorithm, 'import'), extractable, usages);
    },
  };
}
