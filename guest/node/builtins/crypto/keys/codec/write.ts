import type { AsymmetricMaterial, KeyType } from '../../key-object.ts';
import type { KeyTools } from '../tools.ts';
import type { Encoding } from './encoding.ts';
import { encrypted } from './encryption.ts';
import { toJwk } from './jwk.ts';
import { isRsa } from './material.ts';
import { ecPrivate, pkcs8, rsaPrivate, rsaPublic, spki } from './structures.ts';

type Labelled = readonly [der: Uint8Array, label: string];

/** Writes a key as a JSON web key, DER or PEM. */
export function writeKey(
  tools: KeyTools,
  material: AsymmetricMaterial,
  type: KeyType,
  encoding: Encoding,
): unknown {
  const { argValueError, nodeError } = tools.errors;
  const { format, type: structure } = encoding;
  if (format === 'jwk') {
    if (encoding.passphrase !== undefined)
      throw nodeError(
        'ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS',
        'The selected key encoding jwk does not support encryption.',
      );
    return toJwk(tools, material, type);
  }
  if (format !== 'pem' && format !== 'der') throw argValueError('options.format', format);
  const isEc = !isRsa(material) && material.kind === 'ec';
  if ((structure === 'pkcs1' && !isRsa(material)) || (structure === 'sec1' && !isEc && type === 'private'))
    throw nodeError(
      'ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS',
      `The selected key encoding ${structure} can only be used for ${structure === 'pkcs1' ? 'RSA' : 'EC'} keys.`,
    );
  const [der, label] =
    type === 'public' ? publicKey(tools, material, encoding) : privateKey(tools, material, encoding);
  return format === 'der' ? tools.Buffer.from(der) : pem(label, der, tools);
}

function publicKey(tools: KeyTools, material: AsymmetricMaterial, { type: structure }: Encoding): Labelled {
  if (structure === 'pkcs1' && isRsa(material)) return [rsaPublic(material), 'RSA PUBLIC KEY'];
  if (structure === 'spki') return [spki(material), 'PUBLIC KEY'];
  throw tools.errors.argValueError('options.type', structure);
}

function privateKey(tools: KeyTools, material: AsymmetricMaterial, encoding: Encoding): Labelled {
  const structure = encoding.type;
  if (structure === 'pkcs1' && isRsa(material)) return [rsaPrivate(material), 'RSA PRIVATE KEY'];
  if (structure === 'sec1' && !isRsa(material) && material.kind === 'ec')
    return [ecPrivate(material, true), 'EC PRIVATE KEY'];
  if (structure !== 'pkcs8') throw tools.errors.argValueError('options.type', structure);
  const der = pkcs8(material);
  return encoding.cipher === undefined || encoding.cipher === null
    ? [der, 'PRIVATE KEY']
    : [encrypted(tools, der, encoding), 'ENCRYPTED PRIVATE KEY'];
}

function pem(label: string, der: Uint8Array, { Buffer }: KeyTools): string {
  const lines = Buffer.from(der)
    .toString('base64')
    .match(/.{1,64}/g);
  return `-----BEGIN ${label}-----\n${(lines ?? []).join('\n')}\n-----END ${label}-----\n`;
}
