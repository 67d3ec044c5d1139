import type { AsymmetricMaterial, CryptoKey, CurveMaterial } from '../../key-object.ts';
import type { KeyCodec } from '../codec.ts';
import { isRsa } from '../codec/material.ts';
import { readPkcs8, readSpki } from '../codec/structures.ts';
import { curveNamed, curveOf, edwards, edwardsNamed } from '../curves.ts';
import { readDer } from '../der.ts';
import type { KeyTools } from '../tools.ts';
import { isAes, isRsaName, USES, type Algorithm } from './algorithms.ts';
import type { SubtleArguments } from './arguments.ts';
import { dataFault, notSupported } from './errors.ts';
import type { KeyRequest, WebKeys } from './web-keys.ts';

type JsonWebKey = Readonly<Record<string, unknown>>;

function isJsonWebKey(data: unknown): data is JsonWebKey {
  return typeof data === 'object' && data !== null && 'kty' in data;
}

function jsonWebKeyOf(data: unknown): JsonWebKey {
  if (!isJsonWebKey(data)) throw dataFault('Invalid keyData');
  return data;
}

/** Imports keys into `crypto.subtle`. */
export class KeyImport {
  readonly #tools: KeyTools;
  readonly #codec: KeyCodec;
  readonly #args: SubtleArguments;
  readonly #webKeys: WebKeys;

  constructor(tools: KeyTools, codec: KeyCodec, args: SubtleArguments, webKeys: WebKeys) {
    this.#tools = tools;
    this.#codec = codec;
    this.#args = args;
    this.#webKeys = webKeys;
  }

  import(format: string, data: unknown, request: KeyRequest): CryptoKey {
    const jwk = format === 'jwk' ? jsonWebKeyOf(data) : undefined;
    const { name } = request.algorithm;
    if (USES[name]?.secret) {
      if (!jwk && format !== 'raw') throw notSupported(`Unable to import ${name} key with format ${format}`);
      const bytes = jwk ? this.#secretOf(jwk, request) : this.#bytesOf(data);
      return this.#webKeys.secret(bytes, request);
    }
    let material: AsymmetricMaterial;
    try {
      material = jwk ? this.#pairOf(jwk, request) : this.#encodedPair(format, data, request);
    } catch (error) {
      throw error instanceof DOMException ? error : dataFault('Invalid keyData');
    }
    expectKind(material, request.algorithm);
    return this.#webKeys.ofPair(material, material.secret ? 'private' : 'public', request);
  }

  #bytesOf(data: unknown): Uint8Array {
    return this.#args.bytesOf(data, 'importKey', '2nd argument');
  }

  #secretOf(jwk: JsonWebKey, request: KeyRequest): Uint8Array {
    this.#needJwk(jwk, 'oct', request);
    return Uint8Array.from(this.#tools.Buffer.from(String(jwk.k), 'base64url'));
  }

  #pairOf(jwk: JsonWebKey, request: KeyRequest): AsymmetricMaterial {
    const { name } = request.algorithm;
    const kty = isRsaName(name) ? 'RSA' : name === 'ECDSA' || name === 'ECDH' ? 'EC' : 'OKP';
    this.#needJwk(jwk, kty, request);
    return this.#codec.fromJwk(jwk);
  }

  #encodedPair(format: string, data: unknown, { algorithm }: KeyRequest): AsymmetricMaterial {
    const bytes = this.#bytesOf(data);
    if (format === 'raw') return rawPublic(bytes, algorithm);
    const der = readDer(bytes);
    return format === 'spki' ? readSpki(der) : readPkcs8(der);
  }

  /** Checks that the properties of a JSON web key agree with the import. */
  #needJwk(jwk: JsonWebKey, kty: string, { algorithm, extractable, usages }: KeyRequest): void {
    if (jwk.kty !== kty) throw dataFault('Invalid JWK "kty" Parameter');
    if (kty === 'oct' && typeof jwk.k !== 'string') throw dataFault('Invalid keyData');
    const [firstUse = ''] = USES[algorithm.name]?.[kty === 'oct' ? 'secret' : 'private'] ?? [];
    const use = /^(?:sign|verify)$/.test(firstUse) ? 'sig' : 'enc';
    if (usages.length > 0 && jwk.use !== undefined && jwk.use !== use)
      throw dataFault('Invalid JWK "use" Parameter');
    const ops: unknown = jwk.key_ops;
    if (ops !== undefined && (!Array.isArray(ops) || usages.some((use) => !ops.includes(use))))
      throw dataFault('Key operations and usage mismatch');
    if (jwk.ext === false && extractable) throw dataFault('JWK "ext" Parameter and extractable mismatch');
    const bits = typeof jwk.k === 'string' ? this.#tools.Buffer.from(jwk.k, 'base64url').length * 8 : 0;
    const alg = this.#webKeys.jwkAlgorithm(
      isAes(algorithm.name) ? { ...algorithm, length: bits } : algorithm,
    );
    if (jwk.alg !== undefined && alg !== undefined && jwk.alg !== alg)
      throw dataFault('JWK "alg" does not match the requested algorithm');
  }
}

function rawPublic(point: Uint8Array, { name, namedCurve }: Algorithm): CurveMaterial {
  const kind = edwardsNamed(name);
  if (kind) {
    if (point.length !== edwards[kind].bytes) throw dataFault('Invalid keyData');
    return { kind, curve: kind, point };
  }
  const curve = curveNamed(String(namedCurve));
  if (!curve) throw notSupported('Unrecognized namedCurve');
  return { kind: 'ec', curve: curve.name, point: curve.ecdsa.Point.fromBytes(point).toBytes(false) };
}

function expectKind(material: AsymmetricMaterial, { name, namedCurve }: Algorithm): void {
  const wanted = isRsaName(name) ? 'rsa' : name === 'ECDSA' || name === 'ECDH' ? 'ec' : name.toLowerCase();
  if (material.kind !== wanted) throw dataFault('Invalid key type');
  if (!isRsa(material) && material.kind === 'ec' && curveOf(material).jwk !== namedCurve)
    throw dataFault('Named curve mismatch');
}
