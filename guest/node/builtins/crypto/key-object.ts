import type { Buffer as NodeBuffer } from 'node:buffer';
import type { LoadBuiltin } from '../builtin.ts';
import { bytesIn } from '../internal/bytes.ts';
import { argTypeError, argValueError, needObject, nodeError } from '../internal/errors.ts';

export interface RsaMaterial {
  readonly kind: 'rsa' | 'rsa-pss';
  readonly n: bigint;
  readonly e: bigint;
  readonly secret?: { readonly d: bigint; readonly p: bigint; readonly q: bigint };
}

export interface CurveMaterial {
  readonly kind: 'ec' | 'ed25519' | 'ed448' | 'x25519' | 'x448';
  /** The curve of an `ec` key, with OpenSSL's name. */
  readonly curve: string;
  /** Uncompressed, where a point has two coordinates. */
  readonly point: Uint8Array;
  readonly secret?: Uint8Array;
}

export type AsymmetricMaterial = RsaMaterial | CurveMaterial;
export type Material = { readonly kind: 'secret'; readonly bytes: Uint8Array } | AsymmetricMaterial;
export type KeyType = 'secret' | 'public' | 'private';

const materials = new WeakMap<object, Material>();
const kKeyType = Symbol('kKeyType');
const kAlgorithm = Symbol('kAlgorithm');
const kUsages = Symbol('kKeyUsages');
const kExtractable = Symbol('kExtractable');

/** Set only while this module makes a key, because programs may not create keys with `new`. */
let making: Material | undefined;

function made<Key extends object>(material: Material, make: () => Key): Key {
  making = material;
  try {
    return make();
  } finally {
    making = undefined;
  }
}

export class KeyObject {
  declare readonly [kKeyType]: KeyType;
  constructor(type: KeyType, handle?: unknown) {
    if (!['secret', 'public', 'private'].includes(type)) throw argValueError('type', type);
    if (!making) throw argTypeError('handle', 'object', handle);
    materials.set(this, making);
    Object.defineProperty(this, kKeyType, {
      value: type,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  get type(): KeyType {
    return this[kKeyType];
  }
  equals(other: unknown): boolean {
    if (!(other instanceof KeyObject)) throw argTypeError('otherKeyObject', 'KeyObject', other);
    return this.type === other.type && sameMaterial(materialOf(this), materialOf(other));
  }
  /** The same key as web crypto has it. */
  static from(key: unknown): KeyObject {
    if (!(key instanceof CryptoKey)) throw argTypeError('key', 'CryptoKey', key);
    return keyOf(materialOf(key), key.type);
  }
}

export class CryptoKey {
  declare readonly type: KeyType;
  declare readonly extractable: boolean;
  declare readonly algorithm: Readonly<Record<string, unknown>>;
  declare readonly usages: readonly string[];
  constructor() {
    if (!making) throw nodeError('ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor', TypeError);
    materials.set(this, making);
  }
}

for (const [name, key] of [
  ['type', kKeyType],
  ['extractable', kExtractable],
  ['algorithm', kAlgorithm],
  ['usages', kUsages],
] as const)
  Object.defineProperty(CryptoKey.prototype, name, {
    get(this: CryptoKey): unknown {
      return Reflect.get(this, key);
    },
    configurable: true,
    enumerable: true,
  });
Object.defineProperty(CryptoKey.prototype, Symbol.for('nodejs.util.inspect.custom'), {
  value(
    this: CryptoKey,
    depth: number,
    options: { readonly depth?: number | null },
    inspect: (value: unknown, options: object) => string,
  ) {
    if (depth < 0) return this;
    const { type, extractable, algorithm, usages } = this;
    return `CryptoKey ${inspect({ type, extractable, algorithm, usages }, { ...options, depth: typeof options.depth !== 'number' ? null : options.depth - 1 })}`;
  },
});
Object.defineProperty(CryptoKey.prototype, Symbol.toStringTag, { value: 'CryptoKey', configurable: true });

/** Throws for what is no key. */
export function materialOf(key: object): Material {
  const found = materials.get(key);
  if (!found) throw argTypeError('key', ['KeyObject', 'CryptoKey'], key);
  return found;
}

export const isKey = (value: unknown): value is KeyObject | CryptoKey =>
  value instanceof KeyObject || value instanceof CryptoKey;

export function cryptoKeyOf(
  material: Material,
  how: {
    readonly type: KeyType;
    readonly algorithm: Readonly<Record<string, unknown>>;
    readonly extractable: boolean;
    readonly usages: readonly string[];
  },
): CryptoKey {
  const key = made(material, () => new CryptoKey());
  const hidden = (value: unknown) => ({ value, configurable: true });
  return Object.defineProperties(key, {
    [kKeyType]: hidden(how.type),
    [kExtractable]: hidden(how.extractable),
    [kAlgorithm]: hidden(how.algorithm),
    [kUsages]: hidden(how.usages),
  });
}

function sameMaterial(one: Material, other: Material): boolean {
  const text = (material: object): string =>
    JSON.stringify(
      Object.entries(material)
        .sort(([first], [second]) => (first < second ? -1 : 1))
        .map(([name, value]: [string, unknown]) => [
          name,
          typeof value === 'object' && value !== null && !(value instanceof Uint8Array)
            ? text(value)
            : String(value),
        ]),
    );
  return text(one) === text(other);
}

/** Writes a key of a pair in one of its forms, and tells what is special about it. Loaded only with the first pair. */
export interface PairCodec {
  export(material: AsymmetricMaterial, type: KeyType, options: Readonly<Record<string, unknown>>): unknown;
  details(material: AsymmetricMaterial): Readonly<Record<string, unknown>>;
}

let codec: PairCodec | undefined;
export function usePairCodec(loaded: PairCodec): void {
  codec = loaded;
}

export class SecretKeyObject extends KeyObject {
  get symmetricKeySize(): number {
    return secretOf(this).length;
  }
  export(options?: { readonly format?: unknown }): unknown {
    if (options !== undefined) needObject(options, 'options');
    const format = options?.format;
    if (format !== undefined && format !== 'buffer' && format !== 'jwk')
      throw argValueError('options.format', format, "must be one of: undefined, 'buffer', 'jwk'");
    const bytes = BufferOf(secretOf(this));
    return format === 'jwk' ? { kty: 'oct', k: bytes.toString('base64url') } : bytes;
  }
}

class AsymmetricKeyObject extends KeyObject {
  get asymmetricKeyType(): string {
    return materialOf(this).kind;
  }
  get asymmetricKeyDetails(): Readonly<Record<string, unknown>> | undefined {
    return codec?.details(pairOf(this));
  }
}

export class PublicKeyObject extends AsymmetricKeyObject {
  export(options: unknown): unknown {
    needObject(options, 'options');
    return codec?.export(pairOf(this), 'public', options);
  }
}

export class PrivateKeyObject extends AsymmetricKeyObject {
  export(options: unknown): unknown {
    needObject(options, 'options');
    return codec?.export(pairOf(this), 'private', options);
  }
}

export function pairOf(key: object): AsymmetricMaterial {
  const material = materialOf(key);
  if (material.kind === 'secret') throw wrongType('secret', 'public or private');
  return material;
}

export function secretOf(key: object): Uint8Array {
  const material = materialOf(key);
  if (material.kind !== 'secret') throw wrongType(material.secret ? 'private' : 'public', 'secret');
  return material.bytes;
}

export const wrongType = (got: KeyType, wanted: string) =>
  nodeError(
    'ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE',
    `Invalid key object type ${got}, expected ${wanted}.`,
    TypeError,
  );

const classes = { secret: SecretKeyObject, public: PublicKeyObject, private: PrivateKeyObject };
export const keyOf = (material: Material, type: KeyType): KeyObject =>
  made(material, () => new classes[type](type));

let BufferOf: (bytes: Uint8Array) => NodeBuffer;

/** `crypto.createSecretKey`. */
export function makeSecretKeys(load: LoadBuiltin) {
  const { Buffer } = load('buffer');
  BufferOf = (bytes) => Buffer.from(bytes);
  return function createSecretKey(key: unknown, encoding?: unknown): KeyObject {
    const bytes = typeof key === 'string' ? Buffer.from(key, (encoding ?? 'utf8') as 'utf8') : bytesIn(key);
    if (!bytes)
      throw argTypeError(
        'key',
        typeof encoding === 'string'
          ? ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView']
          : ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'],
        key,
      );
    return keyOf({ kind: 'secret', bytes: Uint8Array.from(bytes) }, 'secret');
  };
}
