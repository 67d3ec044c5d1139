import type { AsymmetricMaterial, KeyType } from '../../key-object.ts';
import { curveNamed, curveOf, edwards, edwardsKinds } from '../curves.ts';
import { bigOfBytes, bytesOfBig } from '../der.ts';
import { inverse } from '../rsa.ts';
import type { KeyTools } from '../tools.ts';
import { isRsa } from './material.ts';

export function toJwk(
  { Buffer }: KeyTools,
  material: AsymmetricMaterial,
  type: KeyType,
): Record<string, string> {
  const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
  const big = (value: bigint) => base64url(bytesOfBig(value));
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

export function fromJwk(
  { Buffer, errors }: KeyTools,
  jwk: Readonly<Record<string, unknown>>,
): AsymmetricMaterial {
  const bytes = (name: string): Uint8Array => {
    const text = jwk[name];
    if (typeof text !== 'string') throw errors.argTypeError(`key.${name}`, 'string', text);
    return Uint8Array.from(Buffer.from(text, 'base64url'));
  };
  const invalid = () => errors.nodeError('ERR_CRYPTO_INVALID_JWK', 'Invalid JWK data', TypeError);
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
    throw errors.plainError('ERR_CRYPTO_INVALID_CURVE', 'Invalid EC curve name', TypeError);
  throw errors.argValueError('key.kty', jwk.kty, "must be one of: 'RSA', 'EC', 'OKP'");
}
