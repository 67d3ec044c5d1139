import { ed25519, x25519 } from '@noble/curves/ed25519.js';
import { p256, p384, p521 } from '@noble/curves/nist.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import type { CurveMaterial } from '../key-object.ts';

export interface Curve {
  /** As OpenSSL calls it. */
  readonly name: string;
  readonly oid: string;
  /** As JSON web keys call it. */
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

export const edwards = {
  ed25519: {
    oid: '1.3.101.112',
    jwk: 'Ed25519',
    publicOf: (secret: Uint8Array) => ed25519.getPublicKey(secret),
  },
  x25519: {
    oid: '1.3.101.110',
    jwk: 'X25519',
    publicOf: (secret: Uint8Array) => x25519.getPublicKey(secret),
  },
} as const;
export type EdwardsKind = keyof typeof edwards;
export const edwardsKinds = ['ed25519', 'x25519'] as const;

export function pointOf(kind: CurveMaterial['kind'], curve: string, secret: Uint8Array): Uint8Array {
  if (kind !== 'ec') return edwards[kind].publicOf(secret);
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
      : random(32);
  return { kind, curve, secret, point: pointOf(kind, curve, secret) };
}

/** What both sides of a key agreement come to. */
export function agreed(own: CurveMaterial, other: CurveMaterial): Uint8Array {
  const { secret } = own;
  if (!secret) throw new Error('a private key is needed');
  if (own.kind === 'x25519') return x25519.getSharedSecret(secret, other.point);
  const { ecdsa, bytes } = curveOf(own);
  return ecdsa.getSharedSecret(secret, other.point).slice(1, 1 + bytes);
}

export { ed25519 };
