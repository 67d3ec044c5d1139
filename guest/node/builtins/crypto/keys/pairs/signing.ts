import type { AsymmetricMaterial, RsaMaterial } from '../../key-object.ts';
import { isRsa } from '../codec/material.ts';
import { curveOf, signerOf } from '../curves.ts';
import { PADDING, rsaSigner, verifiesPss } from '../rsa.ts';
import { opensslError, type KeyTools } from '../tools.ts';
import { invalidDigest, isObject, operationUnsupported } from './context.ts';

type Digest = string | null | undefined;

/** Returns the hash of a digest's name. Throws where it is not known. */
function hashOf(tools: KeyTools, digest: Digest) {
  const name = tools.hashes.canonicalHash(digest ?? 'sha256');
  const fn = tools.hashes.hashNamed(name);
  if (!fn) throw invalidDigest(tools, digest);
  return { name, fn };
}

function rsaSignerOf(tools: KeyTools, digest: Digest, input: unknown, key: RsaMaterial) {
  const { name, fn } = hashOf(tools, digest);
  const { padding, saltLength } = isObject(input) ? input : {};
  const chosen = typeof padding === 'number' ? padding : key.kind === 'rsa-pss' ? PADDING.pss : PADDING.pkcs1;
  const signer = rsaSigner(name, fn, chosen, typeof saltLength === 'number' ? saltLength : -2, key);
  if (!signer) throw invalidDigest(tools, name);
  return { fn, signer, isAnySalt: chosen === PADDING.pss && typeof saltLength !== 'number' };
}

export function signWith(
  tools: KeyTools,
  digest: Digest,
  data: Uint8Array,
  input: unknown,
  material: AsymmetricMaterial,
): Uint8Array {
  if (isRsa(material)) {
    if (!material.secret) throw invalidDigest(tools, digest);
    const { signer } = rsaSignerOf(tools, digest, input, material);
    return signer.sign({ n: material.n, d: material.secret.d }, data);
  }
  const { secret } = material;
  const signer = signerOf(material.kind);
  if (!secret || (material.kind !== 'ec' && !signer)) throw operationUnsupported();
  if (signer) {
    if (digest) throw opensslError('1C80007A', 'Provider routines', 'invalid digest');
    return signer.sign(data, secret);
  }
  return curveOf(material).ecdsa.sign(hashOf(tools, digest).fn(data), secret, {
    prehash: false,
    lowS: false,
    extraEntropy: true,
    format: dsaFormat(tools, input),
  });
}

export function verifyWith(
  tools: KeyTools,
  digest: Digest,
  data: Uint8Array,
  input: unknown,
  material: AsymmetricMaterial,
  signature: Uint8Array,
): boolean {
  try {
    if (isRsa(material)) {
      const { fn, signer, isAnySalt } = rsaSignerOf(tools, digest, input, material);
      return isAnySalt
        ? verifiesPss(fn, material, data, signature)
        : signer.verify(material, data, signature);
    }
    if (material.kind !== 'ec') {
      const signer = signerOf(material.kind);
      if (!signer) throw operationUnsupported();
      return signer.verify(signature, data, material.point);
    }
    const hashed = hashOf(tools, digest).fn(data);
    return curveOf(material).ecdsa.verify(signature, hashed, material.point, {
      prehash: false,
      lowS: false,
      format: dsaFormat(tools, input),
    });
  } catch (error) {
    // Errors with a code are meant for the program. Any other means that the signature cannot even be parsed.
    if (error instanceof Error && 'code' in error) throw error;
    return false;
  }
}

function dsaFormat({ errors }: KeyTools, input: unknown): 'compact' | 'der' {
  const encoding = isObject(input) ? input.dsaEncoding : undefined;
  if (encoding !== undefined && encoding !== 'der' && encoding !== 'ieee-p1363')
    throw errors.argValueError('options.dsaEncoding', encoding);
  return encoding === 'ieee-p1363' ? 'compact' : 'der';
}
