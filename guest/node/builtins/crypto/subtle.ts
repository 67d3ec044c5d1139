import { refusals } from '../internal/errors.ts';
import { bytesIn } from '../internal/bytes.ts';
import { hashNamed } from './hashes.ts';

const OTHERS = [
  'decrypt',
  'deriveBits',
  'deriveKey',
  'encrypt',
  'exportKey',
  'generateKey',
  'importKey',
  'sign',
  'unwrapKey',
  'verify',
  'wrapKey',
];

/** `crypto.subtle` where the browser keeps its own for pages that came over https: digests, nothing with keys. */
export function makeSubtle(): object {
  const subtle = {
    async digest(algorithm: unknown, data: unknown): Promise<ArrayBuffer> {
      const name = typeof algorithm === 'string' ? algorithm : String(Reflect.get(Object(algorithm), 'name'));
      const hash = /^sha-(?:1|256|384|512)$/i.test(name) ? hashNamed(name.replace('-', '')) : undefined;
      if (!hash) throw new DOMException('Unrecognized algorithm name', 'NotSupportedError');
      const bytes = bytesIn(data);
      if (!bytes)
        throw new TypeError(
          "Failed to execute 'digest' on 'SubtleCrypto': 2nd argument is not instance of ArrayBuffer, Buffer, TypedArray, or DataView.",
        );
      return Uint8Array.from(hash(bytes)).buffer;
    },
    ...refusals(
      'crypto.subtle',
      OTHERS,
      'the browser has it in secure contexts only, and a workspace is none',
    ),
  };
  return Object.defineProperty(subtle, Symbol.toStringTag, { value: 'SubtleCrypto', configurable: true });
}
