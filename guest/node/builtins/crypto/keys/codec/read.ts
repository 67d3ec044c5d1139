import type { AsymmetricMaterial } from '../../key-object.ts';
import { readDer } from '../der.ts';
import type { KeyTools } from '../tools.ts';
import type { Encoding, KeyInput } from './encoding.ts';
import { decrypted } from './encryption.ts';
import { fromJwk } from './jwk.ts';
import { unsupported } from './material.ts';
import { readEcPrivate, readPkcs8, readRsaPrivate, readRsaPublic, readSpki } from './structures.ts';

type KeyHalf = 'public' | 'private';

const KEY_TYPES = ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'];
const PEM =
  /-----BEGIN ((?:RSA |EC |ENCRYPTED )?(?:PUBLIC|PRIVATE) KEY|CERTIFICATE)-----\s*([^]*?)-----END \1-----/;

/** Reads whatever a program may give as a key: PEM, DER, a JSON web key, or those with how they are written. */
export function readKey(tools: KeyTools, input: unknown, wanted: KeyHalf): AsymmetricMaterial {
  const errors: KeyTools['errors'] = tools.errors;
  const isPlain = typeof input === 'string' || tools.bytes.bytesIn(input) !== undefined;
  if (!isPlain && (typeof input !== 'object' || input === null || !('key' in input)))
    throw errors.argTypeError('key', KEY_TYPES, input);
  const given: KeyInput = isPlain ? { key: input } : (input as KeyInput);
  if (given.format === 'jwk') {
    errors.needObject(given.key, 'key.key');
    return fromJwk(tools, given.key);
  }
  const { key } = given;
  if (typeof key !== 'string' && !tools.bytes.bytesIn(key))
    throw errors.argTypeError('key.key', KEY_TYPES, key);
  const bytes = tools.bytesOf(key, 'key', given.encoding);
  const material = readable(() =>
    given.format === 'der'
      ? readDerKey(tools, bytes, given, wanted)
      : readPem(tools, tools.Buffer.from(bytes).toString('latin1'), given, wanted),
  );
  if (wanted === 'private' && !material.secret) throw unsupported();
  return material;
}

function readable(read: () => AsymmetricMaterial): AsymmetricMaterial {
  try {
    return read();
  } catch (error) {
    // Errors with a code are meant for the program.
    throw error instanceof Error && 'code' in error ? error : unsupported();
  }
}

/** Reads a key of either kind. Where the kind is not given, the structure decides. */
function readDerKey(
  tools: KeyTools,
  bytes: Uint8Array,
  encoding: Encoding,
  wanted: KeyHalf,
): AsymmetricMaterial {
  const der = readDer(bytes);
  const [first, second, third] = der.parts;
  if (first?.tag === 0x30 && second?.tag === 0x03) return readSpki(der);
  if (first?.tag === 0x30 && second?.tag === 0x04) return readPkcs8(readDer(decrypted(tools, der, encoding)));
  if (first?.tag === 0x02 && second?.tag === 0x30 && third?.tag === 0x04) return readPkcs8(der);
  if (first?.tag === 0x02 && second?.tag === 0x04) return readEcPrivate(der);
  if (first?.tag === 0x02 && der.parts.length >= 9) return readRsaPrivate(der, 'rsa');
  if (first?.tag === 0x02 && der.parts.length === 2 && wanted === 'public') return readRsaPublic(der, 'rsa');
  throw unsupported();
}

function readPem(tools: KeyTools, text: string, encoding: Encoding, wanted: KeyHalf): AsymmetricMaterial {
  const found = PEM.exec(text);
  if (!found) throw unsupported();
  const [, label = '', body = ''] = found;
  if (wanted === 'private' && label.includes('PUBLIC')) throw unsupported();
  if (/^Proc-Type:/m.test(body))
    throw tools.errors.unavailable('crypto', 'keys that are encrypted as PKCS#8 are read, and no others');
  const der = Uint8Array.from(tools.Buffer.from(body, 'base64'));
  if (label !== 'CERTIFICATE') return readDerKey(tools, der, encoding, wanted);
  if (wanted === 'private') throw unsupported();
  // The key of a certificate is the first such sequence within it.
  const key = readDer(der).parts[0]?.parts.find(
    ({ parts: [head, bytes] }) => head?.tag === 0x30 && bytes?.tag === 0x03,
  );
  if (!key) throw unsupported();
  return readSpki(key);
}
