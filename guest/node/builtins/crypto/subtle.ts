import { bytesIn } from '../internal/bytes.ts';
import { nodeError } from '../internal/errors.ts';
import { hashNamed } from './hashes.ts';
import type { Keys } from './keys/main.ts';

const METHODS = [
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
] as const;

export class SubtleCrypto {
  constructor() {
    throw nodeError('ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor', TypeError);
  }
}

/** `crypto.subtle`: digests at once, what needs keys with the part of node that has them. */
export function makeSubtle(keys: () => Keys): object {
  const subtle = Object.create(SubtleCrypto.prototype) as object;
  for (const name of METHODS)
    Object.defineProperty(SubtleCrypto.prototype, name, {
      async value(...args: unknown[]) {
        return (await Reflect.apply(keys().subtle[name], undefined, args)) as unknown;
      },
      configurable: true,
      enumerable: true,
      writable: true,
    });
  Object.defineProperty(SubtleCrypto.prototype, 'digest', {
    async value(algorithm: unknown, data: unknown): Promise<ArrayBuffer> {
      const name = typeof algorithm === 'string' ? algorithm : String(Reflect.get(Object(algorithm), 'name'));
      const hash = /^sha-(?:1|256|384|512)$/i.test(name) ? hashNamed(name.replace('-', '')) : undefined;
      if (!hash) throw new DOMException('Unrecognized algorithm name', 'NotSupportedError');
      const bytes = bytesIn(data);
      if (!bytes)
        throw nodeError(
          'ERR_INVALID_ARG_TYPE',
          "Failed to execute 'digest' on 'SubtleCrypto': 2nd argument is not instance of ArrayBuffer, Buffer, TypedArray, or DataView.",
          TypeError,
        );
      return Uint8Array.from(hash(bytes)).buffer;
    },
    configurable: true,
    enumerable: true,
    writable: true,
  });
  Object.defineProperty(SubtleCrypto.prototype, Symbol.toStringTag, {
    value: 'SubtleCrypto',
    configurable: true,
  });
  return subtle;
}
