import { bytesIn } from '../internal/bytes.ts';
import { nodeError } from '../internal/errors.ts';
import { hashNamed } from './hashes.ts';
import type { Keys } from './keys/keys.ts';

/** The number of required arguments of each method. */
const METHODS = [
  ['decrypt', 3],
  ['deriveBits', 2],
  ['deriveKey', 5],
  ['encrypt', 3],
  ['exportKey', 2],
  ['generateKey', 3],
  ['importKey', 5],
  ['sign', 3],
  ['unwrapKey', 7],
  ['verify', 4],
  ['wrapKey', 4],
] as const;

export class SubtleCrypto {
  constructor() {
    throw nodeError('ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor', TypeError);
  }
}

/** `crypto.subtle`: digests at once, what needs keys with the part of node that has them. */
export function makeSubtle(keys: () => Keys): object {
  const subtle: object = Object.create(SubtleCrypto.prototype);
  function check(self: unknown, name: string, needed: number, present: number): void {
    if (self !== subtle)
      throw nodeError('ERR_INVALID_THIS', 'Value of "this" must be of type SubtleCrypto', TypeError);
    if (present < needed)
      throw nodeError(
        'ERR_MISSING_ARGS',
        `Failed to execute '${name}' on 'SubtleCrypto': ${needed} arguments required, but only ${present} present.`,
        TypeError,
      );
  }
  for (const [name, needed] of METHODS)
    Object.defineProperty(SubtleCrypto.prototype, name, {
      async value(...args: unknown[]): Promise<unknown> {
        check(this, name, needed, args.length);
        const { subtle: methods } = keys();
        return await Reflect.apply(methods[name], methods, args);
      },
      configurable: true,
      enumerable: true,
      writable: true,
    });
  Object.defineProperty(SubtleCrypto.prototype, 'digest', {
    async value(...args: unknown[]): Promise<ArrayBuffer> {
      check(this, 'digest', 2, args.length);
      const [algorithm, data] = args;
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
