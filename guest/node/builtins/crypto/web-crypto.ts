import { nodeError } from '../internal/errors.ts';
import { fillRandom, RANDOM_CHUNK } from './fill-random.ts';

/** The page's `crypto` and its class as node has them: they refuse in node's words, and have `subtle` in whatever context the page is. */
export function adaptWebCrypto(module: () => { readonly subtle: object; randomUUID(): string }) {
  const platform = globalThis.crypto;
  const prototype: unknown = Object.getPrototypeOf(platform);
  function needThis(self: unknown): void {
    if (self !== platform)
      throw nodeError('ERR_INVALID_THIS', 'Value of "this" must be of type Crypto', TypeError);
  }
  const own = {
    get subtle() {
      needThis(this);
      return module().subtle;
    },
    getRandomValues(values: unknown): unknown {
      needThis(this);
      const isWhole =
        ArrayBuffer.isView(values) &&
        !/^(?:Float|DataView)/.test(String(Reflect.get(values, Symbol.toStringTag)));
      if (!isWhole)
        throw new DOMException('The data argument must be an integer-type TypedArray', 'TypeMismatchError');
      if (values.byteLength > RANDOM_CHUNK)
        throw new DOMException('The requested length exceeds 65,536 bytes', 'QuotaExceededError');
      fillRandom(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
      return values;
    },
    randomUUID(): string {
      needThis(this);
      return module().randomUUID();
    },
  };
  function Crypto(): void {
    throw nodeError('ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor', TypeError);
  }
  Object.defineProperties(prototype, {
    ...Object.getOwnPropertyDescriptors(own),
    constructor: { value: Crypto, configurable: true, writable: true },
  });
  Object.defineProperty(Crypto, 'prototype', { value: prototype });
  return Crypto;
}
