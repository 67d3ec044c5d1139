import type { AsymmetricMaterial, CurveMaterial, KeyType, RsaMaterial } from '../key-object.ts';
import { crypt } from './ciphers.ts';
import { curveNamed, curveOf, curves, edwards, edwardsKinds, pointOf } from './curves.ts';
import {
  bigOf,
  bigOfBytes,
  bits,
  bytesOfBig,
  element,
  integer,
  nothing,
  octets,
  oid,
  oidText,
  readDer,
  sequence,
  type Der,
} from './der.ts';
import { inverse } from './rsa.ts';
import { opensslError, type KeyTools } from './tools.ts';

const EC = '1.2.840.10045.2.1';
const RSA = '1.2.840.113549.1.1.1';
const RSA_PSS = '1.2.840.113549.1.1.10';
const PBES2 = '1.2.840.113549.1.5.13';
const PBKDF2 = '1.2.840.113549.1.5.12';
const HMACS: Readonly<Record<string, string>> = {
  '1.2.840.113549.2.7': 'sha1',
  '1.2.840.113549.2.9': 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
};
const CIPHERS: Readonly<Record<string, string>> = {
  '2.16.840.1.101.3.4.1.2': 'aes-128-cbc',
  '2.16.840.1.101.3.4.1.22': 'aes-192-cbc',
  '2.16.840.1.101.3.4.1.42': 'aes-256-cbc',
};
const ITERATIONS = 2048;

const unsupported = () => opensslError('1E08010C', 'DECODER routines', 'unsupported');

export interface Encoding {
  readonly format?: unknown;
  readonly type?: unknown;
  readonly cipher?: unknown;
  readonly passphrase?: unknown;
}

export interface KeyInput extends Encoding {
  readonly key?: unknown;
  readonly encoding?: unknown;
}

const pem = (label: string, der: Uint8Array, tools: KeyTools) =>
  `-----BEGIN ${label}-----\n${(
    tools.Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  ).join('\n')}\n-----END ${label}-----\n`;

const algorithm = (material: AsymmetricMaterial): Uint8Array => {
  if (material.kind === 'rsa') return sequence(oid(RSA), nothing());
  if (material.kind === 'rsa-pss') return sequence(oid(RSA_PSS));
  if (material.kind === 'ec') return sequence(oid(EC), oid(curveOf(material).oid));
  return sequence(oid(edwards[material.kind].oid));
};

export const isRsa = (material: AsymmetricMaterial): material is RsaMaterial => 'n' in material;

function rsaPrivate({ n, e, secret }: RsaMaterial): Uint8Array {
  if (!secret) throw new Error('a private key is needed');
  const { d, p, q } = secret;
  return sequence(...[0n, n, e, d, p, q, d % (p - 1n), d % (q - 1n), inverse(q, p)].map(integer));
}

function ecPrivate(material: CurveMaterial, withCurve: boolean): Uint8Array {
  return sequence(
    integer(1),
    octets(material.secret ?? new Uint8Array(0)),
    ...(withCurve ? [element(0xa0, oid(curveOf(material).oid))] : []),
    element(0xa1, bits(material.point)),
  );
}

function pkcs8(material: AsymmetricMaterial): Uint8Array {
  const inner = isRsa(material)
    ? rsaPrivate(material)
    : material.kind === 'ec'
      ? ecPrivate(material, false)
      : octets(material.secret ?? new Uint8Array(0));
  return sequence(integer(0), algorithm(material), octets(inner));
}

const rsaPublic = ({ n, e }: RsaMaterial) => sequence(integer(n), integer(e));
const spki = (material: AsymmetricMaterial) =>
  sequence(algorithm(material), bits(isRsa(material) ? rsaPublic(material) : material.point));

/** Reads and writes keys of pairs as OpenSSL does: PEM and DER in their structures, and JSON web keys. */
export function makeCodec(tools: KeyTools) {
  const { Buffer, hashes } = tools;
  const errors: KeyTools['errors'] = tools.errors;
  const { argTypeError, argValueError, nodeError, plainError } = errors;
  const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
  const big = (value: bigint) => base64url(bytesOfBig(value));

  function toJwk(material: AsymmetricMaterial, type: KeyType): Record<string, string> {
    const isPrivate = type === 'private';
    if (isRsa(material)) {
      const { n, e, secret } = material;
      const open = { kty: 'RSA', n: big(n), e: big(e) };
      if (!isPrivate || !secret) return open;
      const { d, p, q } = secret;
      return {
        ...open,
        d: big(d),
        p: big(p),
        q: big(q),
        dp: big(d % (p - 1n)),
        dq: big(d % (q - 1n)),
        qi: big(inverse(q, p)),
      };
    }
    const secret = material.secret && isPrivate ? { d: base64url(material.secret) } : {};
    if (material.kind !== 'ec')
      return { crv: edwards[material.kind].jwk, ...secret, x: base64url(material.point), kty: 'OKP' };
    const { bytes, jwk } = curveOf(material);
    const [x, y] = [material.point.subarray(1, 1 + bytes), material.point.subarray(1 + bytes)];
    return { kty: 'EC', x: base64url(x), y: base64url(y), crv: jwk, ...secret };
  }

  function fromJwk(jwk: Readonly<Record<string, unknown>>): AsymmetricMaterial {
    const bytes = (name: string): Uint8Array => {
      const text = jwk[name];
      if (typeof text !== 'string') throw argTypeError(`key.${name}`, 'string', text);
      return Uint8Array.from(Buffer.from(text, 'base64url'));
    };
    const invalid = () => nodeError('ERR_CRYPTO_INVALID_JWK', 'Invalid JWK data', TypeError);
    const secret = jwk.d === undefined ? undefined : bytes('d');
    if (jwk.kty === 'RSA') {
      const at = (name: string) => bigOfBytes(bytes(name));
      return {
        kind: 'rsa',
        n: at('n'),
        e: at('e'),
        ...(secret && { secret: { d: bigOfBytes(secret), p: at('p'), q: at('q') } }),
      };
    }
    const known = curveNamed(String(jwk.crv));
    if (jwk.kty === 'EC' && known) {
      const point = Uint8Array.of(4, ...bytes('x'), ...bytes('y'));
      if (!known.ecdsa.utils.isValidPublicKey(point)) throw invalid();
      return { kind: 'ec', curve: known.name, point, ...(secret && { secret }) };
    }
    const kind = edwardsKinds.find((each) => edwards[each].jwk === jwk.crv);
    if (jwk.kty === 'OKP' && kind) return { kind, curve: kind, point: bytes('x'), ...(secret && { secret }) };
    if (jwk.kty === 'EC' || jwk.kty === 'OKP')
      throw plainError('ERR_CRYPTO_INVALID_CURVE', 'Invalid EC curve name', TypeError);
    throw argValueError('key.kty', jwk.kty, "must be one of: 'RSA', 'EC', 'OKP'");
  }

  function passphraseOf(encoding: Encoding): Uint8Array | undefined {
    return encoding.passphrase === undefined
      ? undefined
      : tools.bytesOf(encoding.passphrase, 'key.passphrase');
  }

  function encrypted(der: Uint8Array, encoding: Encoding): Uint8Array {
    const cipher = String(encoding.cipher)
      .toLowerCase()
      .replace(/^aes(\d+)$/, 'aes-$1-cbc');
    const found = Object.entries(CIPHERS).find(([, name]) => name === cipher);
    if (!found) throw plainError('ERR_CRYPTO_UNKNOWN_CIPHER', 'Unknown cipher');
    const passphrase = passphraseOf(encoding);
    if (!passphrase) throw argValueError('options.passphrase', encoding.passphrase);
    const [salt, iv] = [tools.random(16), tools.random(16)];
    const key = derive('sha256', passphrase, salt, ITERATIONS, Number(cipher.slice(4, 7)) / 8);
    const derivation = sequence(
      oid(PBKDF2),
      sequence(octets(salt), integer(ITERATIONS), sequence(oid('1.2.840.113549.2.9'), nothing())),
    );
    const scheme = sequence(oid(PBES2), sequence(derivation, sequence(oid(found[0]), octets(iv))));
    return sequence(scheme, octets(crypt(cipher, key, iv, der, true)));
  }

  function derive(
    hash: string,
    passphrase: Uint8Array,
    salt: Uint8Array,
    c: number,
    dkLen: number,
  ): Uint8Array {
    return tools.pbkdf2(hashes.hashNamed(hash) as never, passphrase, salt, { c, dkLen });
  }

  function decrypted(der: Der, encoding: Encoding): Uint8Array {
    const passphrase = passphraseOf(encoding);
    if (!passphrase)
      throw opensslError(
        '07880109',
        'common libcrypto routines',
        'interrupted or cancelled',
        'ERR_OSSL_CRYPTO_INTERRUPTED_OR_CANCELLED',
      );
    const [scheme, content] = der.parts;
    const [derivation, cipher] = scheme?.parts[1]?.parts ?? [];
    const [salt, iterations, ...others] = derivation?.parts[1]?.parts ?? [];
    const name = CIPHERS[(cipher?.parts[0] && oidText(cipher.parts[0])) ?? ''];
    const prf = others.find((each) => each.parts.length > 0)?.parts[0];
    const hash = prf ? HMACS[oidText(prf) ?? ''] : 'sha1';
    const iv = cipher?.parts[1];
    if (!name || !hash || !salt || !iterations || !iv || !content) throw unsupported();
    const length = Number(name.slice(4, 7)) / 8;
    const key = derive(hash, passphrase, salt.bytes, Number(bigOf(iterations)), length);
    return crypt(name, key, iv.bytes, content.bytes, false);
  }

  function write(material: AsymmetricMaterial, type: KeyType, encoding: Encoding): unknown {
    const { format } = encoding;
    if (format === 'jwk') {
      if (encoding.passphrase !== undefined)
        throw nodeError(
          'ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS',
          'The selected key encoding jwk does not support encryption.',
        );
      return toJwk(material, type);
    }
    if (format !== 'pem' && format !== 'der') throw argValueError('options.format', format);
    const structure = encoding.type;
    const isEc = !isRsa(material) && material.kind === 'ec';
    if ((structure === 'pkcs1' && !isRsa(material)) || (structure === 'sec1' && !isEc && type === 'private'))
      throw nodeError(
        'ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS',
        `The selected key encoding ${structure} can only be used for ${structure === 'pkcs1' ? 'RSA' : 'EC'} keys.`,
      );
    let der: Uint8Array;
    let label: string;
    if (type === 'public') {
      if (structure !== 'spki' && !(structure === 'pkcs1' && isRsa(material)))
        throw argValueError('options.type', structure);
      der = isRsa(material) && structure === 'pkcs1' ? rsaPublic(material) : spki(material);
      label = structure === 'pkcs1' ? 'RSA PUBLIC KEY' : 'PUBLIC KEY';
    } else if (structure === 'pkcs1' && isRsa(material))
      [der, label] = [rsaPrivate(material), 'RSA PRIVATE KEY'];
    else if (structure === 'sec1' && !isRsa(material) && material.kind === 'ec')
      [der, label] = [ecPrivate(material, true), 'EC PRIVATE KEY'];
    else if (structure === 'pkcs8') {
      [der, label] = [pkcs8(material), 'PRIVATE KEY'];
      if (encoding.cipher !== undefined && encoding.cipher !== null)
        [der, label] = [encrypted(der, encoding), 'ENCRYPTED PRIVATE KEY'];
    } else throw argValueError('options.type', structure);
    return format === 'der' ? Buffer.from(der) : pem(label, der, tools);
  }

  function readSpki(der: Der): AsymmetricMaterial {
    const [head, key] = der.parts;
    const [kind, parameter] = head?.parts ?? [];
    if (!kind || !key) throw unsupported();
    const name = oidText(kind);
    const content = key.bytes.slice(1);
    if (name === RSA || name === RSA_PSS)
      return readRsaPublic(readDer(content), name === RSA ? 'rsa' : 'rsa-pss');
    const curve = parameter && curves.find((each) => each.oid === oidText(parameter));
    if (name === EC && curve)
      return { kind: 'ec', curve: curve.name, point: uncompressed(curve.name, content) };
    const edward = edwardsKinds.find((each) => edwards[each].oid === name);
    if (!edward) throw unsupported();
    return { kind: edward, curve: edward, point: content };
  }

  function uncompressed(curve: string, point: Uint8Array): Uint8Array {
    if (point[0] === 4) return point;
    return curveOf({ kind: 'ec', curve, point }).ecdsa.Point.fromBytes(point).toBytes(false);
  }

  function readRsaPublic(der: Der, kind: RsaMaterial['kind']): RsaMaterial {
    const [n, e] = der.parts;
    if (!n || !e) throw unsupported();
    return { kind, n: bigOf(n), e: bigOf(e) };
  }

  function readRsaPrivate(der: Der, kind: RsaMaterial['kind']): RsaMaterial {
    const [, n, e, d, p, q] = der.parts;
    if (!n || !e || !d || !p || !q) throw unsupported();
    return { kind, n: bigOf(n), e: bigOf(e), secret: { d: bigOf(d), p: bigOf(p), q: bigOf(q) } };
  }

  function readEcPrivate(der: Der, curve?: string): CurveMaterial {
    const [, secret, ...others] = der.parts;
    const told = others.find(({ tag }) => tag === 0xa0)?.parts[0];
    const name = curve ?? curves.find((each) => told && each.oid === oidText(told))?.name;
    if (!secret || !name) throw unsupported();
    return {
      kind: 'ec',
      curve: name,
      secret: secret.bytes.slice(),
      point: pointOf('ec', name, secret.bytes),
    };
  }

  function readPkcs8(der: Der): AsymmetricMaterial {
    const [, head, content] = der.parts;
    const [kind, parameter] = head?.parts ?? [];
    if (!kind || !content) throw unsupported();
    const name = oidText(kind);
    const inner = readDer(content.bytes);
    if (name === RSA || name === RSA_PSS) return readRsaPrivate(inner, name === RSA ? 'rsa' : 'rsa-pss');
    const curve = parameter && curves.find((each) => each.oid === oidText(parameter));
    if (name === EC && curve) return readEcPrivate(inner, curve.name);
    const edward = edwardsKinds.find((each) => edwards[each].oid === name);
    if (!edward) throw unsupported();
    const secret = inner.bytes.slice();
    return { kind: edward, curve: edward, secret, point: pointOf(edward, edward, secret) };
  }

  /** Reads a key of either kind. Where the kind is not given, the structure decides. */
  function readDerKey(
    bytes: Uint8Array,
    encoding: Encoding,
    wanted: 'public' | 'private',
  ): AsymmetricMaterial {
    const der = readDer(bytes);
    const [first, second, third] = der.parts;
    if (first?.tag === 0x30 && second?.tag === 0x03) return readSpki(der);
    if (first?.tag === 0x30 && second?.tag === 0x04) return readPkcs8(readDer(decrypted(der, encoding)));
    if (first?.tag === 0x02 && second?.tag === 0x30 && third?.tag === 0x04) return readPkcs8(der);
    if (first?.tag === 0x02 && second?.tag === 0x04) return readEcPrivate(der);
    if (first?.tag === 0x02 && der.parts.length >= 9) return readRsaPrivate(der, 'rsa');
    if (first?.tag === 0x02 && der.parts.length === 2 && wanted === 'public')
      return readRsaPublic(der, 'rsa');
    throw unsupported();
  }

  const PEM =
    /-----BEGIN ((?:RSA |EC |ENCRYPTED )?(?:PUBLIC|PRIVATE) KEY|CERTIFICATE)-----\s*([^]*?)-----END \1-----/;

  function readPem(text: string, encoding: Encoding, wanted: 'public' | 'private'): AsymmetricMaterial {
    const found = PEM.exec(text);
    if (!found) throw unsupported();
    const [, label = '', body = ''] = found;
    if (wanted === 'private' && label.includes('PUBLIC')) throw unsupported();
    if (/^Proc-Type:/m.test(body))
      throw errors.unavailable('crypto', 'keys that are encrypted as PKCS#8 are read, and no others');
    const der = Uint8Array.from(Buffer.from(body, 'base64'));
    if (label !== 'CERTIFICATE') return readDerKey(der, encoding, wanted);
    if (wanted === 'private') throw unsupported();
    // The key of a certificate: the first such sequence within it.
    const key = readDer(der).parts[0]?.parts.find(
      ({ parts: [head, bytes] }) => head?.tag === 0x30 && bytes?.tag === 0x03,
    );
    if (!key) throw unsupported();
    return readSpki(key);
  }

  /** Whatever a program may give as a key: PEM, DER, a JSON web key, or those with how they are written. */
  function read(input: unknown, wanted: 'public' | 'private'): AsymmetricMaterial {
    const isPlain = typeof input === 'string' || tools.bytes.bytesIn(input) !== undefined;
    if (!isPlain) needKeyInput(input);
    const given: KeyInput = isPlain ? { key: input } : (input as KeyInput);
    if (given.format === 'jwk') {
      errors.needObject(given.key, 'key.key');
      return fromJwk(given.key);
    }
    const { key } = given;
    if (typeof key !== 'string' && !tools.bytes.bytesIn(key))
      throw argTypeError('key.key', ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], key);
    const bytes = tools.bytesOf(key, 'key', given.encoding);
    const material =
      given.format === 'der'
        ? derOf(() => readDerKey(bytes, given, wanted))
        : derOf(() => readPem(Buffer.from(bytes).toString('latin1'), given, wanted));
    if (wanted === 'private' && !material.secret) throw unsupported();
    return material;
  }

  function derOf(make: () => AsymmetricMaterial): AsymmetricMaterial {
    try {
      return make();
    } catch (error) {
      // Errors with a code are meant for the program.
      throw error instanceof Error && 'code' in error ? error : unsupported();
    }
  }

  function needKeyInput(input: unknown): void {
    if (typeof input !== 'object' || input === null || !('key' in input))
      throw argTypeError('key', ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], input);
  }

  function details(material: AsymmetricMaterial): Record<string, unknown> {
    if (isRsa(material)) return { modulusLength: material.n.toString(2).length, publicExponent: material.e };
    return material.kind === 'ec' ? { namedCurve: material.curve } : {};
  }

  return { write, read, fromJwk, toJwk, details, spki, pkcs8, readSpki, readPkcs8 };
}

export const openOf = (material: AsymmetricMaterial): AsymmetricMaterial => {
  const { secret: _secret, ...open } = material;
  return open;
};

export type KeyCodec = ReturnType<typeof makeCodec>;
