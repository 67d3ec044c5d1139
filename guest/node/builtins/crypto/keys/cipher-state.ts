import { cipherInfo, modeOf, type CipherInfo } from './cipher-info.ts';
import type { Mode } from './modes.ts';
import type { KeyTools } from './tools.ts';

/** The arguments of a cipher, after their types have been checked. */
export interface CipherArguments {
  readonly name: string;
  readonly secret: Uint8Array;
  readonly iv: Uint8Array | undefined;
  readonly authTagLength: number | undefined;
}

/** Encrypts or decrypts bytes that come in pieces, and checks what may be called when. */
export class CipherState {
  readonly #errors: KeyTools['errors'];
  readonly #isEncrypting: boolean;
  readonly #mode: Mode;
  readonly #tagLength: number;
  #expectedTag: Uint8Array | undefined;
  #started = false;
  #done = false;

  constructor(errors: KeyTools['errors'], isEncrypting: boolean, given: CipherArguments) {
    this.#errors = errors;
    const { name, secret, iv } = given;
    const authTagLength = given.authTagLength ?? 16;
    const { plainError } = errors;
    const info = cipherInfo(name);
    if (!info) throw plainError('ERR_CRYPTO_UNKNOWN_CIPHER', 'Unknown cipher');
    if (secret.length !== info.keyLength)
      throw plainError('ERR_CRYPTO_INVALID_KEYLEN', 'Invalid key length', RangeError);
    if (!isVector(info, iv))
      throw plainError('ERR_CRYPTO_INVALID_IV', 'Invalid initialization vector', TypeError);
    errors.needInteger(authTagLength, 'options.authTagLength', 0, 2 ** 31 - 1);
    if (info.mode === 'gcm' ? !isTagLength(authTagLength) : authTagLength > 16)
      throw this.#invalidTag(authTagLength);
    this.#tagLength = authTagLength;
    this.#isEncrypting = isEncrypting;
    this.#mode = modeOf(info, secret, info.ivLength === undefined ? undefined : iv, isEncrypting);
  }

  /** `read` is called after the check that more data may come. */
  update(read: () => Uint8Array): Uint8Array {
    if (this.#done) throw new Error('Trying to add data in unsupported state');
    this.#started = true;
    return this.#mode.update(read());
  }

  final(): Uint8Array {
    if (this.#done) throw this.#errors.plainError('ERR_CRYPTO_INVALID_STATE', 'Invalid state');
    this.#done = true;
    const bytes = this.#mode.final();
    const { auth } = this.#mode;
    if (auth && !this.#isEncrypting) {
      const tag = auth.tag();
      if (!this.#expectedTag?.every((byte, at) => byte === tag[at]))
        throw new Error('Unsupported state or unable to authenticate data');
    }
    return bytes;
  }

  setPadding(isOn: boolean): void {
    if (this.#done) throw this.#invalidState('setAutoPadding');
    if (this.#mode.padding !== undefined) this.#mode.padding = isOn;
  }

  authenticate(read: () => Uint8Array): void {
    const { auth } = this.#mode;
    if (!auth || this.#started) throw this.#invalidState('setAAD');
    auth.aad(read());
  }

  /** The authentication tag, once all bytes are encrypted. */
  tag(): Uint8Array {
    const { auth } = this.#mode;
    if (!auth || !this.#done) throw this.#invalidState('getAuthTag');
    return auth.tag().slice(0, this.#tagLength);
  }

  /** Sets the authentication tag that `final` must find. */
  expectTag(tag: Uint8Array): void {
    if (!this.#mode.auth || this.#expectedTag || this.#done) throw this.#invalidState('setAuthTag');
    if (!isTagLength(tag.length)) throw this.#invalidTag(tag.length);
    this.#expectedTag = Uint8Array.from(tag);
  }

  #invalidState(name: string): Error {
    return this.#errors.nodeError('ERR_CRYPTO_INVALID_STATE', `Invalid state for operation ${name}`);
  }

  #invalidTag(length: number): Error {
    return this.#errors.plainError(
      'ERR_CRYPTO_INVALID_AUTH_TAG',
      `Invalid authentication tag length: ${length}`,
      TypeError,
    );
  }
}

function isVector(info: CipherInfo, iv: Uint8Array | undefined): boolean {
  if (info.ivLength === undefined) return !iv || iv.length === 0;
  if (info.mode === 'gcm') return iv !== undefined && iv.length > 0;
  if (info.mode === 'stream') return iv !== undefined && iv.length <= 12;
  return iv?.length === info.ivLength;
}

const isTagLength = (length: number) => length === 4 || length === 8 || (length >= 12 && length <= 16);
