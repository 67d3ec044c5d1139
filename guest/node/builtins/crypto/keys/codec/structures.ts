import type { AsymmetricMaterial, CurveMaterial, RsaMaterial } from '../../key-object.ts';
import { curveOf, curves, edwards, edwardsKinds, pointOf } from '../curves.ts';
import {
  bigOf,
  bits,
  element,
  integer,
  nothing,
  octets,
  oid,
  oidText,
  readDer,
  sequence,
  type Der,
} from '../der.ts';
import { inverse } from '../rsa.ts';
import { isRsa, unsupported } from './material.ts';

const EC = '1.2.840.10045.2.1';
const RSA = '1.2.840.113549.1.1.1';
const RSA_PSS = '1.2.840.113549.1.1.10';

const algorithm = (material: AsymmetricMaterial): Uint8Array => {
  if (material.kind === 'rsa') return sequence(oid(RSA), nothing());
  if (material.kind === 'rsa-pss') return sequence(oid(RSA_PSS));
  if (material.kind === 'ec') return sequence(oid(EC), oid(curveOf(material).oid));
  return sequence(oid(edwards[material.kind].oid));
};

export function rsaPrivate({ n, e, secret }: RsaMaterial): Uint8Array {
  if (!secret) throw new Error('a private key is needed');
  const { d, p, q } = secret;
  return sequence(...[0n, n, e, d, p, q, d % (p - 1n), d % (q - 1n), inverse(q, p)].map(integer));
}

export function ecPrivate(material: CurveMaterial, withCurve: boolean): Uint8Array {
  return sequence(
    integer(1),
    octets(material.secret ?? new Uint8Array(0)),
    ...(withCurve ? [element(0xa0, oid(curveOf(material).oid))] : []),
    element(0xa1, bits(material.point)),
  );
}

export function pkcs8(material: AsymmetricMaterial): Uint8Array {
  const inner = isRsa(material)
    ? rsaPrivate(material)
    : material.kind === 'ec'
      ? ecPrivate(material, false)
      : octets(material.secret ?? new Uint8Array(0));
  return sequence(integer(0), algorithm(material), octets(inner));
}

export const rsaPublic = ({ n, e }: RsaMaterial) => sequence(integer(n), integer(e));
export const spki = (material: AsymmetricMaterial) =>
  sequence(algorithm(material), bits(isRsa(material) ? rsaPublic(material) : material.point));

export function readSpki(der: Der): AsymmetricMaterial {
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

export function readRsaPublic(der: Der, kind: RsaMaterial['kind']): RsaMaterial {
  const [n, e] = der.parts;
  if (!n || !e) throw unsupported();
  return { kind, n: bigOf(n), e: bigOf(e) };
}

export function readRsaPrivate(der: Der, kind: RsaMaterial['kind']): RsaMaterial {
  const [, n, e, d, p, q] = der.parts;
  if (!n || !e || !d || !p || !q) throw unsupported();
  return { kind, n: bigOf(n), e: bigOf(e), secret: { d: bigOf(d), p: bigOf(p), q: bigOf(q) } };
}

export function readEcPrivate(der: Der, curve?: string): CurveMaterial {
  const [, secret, ...others] = der.parts;
  const named = others.find(({ tag }) => tag === 0xa0)?.parts[0];
  const name = curve ?? curves.find((each) => named && each.oid === oidText(named))?.name;
  if (!secret || !name) throw unsupported();
  return {
    kind: 'ec',
    curve: name,
    secret: secret.bytes.slice(),
    point: pointOf('ec', name, secret.bytes),
  };
}

export function readPkcs8(der: Der): AsymmetricMaterial {
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
