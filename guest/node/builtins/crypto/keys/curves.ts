import { ed25519, x25519 } from '@noble/curves/ed25519.js';
import { ed448, x448 } from '@noble/curves/ed448.js';
import { p256, p384, p521 } from '@noble/curves/nist.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import type { CurveMaterial } from '../key-object.ts';

export interface Curve {
  /** OpenSSL's name of the curve. */
  readonly name: string;
  readonly oid: string;
  /** The name of the curve in JSON web keys. */
  readonly jwk: string;
  readonly bytes: number;
  readonly ecdsa: typeof p256;
}

export const curves: readonly Curve[] = [
  { name: 'prime256v1', oid: '1.2.840.10045.3.1.7', jwk: 'P-256', bytes: 32, ecdsa: p256 },
  { name: 'secp384r1', oid: '1.3.132.0.34', jwk: 'P-384', bytes: 48, ecdsa: p384 },
  { name: 'secp521r1', oid: '1.3.132.0.35', jwk: 'P-521', bytes: 66, ecdsa: p521 },
  { name: 'secp256k1', oid: '1.3.132.0.10', jwk: 'secp256k1', bytes: 32, ecdsa: secp256k1 },
];

export const curveNamed = (name: string): Curve | undefined =>
  curves.find((curve) => curve.name === name || curve.jwk === name);

export function curveOf({ curve }: CurveMaterial): Curve {
  const found = curveNamed(curve);
  if (!found) throw new Error(`no curve ${curve}`);
  return found;
}

/** The curves of RFC 8032, which sign, and of RFC 7748, which agree on keys. */
export const edwards = {
  ed25519: { oid: '1.3.101.112', jwk: 'Ed25519', bytes: 32, signs: ed25519, agrees: undefined },
  ed448: { oid: '1.3.101.113', jwk: 'Ed448', bytes: 57, signs: ed448, agrees: undefined },
  x25519: { oid: '1.3.101.110', jwk: 'X25519', bytes: 32, signs: undefined, agrees: x25519 },
  x448: { oid: '1.3.101.111', jwk: 'X448', bytes: 56, signs: undefined, agrees: x448 },
} as const;
export type EdwardsKind = keyof typeof edwards;
export const edwardsKinds = ['ed25519', 'ed448', 'x25519', 'x448'] as const;
export const edwardsNamed = (jwk: unknown): EdwardsKind | undefined =>
  edwardsKinds.find((kind) => edwards[kind].jwk === jwk);

/** The implementation with which a key of this kind signs. Undefined for `ec` keys and those that only agree. */
export const signerOf = (kind: CurveMaterial['kind']) => (kind === 'ec' ? undefined : edwards[kind].signs);

export function pointOf(kind: CurveMaterial['kind'], curve: string, secret: Uint8Array): Uint8Array {
  if (kind !== 'ec') {
    const { signs, agrees } = edwards[kind];
    return (signs ?? agrees).getPublicKey(secret);
  }
  return curveOf({ kind, curve, point: secret }).ecdsa.getPublicKey(secret, false);
}

export function curveKey(
  kind: CurveMaterial['kind'],
  curve: string,
  random: (length: number) => Uint8Array,
): CurveMaterial {
  const secret =
    kind === 'ec'
      ? curveOf({ kind, curve, point: new Uint8Array(0) }).ecdsa.utils.randomSecretKey()
      : random(edwards[kind].bytes);
  return { kind, curve, secret, point: pointOf(kind, curve, secret) };
}

/** Computes the shared secret of a key agreement. */
export function agreed(own: CurveMaterial, other: CurveMaterial): Uint8Array {
  const { secret } = own;
  if (!secret) throw new Error('a private key is needed');
  const edward = own.kind === 'ec' ? undefined : edwards[own.kind].agrees;
  if (edward) return edward.getSharedSecret(secret, other.point);
  const { ecdsa, bytes } = curveOf(own);
  return ecdsa.getSharedSecret(secret, other.point).slice(1, 1 + bytes);
}
