import type { TransformOptions } from 'node:stream';
import type { StringDecoder } from 'node:string_decoder';
import { cipherInfo, cipherNames } from './cipher-info.ts';
import { CipherState } from './cipher-state.ts';
import type { KeyTools } from './tools.ts';

export function makeCiphers(tools: KeyTools) {
  const { Cipheriv, Decipheriv } = cipherClasses(tools);
  const errors: KeyTools['errors'] = tools.errors;
  return {
    Cipheriv,
    Decipheriv,
    createCipheriv: (name: unknown, key: unknown, iv: unknown, options?: object) =>
      new Cipheriv(name, key, iv, options),
    createDecipheriv: (name: unknown, key: unknown, iv: unknown, options?: object) =>
      new Decipheriv(name, key, iv, options),
    getCiphers: () => [...cipherNames],
    getCipherInfo(name: unknown, options?: { keyLength?: number; ivLength?: number }) {
      if (typeof name !== 'string' && typeof name !== 'number')
        throw errors.argTypeError('nameOrNid', ['string', 'number'], name);
      if (options !== undefined) errors.needObject(options, 'options');
      for (const part of ['keyLength', 'ivLength'] as const)
        if (options?.[part] !== undefined)
          errors.needInteger(options[part], `options.${part}`, -(2 ** 31), 2 ** 31 - 1);
      const info = cipherInfo(name);
      if (!info || (options?.keyLength ?? info.keyLength) !== info.keyLength) return undefined;
      const { ivLength } = options ?? {};
      if (ivLength !== undefined && ivLength !== info.ivLength)
        return info.mode === 'gcm' ? { ...info, ivLength } : undefined;
      return { ...info };
    },
  };
}

function cipherClasses(tools: KeyTools) {
  const { Buffer, Transform, StringDecoder: Decoder } = tools;
  const errors: KeyTools['errors'] = tools.errors;

  /** The base of both directions. */
  class Ciphering extends Transform {
    readonly #state: CipherState;
    #decoder: StringDecoder | undefined;

    constructor(
      isEncrypting: boolean,
      name: unknown,
      key: unknown,
      iv: unknown,
      options?: TransformOptions & { authTagLength?: number },
    ) {
      errors.needString(name, 'cipher');
      const secret = keyBytes(tools, key);
      const start = ivBytes(tools, iv);
      super(options);
      const authTagLength = options?.authTagLength;
      this.#state = new CipherState(errors, isEncrypting, { name, secret, iv: start, authTagLength });
    }

    update(data: unknown, inputEncoding?: unknown, outputEncoding?: unknown): unknown {
      if (typeof data !== 'string' && !ArrayBuffer.isView(data))
        throw errors.argTypeError('data', ['string', 'Buffer', 'TypedArray', 'DataView'], data);
      const bytes = this.#state.update(() => tools.bytesOf(data, 'data', inputEncoding));
      return this.#output(bytes, outputEncoding, false);
    }

    final(outputEncoding?: unknown): unknown {
      return this.#output(this.#state.final(), outputEncoding, true);
    }

    #output(bytes: Uint8Array, encoding: unknown, isLast: boolean): unknown {
      const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      if (encoding === undefined || encoding === null || encoding === 'buffer') return whole;
      this.#decoder ??= new Decoder(encoding as 'utf8');
      return isLast ? this.#decoder.end(whole) : this.#decoder.write(whole);
    }

    setAutoPadding(isOn = true): this {
      this.#state.setPadding(isOn);
      return this;
    }

    setAAD(data: unknown, options?: { encoding?: unknown }): this {
      this.#state.authenticate(() => tools.bytesOf(data, 'buffer', options?.encoding));
      return this;
    }

    protected tag(): unknown {
      return Buffer.from(this.#state.tag());
    }

    protected takeTag(tag: unknown, encoding?: unknown): void {
      this.#state.expectTag(tools.bytesOf(tag, 'buffer', encoding));
    }

    override _transform(chunk: unknown, encoding: string, done: (error?: Error) => void): void {
      this.push(this.update(chunk, encoding));
      done();
    }

    override _flush(done: (error?: Error) => void): void {
      try {
        this.push(this.final());
      } catch (error) {
        return done(error as Error);
      }
      done();
    }
  }

  class Cipheriv extends Ciphering {
    constructor(name: unknown, key: unknown, iv: unknown, options?: object) {
      super(true, name, key, iv, options);
    }
    getAuthTag(): unknown {
      return this.tag();
    }
  }

  class Decipheriv extends Ciphering {
    constructor(name: unknown, key: unknown, iv: unknown, options?: object) {
      super(false, name, key, iv, options);
    }
    setAuthTag(tag: unknown, encoding?: unknown): this {
      this.takeTag(tag, encoding);
      return this;
    }
  }

  return { Cipheriv, Decipheriv };
}

function keyBytes({ keys, bytes, bytesOf, errors }: KeyTools, key: unknown): Uint8Array {
  if (keys.isKey(key)) return keys.secretOf(key);
  if (typeof key !== 'string' && !bytes.bytesIn(key))
    throw errors.argTypeError(
      'key',
      ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView', 'KeyObject', 'CryptoKey'],
      key,
    );
  return bytesOf(key, 'key');
}

function ivBytes({ bytes, bytesOf, errors }: KeyTools, iv: unknown): Uint8Array | undefined {
  if (iv === null) return undefined;
  if (typeof iv !== 'string' && !bytes.bytesIn(iv))
    throw errors.argTypeError('iv', ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], iv);
  return bytesOf(iv, 'iv');
}
