import type { StringDecoder } from 'node:string_decoder';
import { blockMode, chachaMode, ctrMode, gcmMode, type Mode } from './modes.ts';
import type { KeyTools } from './tools.ts';

interface CipherInfo {
  readonly mode: string;
  readonly name: string;
  readonly nid: number;
  readonly blockSize?: number;
  readonly ivLength?: number;
  readonly keyLength: number;
}

const NIDS = {
  cbc: [419, 423, 427],
  ctr: [904, 905, 906],
  ecb: [418, 422, 426],
  gcm: [895, 898, 901],
} as const;

const infos = new Map<string, CipherInfo>();
for (const [mode, nids] of Object.entries(NIDS))
  for (const [at, nid] of nids.entries()) {
    const bits = 128 + at * 64;
    const info = {
      mode,
      name: mode === 'gcm' ? `id-aes${bits}-gcm` : `aes-${bits}-${mode}`,
      nid,
      blockSize: mode === 'cbc' || mode === 'ecb' ? 16 : 1,
      ...(mode !== 'ecb' && { ivLength: mode === 'gcm' ? 12 : 16 }),
      keyLength: bits / 8,
    };
    infos.set(`aes-${bits}-${mode}`, info);
    if (mode === 'gcm') infos.set(`id-aes${bits}-GCM`, info);
    if (mode === 'cbc') infos.set(`aes${bits}`, info);
  }
infos.set('chacha20-poly1305', {
  mode: 'stream',
  name: 'chacha20-poly1305',
  nid: 1018,
  ivLength: 12,
  keyLength: 32,
});

const byLowerCase = new Map([...infos].map(([name, info]) => [name.toLowerCase(), info]));

export const cipherNames = [...infos.keys()].sort();

function modeOf(info: CipherInfo, key: Uint8Array, iv: Uint8Array | undefined, isEncrypting: boolean): Mode {
  const start = iv ?? new Uint8Array(0);
  if (info.mode === 'gcm') return gcmMode(key, start, isEncrypting);
  if (info.mode === 'stream') return chachaMode(key, start, isEncrypting);
  return info.mode === 'ctr' ? ctrMode(key, start) : blockMode(key, iv, isEncrypting);
}

/** One piece through a mode and out: for what has it all at once. */
export function crypt(
  name: string,
  key: Uint8Array,
  iv: Uint8Array,
  data: Uint8Array,
  isEncrypting: boolean,
): Uint8Array {
  const info = infos.get(name);
  if (!info) throw new Error(`no cipher ${name}`);
  const mode = modeOf(info, key, iv, isEncrypting);
  const [first, last] = [mode.update(data), mode.final()];
  const whole = new Uint8Array(first.length + last.length);
  whole.set(first);
  whole.set(last, first.length);
  return whole;
}

export function makeCiphers(tools: KeyTools) {
  const { Buffer, Transform, StringDecoder: Decoder, keys } = tools;
  const errors: KeyTools['errors'] = tools.errors;
  const { argTypeError, nodeError, plainError } = errors;
  const invalidState = (name: string) =>
    nodeError('ERR_CRYPTO_INVALID_STATE', `Invalid state for operation ${name}`);
  const unauthentic = () => new Error('Unsupported state or unable to authenticate data');

  function keyBytes(key: unknown): Uint8Array {
    if (keys.isKey(key)) return keys.secretOf(key);
    if (typeof key !== 'string' && !tools.bytes.bytesIn(key))
      throw argTypeError(
        'key',
        ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView', 'KeyObject', 'CryptoKey'],
        key,
      );
    return tools.bytesOf(key, 'key');
  }

  function ivBytes(iv: unknown): Uint8Array | undefined {
    if (iv === null) return undefined;
    if (typeof iv !== 'string' && !tools.bytes.bytesIn(iv))
      throw argTypeError('iv', ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], iv);
    return tools.bytesOf(iv, 'iv');
  }

  /** The base of both directions. */
  class Ciphering extends Transform {
    readonly #isEncrypting: boolean;
    readonly #mode: Mode;
    readonly #tagLength: number;
    #tag: Uint8Array | undefined;
    #started = false;
    #done = false;
    #decoder: StringDecoder | undefined;
    constructor(
      isEncrypting: boolean,
      name: unknown,
      key: unknown,
      iv: unknown,
      options?: { authTagLength?: number },
    ) {
      errors.needString(name, 'cipher');
      const secret = keyBytes(key);
      const start = ivBytes(iv);
      super(options as object);
      const info = byLowerCase.get(name.toLowerCase());
      if (!info) throw plainError('ERR_CRYPTO_UNKNOWN_CIPHER', 'Unknown cipher');
      if (secret.length !== info.keyLength)
        throw plainError('ERR_CRYPTO_INVALID_KEYLEN', 'Invalid key length', RangeError);
      const isRight =
        info.ivLength === undefined
          ? !start || start.length === 0
          : info.mode === 'gcm'
            ? start !== undefined && start.length > 0
            : info.mode === 'stream'
              ? start !== undefined && start.length <= 12
              : start?.length === info.ivLength;
      if (!isRight) throw plainError('ERR_CRYPTO_INVALID_IV', 'Invalid initialization vector', TypeError);
      this.#tagLength = options?.authTagLength ?? 16;
      errors.needInteger(this.#tagLength, 'options.authTagLength', 0, 2 ** 31 - 1);
      const isTagRight = info.mode === 'gcm' ? isTagLength(this.#tagLength) : this.#tagLength <= 16;
      if (!isTagRight)
        throw plainError(
          'ERR_CRYPTO_INVALID_AUTH_TAG',
          `Invalid authentication tag length: ${this.#tagLength}`,
          TypeError,
        );
      this.#isEncrypting = isEncrypting;
      this.#mode = modeOf(info, secret, info.ivLength === undefined ? undefined : start, isEncrypting);
    }

    update(data: unknown, inputEncoding?: unknown, outputEncoding?: unknown): unknown {
      if (typeof data !== 'string' && !ArrayBuffer.isView(data))
        throw argTypeError('data', ['string', 'Buffer', 'TypedArray', 'DataView'], data);
      if (this.#done) throw new Error('Trying to add data in unsupported state');
      this.#started = true;
      const bytes = this.#mode.update(tools.bytesOf(data, 'data', inputEncoding));
      return this.#output(bytes, outputEncoding, false);
    }

    final(outputEncoding?: unknown): unknown {
      if (this.#done) throw plainError('ERR_CRYPTO_INVALID_STATE', 'Invalid state');
      this.#done = true;
      const bytes = this.#mode.final();
      const { auth } = this.#mode;
      if (auth && !this.#isEncrypting) {
        const tag = auth.tag();
        const given = this.#tag;
        if (!given || !given.every((byte, at) => byte === tag[at])) throw unauthentic();
      }
      return this.#output(bytes, outputEncoding, true);
    }

    #output(bytes: Uint8Array, encoding: unknown, isLast: boolean): unknown {
      const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      if (encoding === undefined || encoding === null || encoding === 'buffer') return whole;
      this.#decoder ??= new Decoder(encoding as 'utf8');
      return isLast ? this.#decoder.end(whole) : this.#decoder.write(whole);
    }

    setAutoPadding(isOn = true): this {
      if (this.#done) throw invalidState('setAutoPadding');
      if (this.#mode.padding !== undefined) this.#mode.padding = isOn;
      return this;
    }

    setAAD(data: unknown, options?: { encoding?: unknown }): this {
      const { auth } = this.#mode;
      if (!auth || this.#started) throw invalidState('setAAD');
      auth.aad(tools.bytesOf(data, 'buffer', options?.encoding));
      return this;
    }

    protected tag(): unknown {
      const { auth } = this.#mode;
      if (!auth || !this.#done) throw invalidState('getAuthTag');
      return Buffer.from(auth.tag().slice(0, this.#tagLength));
    }

    protected takeTag(tag: unknown, encoding?: unknown): void {
      const bytes = tools.bytesOf(tag, 'buffer', encoding);
      if (!this.#mode.auth || this.#tag || this.#done) throw invalidState('setAuthTag');
      if (!isTagLength(bytes.length))
        throw plainError(
          'ERR_CRYPTO_INVALID_AUTH_TAG',
          `Invalid authentication tag length: ${bytes.length}`,
          TypeError,
        );
      this.#tag = Uint8Array.from(bytes);
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
        throw argTypeError('nameOrNid', ['string', 'number'], name);
      if (options !== undefined) errors.needObject(options, 'options');
      for (const part of ['keyLength', 'ivLength'] as const)
        if (options?.[part] !== undefined)
          errors.needInteger(options[part], `options.${part}`, -(2 ** 31), 2 ** 31 - 1);
      const info =
        typeof name === 'number'
          ? [...infos.values()].find(({ nid }) => nid === name)
          : byLowerCase.get(String(name).toLowerCase());
      if (!info || (options?.keyLength ?? info.keyLength) !== info.keyLength) return undefined;
      const { ivLength } = options ?? {};
      if (ivLength !== undefined && ivLength !== info.ivLength)
        return info.mode === 'gcm' ? { ...info, ivLength } : undefined;
      return { ...info };
    },
  };
}

const isTagLength = (length: number) => length === 4 || length === 8 || (length >= 12 && length <= 16);
