import type { AsymmetricMaterial, CryptoKey, CurveMaterial, KeyType, RsaMaterial } from '../key-object.ts';
import { crypt } from './ciphers.ts';
import { openOf, type makeCodec } from './codec.ts';
import { agreed, curveKey, curveNamed, curveOf, ed25519 } from './curves.ts';
import { bigOfBytes, bytesOfBig, readDer } from './der.ts';
import { ctrMode, gcmMode, joined } from './modes.ts';
import { PADDING, rsaCrypt, rsaKey, rsaSigner } from './rsa.ts';
import type { KeyTools } from './tools.ts';

interface Algorithm {
  readonly name: string;
  readonly [part: string]: unknown;
}

/** What each kind of key may be used for; of pairs, by the private key and by the public one. */
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
  PBKDF2: { secret: ['deriveKey', 'deriveBits'] },
  HKDF: { secret: ['deriveKey', 'deriveBits'] },
  ECDSA: { private: ['sign'], public: ['verify'] },
  Ed25519: { private: ['sign'], public: ['verify'] },
  'RSASSA-PKCS1-v1_5': { private: ['sign'], public: ['verify'] },
  'RSA-PSS': { private: ['sign'], public: ['verify'] },
  'RSA-OAEP': { private: ['decrypt', 'unwrapKey'], public: ['encrypt', 'wrapKey'] },
  ECDH: { private: ['deriveKey', 'deriveBits'], public: [] },
  X25519: { private: ['deriveKey', 'deriveBits'], public: [] },
};

const NAMES = new Map(Object.keys(USES).map((name) => [name.toLowerCase(), name]));
const isAes = (name: string) => name.startsWith('AES-');
const isRsaName = (name: string) => name.startsWith('RSA');
const isRsa = (material: AsymmetricMaterial): material is RsaMaterial => 'n' in material;

/** `crypto.subtle`. Parts of keys and data are copied before anything waits, as its specification has it. */
export function makeSubtle(tools: KeyTools, codec: ReturnType<typeof makeCodec>) {
  const { Buffer, errors, hashes, keys } = tools;
  const fault = (name: string, message: string) => new DOMException(message, name);
  const unsupported = () => fault('NotSupportedError', 'Unrecognized algorithm name');
  const failed = () => fault('OperationError', 'The operation failed for an operation-specific reason');

  function read(given: unknown, method: string, at: string): Algorithm {
    const parts = typeof given === 'string' ? { name: given } : given;
    if (typeof parts !== 'object' || parts === null || !('name' in parts))
      throw errors.nodeError(
        'ERR_MISSING_OPTION',
        `Failed to execute '${method}' on 'SubtleCrypto': ${at} can not be converted to dictionary because 'name' is required in 'Algorithm'.`,
        TypeError,
      );
    const name = NAMES.get(String(parts.name).toLowerCase());
    if (!name) throw unsupported();
    return { ...parts, name };
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
    if (key.algorithm.name !== algorithm.name) throw fault('InvalidAccessError', 'Key algorithm mismatch');
    if (!key.usages.includes(use)) throw fault('InvalidAccessError', `Unable to use this key to ${use}`);
  }

  function usesOf(name: string, type: KeyType, wanted: readonly string[]): string[] {
    const allowed = USES[name]?.[type] ?? [];
    if (wanted.some((use) => !allowed.includes(use)))
      throw fault(
        'SyntaxError',
        `Unsupported key usage for ${isAes(name) || name === 'HMAC' ? 'an ' : 'a '}${name} key`,
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
      extractable: type === 'public' || extractable,
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
    if (USES[name]?.secret) {
      if (!jwk && format !== 'raw')
        throw fault('NotSupportedError', `Unable to import ${name} key with format ${format}`);
      if (jwk && (jwk.kty !== 'oct' || typeof jwk.k !== 'string'))
        throw fault('DataError', 'Invalid keyData');
      const bytes = jwk
        ? Uint8Array.from(Buffer.from(String(jwk.k), 'base64url'))
        : bytesOf(data, 'importKey', '2nd argument');
      return secretKey(bytes, algorithm, extractable, usages);
    }
    let material: AsymmetricMaterial;
    try {
      if (jwk) material = codec.fromJwk(jwk);
      else if (format === 'raw') material = rawPublic(bytesOf(data, 'importKey', '2nd argument'), algorithm);
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

  function rawPublic(point: Uint8Array, { name, namedCurve }: Algorithm): CurveMaterial {
    if (name === 'Ed25519' || name === 'X25519') {
      const kind = name === 'Ed25519' ? 'ed25519' : 'x25519';
      if (point.length !== 32) throw fault('DataError', 'Invalid keyData');
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
      fault('NotSupportedError', `Unable to export a ${format} ${String(algorithm.name)} ${key.type} key`);
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

  /** As JSON web keys name it. */
  function algOf({ algorithm }: CryptoKey): string | undefined {
    const name = String(algorithm.name);
    const hash = String(Reflect.get(Object(algorithm.hash), 'name')).replace('SHA-', '');
    if (name === 'HMAC') return `HS${hash}`;
    if (isAes(name)) return `A${String(algorithm.length)}${name.slice(4)}`;
    if (name === 'RSASSA-PKCS1-v1_5') return `RS${hash}`;
    if (name === 'RSA-PSS') return `PS${hash}`;
    if (name === 'RSA-OAEP') return hash === '1' ? 'RSA-OAEP' : `RSA-OAEP-${hash}`;
    return undefined;
  }

  function generateNow(algorithm: Algorithm, extractable: boolean, usages: readonly string[]): unknown {
    const { name } = algorithm;
    if (isAes(name)) {
      const { length } = algorithm;
      if (length !== 128 && length !== 192 && length !== 256)
        throw fault('OperationError', 'Invalid key length');
      return secretKey(tools.random(length / 8), algorithm, extractable, usages);
    }
    if (name === 'HMAC') {
      const length = Number(algorithm.length ?? hashOf(algorithm.hash).fn.blockLen * 8);
      return secretKey(tools.random(Math.ceil(length / 8)), algorithm, extractable, usages);
    }
    const { private: ofPrivate, public: ofPublic } = USES[name] ?? {};
    if (!ofPrivate || !ofPublic) throw unsupported();
    if (usages.some((use) => !ofPrivate.includes(use) && !ofPublic.includes(use)))
      throw fault('SyntaxError', `Unsupported key usage for a ${name} key`);
    const uses = usages.filter((use) => ofPrivate.includes(use));
    if (uses.length === 0) throw fault('SyntaxError', 'Usages cannot be empty when creating a key.');
    const material = newPair(algorithm);
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
    if (isRsaName(name))
      return rsaKey(Number(modulusLength), bigOfBytes(publicExponent as Uint8Array), 'rsa', tools.random);
    if (name === 'Ed25519' || name === 'X25519') {
      const kind = name === 'Ed25519' ? 'ed25519' : 'x25519';
      return curveKey(kind, kind, tools.random);
    }
    const curve = curveNamed(String(namedCurve));
    if (!curve) throw fault('NotSupportedError', 'Unrecognized namedCurve');
    return curveKey('ec', curve.name, tools.random);
  }

  function aes(key: CryptoKey, algorithm: Algorithm, data: Uint8Array, isEncrypting: boolean): Uint8Array {
    const secret = keys.secretOf(key);
    if (algorithm.name === 'AES-CTR') {
      const counter = bytesOf(algorithm.counter, 'encrypt', 'algorithm.counter');
      if (counter.length !== 16) throw fault('OperationError', 'The counter is not 16 bytes long');
      return ctrMode(secret, counter).update(data);
    }
    const iv = bytesOf(algorithm.iv, 'encrypt', 'algorithm.iv');
    if (algorithm.name === 'AES-CBC') {
      if (iv.length !== 16) throw fault('OperationError', 'algorithm.iv must contain exactly 16 bytes');
      return crypt(`aes-${secret.length * 8}-cbc`, secret, iv, data, isEncrypting);
    }
    const tagLength = Number(algorithm.tagLength ?? 128) / 8;
    const mode = gcmMode(secret, iv, isEncrypting);
    if (algorithm.additionalData !== undefined)
      mode.auth?.aad(bytesOf(algorithm.additionalData, 'encrypt', 'algorithm.additionalData'));
    const text = isEncrypting ? data : data.subarray(0, Math.max(0, data.length - tagLength));
    const out = mode.update(text);
    const tag = (mode.auth?.tag() ?? new Uint8Array(0)).subarray(0, tagLength);
    if (isEncrypting) return joined(out, tag);
    const given = data.subarray(data.length - tagLength);
    if (data.length < tagLength || !given.every((byte, at) => byte === tag[at])) throw failed();
    return out;
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
    if (algorithm.name === 'Ed25519') return ed25519.sign(data, material.secret);
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
      if (algorithm.name === 'Ed25519') return ed25519.verify(signature, data, material.point);
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
    if (name === 'ECDH' || name === 'X25519') {
      const other = algorithm.public;
      if (!(other instanceof keys.CryptoKey))
        throw errors.argTypeError('algorithm.public', 'CryptoKey', other);
      const [own, theirs] = [keys.pairOf(key), keys.pairOf(other)];
      if (isRsa(own) || isRsa(theirs) || own.curve !== theirs.curve)
        throw fault('InvalidAccessError', 'Named curve mismatch');
      const bits = agreed(own, theirs);
      if (length === null) return bits;
      if (length > bits.length * 8) throw fault('OperationError', 'derived bit length is too small');
      return bits.slice(0, Math.ceil(length / 8));
    }
    if (length === null) throw fault('OperationError', 'length cannot be null');
    if (length % 8 !== 0) throw fault('OperationError', 'length must be a multiple of 8');
    const { fn } = hashOf(algorithm.hash);
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
      const chosen = read(algorithm, 'encrypt', '1st argument');
      const bytes = bytesOf(data, 'encrypt', '3rd argument');
      needUse(key, 'encrypt', chosen);
      return buffer(cryptNow(chosen, key, bytes, true));
    },
    async decrypt(algorithm: unknown, key: CryptoKey, data: unknown): Promise<ArrayBuffer> {
      const chosen = read(algorithm, 'decrypt', '1st argument');
      const bytes = bytesOf(data, 'decrypt', '3rd argument');
      needUse(key, 'decrypt', chosen);
      try {
        return buffer(cryptNow(chosen, key, bytes, false));
      } catch (error) {
        throw error instanceof DOMException ? error : failed();
      }
    },
    async sign(algorithm: unknown, key: CryptoKey, data: unknown): Promise<ArrayBuffer> {
      const chosen = read(algorithm, 'sign', '1st argument');
      const bytes = bytesOf(data, 'sign', '3rd argument');
      needUse(key, 'sign', chosen);
      return buffer(signNow(chosen, key, bytes));
    },
    async verify(algorithm: unknown, key: CryptoKey, signature: unknown, data: unknown): Promise<boolean> {
      const chosen = read(algorithm, 'verify', '1st argument');
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
      return importNow(format, data, read(algorithm, 'importKey', '3rd argument'), extractable, usages);
    },
    async exportKey(format: string, key: CryptoKey): Promise<unknown> {
      return exportNow(format, key);
    },
    async generateKey(algorithm: unknown, extractable: boolean, usages: readonly string[]): Promise<unknown> {
      return generateNow(read(algorithm, 'generateKey', '1st argument'), extractable, usages);
    },
    async deriveBits(algorithm: unknown, key: CryptoKey, length: number | null = null): Promise<ArrayBuffer> {
      const chosen = read(algorithm, 'deriveBits', '1st argument');
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
      const chosen = read(algorithm, 'deriveKey', '1st argument');
      const wanted = read(derived, 'deriveKey', '3rd argument');
      needUse(key, 'deriveKey', chosen);
      return importNow('raw', deriveNow(chosen, key, lengthOf(wanted)), wanted, extractable, usages);
    },
    async wrapKey(
      format: string,
      key: CryptoKey,
      wrapping: CryptoKey,
      algorithm: unknown,
    ): Promise<ArrayBuffer> {
      const chosen = read(algorithm, 'wrapKey', '4th argument');
      needUse(wrapping, 'wrapKey', chosen);
      const out = exportNow(format, key);
      const bytes = out instanceof ArrayBuffer ? new Uint8Array(out) : Buffer.from(JSON.stringify(out));
      return buffer(cryptNow(chosen, wrapping, bytes, true));
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
      const chosen = read(algorithm, 'unwrapKey', '4th argument');
      needUse(wrapping, 'unwrapKey', chosen);
      const bytes = cryptNow(chosen, wrapping, bytesOf(data, 'unwrapKey', '2nd argument'), false);
      const content: unknown = format === 'jwk' ? JSON.parse(Buffer.from(bytes).toString()) : bytes;
      return importNow(format, content, read(keyAlgorithm, 'unwrapKey', '5th argument'), extractable, usages);
    },
  };
}
