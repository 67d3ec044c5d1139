import { crypt } from '../cipher-info.ts';
import { bigOf, integer, nothing, octets, oid, oidText, sequence, type Der } from '../der.ts';
import { opensslError, type KeyTools } from '../tools.ts';
import type { Encoding } from './encoding.ts';
import { unsupported } from './material.ts';

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

function passphraseOf(tools: KeyTools, encoding: Encoding): Uint8Array | undefined {
  return encoding.passphrase === undefined ? undefined : tools.bytesOf(encoding.passphrase, 'key.passphrase');
}

export function encrypted(tools: KeyTools, der: Uint8Array, encoding: Encoding): Uint8Array {
  const cipher = String(encoding.cipher)
    .toLowerCase()
    .replace(/^aes(\d+)$/, 'aes-$1-cbc');
  const found = Object.entries(CIPHERS).find(([, name]) => name === cipher);
  if (!found) throw tools.errors.plainError('ERR_CRYPTO_UNKNOWN_CIPHER', 'Unknown cipher');
  const passphrase = passphraseOf(tools, encoding);
  if (!passphrase) throw tools.errors.argValueError('options.passphrase', encoding.passphrase);
  const [salt, iv] = [tools.random(16), tools.random(16)];
  const key = derive(tools, 'sha256', passphrase, salt, ITERATIONS, Number(cipher.slice(4, 7)) / 8);
  const derivation = sequence(
    oid(PBKDF2),
    sequence(octets(salt), integer(ITERATIONS), sequence(oid('1.2.840.113549.2.9'), nothing())),
  );
  const scheme = sequence(oid(PBES2), sequence(derivation, sequence(oid(found[0]), octets(iv))));
  return sequence(scheme, octets(crypt(cipher, key, iv, der, true)));
}

function derive(
  tools: KeyTools,
  hash: string,
  passphrase: Uint8Array,
  salt: Uint8Array,
  c: number,
  dkLen: number,
): Uint8Array {
  return tools.pbkdf2(tools.hashes.hashNamed(hash) as never, passphrase, salt, { c, dkLen });
}

export function decrypted(tools: KeyTools, der: Der, encoding: Encoding): Uint8Array {
  const passphrase = passphraseOf(tools, encoding);
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
  const key = derive(tools, hash, passphrase, salt.bytes, Number(bigOf(iterations)), length);
  return crypt(name, key, iv.bytes, content.bytes, false);
}
