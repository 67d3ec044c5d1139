import type { CryptoKey } from '../key-object.ts';
import type { KeyCodec } from './codec.ts';
import { SubtleArguments } from './subtle/arguments.ts';
import { SubtleDerivation } from './subtle/derivation.ts';
import { SubtleEncryption } from './subtle/encryption.ts';
import { guarded } from './subtle/errors.ts';
import { bufferOf, KeyExport } from './subtle/export.ts';
import { KeyGenerator } from './subtle/generate.ts';
import { KeyImport } from './subtle/import.ts';
import { SubtleSignatures } from './subtle/signatures.ts';
import { WebKeys } from './subtle/web-keys.ts';
import type { KeyTools } from './tools.ts';

type Usages = readonly string[];

/** The methods of `crypto.subtle` that need keys. Data are copied before anything waits, as its specification has it. */
export class SubtleMethods {
  readonly #tools: KeyTools;
  readonly #args: SubtleArguments;
  readonly #imports: KeyImport;
  readonly #exports: KeyExport;
  readonly #generator: KeyGenerator;
  readonly #encryption: SubtleEncryption;
  readonly #signatures: SubtleSignatures;
  readonly #derivation: SubtleDerivation;

  constructor(tools: KeyTools, codec: KeyCodec) {
    const args = new SubtleArguments(tools);
    const webKeys = new WebKeys(tools, args);
    this.#tools = tools;
    this.#args = args;
    this.#imports = new KeyImport(tools, codec, args, webKeys);
    this.#exports = new KeyExport(tools, codec, webKeys);
    this.#generator = new KeyGenerator(tools, args, webKeys);
    this.#encryption = new SubtleEncryption(tools, args);
    this.#signatures = new SubtleSignatures(tools, args);
    this.#derivation = new SubtleDerivation(tools, args);
  }

  async encrypt(algorithm: unknown, key: CryptoKey, data: unknown): Promise<ArrayBuffer> {
    return this.#crypt('encrypt', algorithm, key, data);
  }

  async decrypt(algorithm: unknown, key: CryptoKey, data: unknown): Promise<ArrayBuffer> {
    return this.#crypt('decrypt', algorithm, key, data);
  }

  #crypt(method: 'encrypt' | 'decrypt', algorithm: unknown, key: CryptoKey, data: unknown): ArrayBuffer {
    const chosen = this.#args.algorithm(algorithm, 'crypt');
    this.#args.needKey(key, method);
    const bytes = this.#args.bytesOf(data, method, '3rd argument');
    this.#args.needUse(key, method, chosen);
    return guarded(() => bufferOf(this.#encryption.crypt(chosen, key, bytes, method === 'encrypt')));
  }

  async sign(algorithm: unknown, key: CryptoKey, data: unknown): Promise<ArrayBuffer> {
    const chosen = this.#args.algorithm(algorithm, 'sign');
    this.#args.needKey(key, 'sign');
    const bytes = this.#args.bytesOf(data, 'sign', '3rd argument');
    this.#args.needUse(key, 'sign', chosen);
    return guarded(() => bufferOf(this.#signatures.sign(chosen, key, bytes)));
  }

  async verify(algorithm: unknown, key: CryptoKey, signature: unknown, data: unknown): Promise<boolean> {
    const chosen = this.#args.algorithm(algorithm, 'sign');
    this.#args.needKey(key, 'verify');
    const given = this.#args.bytesOf(signature, 'verify', '3rd argument');
    const bytes = this.#args.bytesOf(data, 'verify', '4th argument');
    this.#args.needUse(key, 'verify', chosen);
    return this.#signatures.verify(chosen, key, given, bytes);
  }

  async importKey(
    format: string,
    data: unknown,
    algorithm: unknown,
    extractable: boolean,
    usages: Usages,
  ): Promise<CryptoKey> {
    this.#args.needFormat(format, 'importKey');
    this.#args.needUsages(usages, 'importKey', '5th argument');
    const chosen = this.#args.algorithm(algorithm, 'import');
    return this.#imports.import(format, data, { algorithm: chosen, extractable, usages });
  }

  async exportKey(format: string, key: CryptoKey): Promise<object> {
    this.#args.needFormat(format, 'exportKey');
    this.#args.needKey(key, 'exportKey');
    return this.#exports.export(format, key);
  }

  async generateKey(algorithm: unknown, extractable: boolean, usages: Usages): Promise<object> {
    this.#args.needUsages(usages, 'generateKey', '3rd argument');
    const chosen = this.#args.algorithm(algorithm, 'generate');
    return this.#generator.generate({ algorithm: chosen, extractable, usages });
  }

  async deriveBits(algorithm: unknown, key: CryptoKey, length: number | null = null): Promise<ArrayBuffer> {
    const chosen = this.#args.algorithm(algorithm, 'derive');
    this.#args.needKey(key, 'deriveBits');
    this.#args.needUse(key, 'deriveBits', chosen);
    return bufferOf(this.#derivation.derive(chosen, key, length));
  }

  async deriveKey(
    algorithm: unknown,
    key: CryptoKey,
    derived: unknown,
    extractable: boolean,
    usages: Usages,
  ): Promise<CryptoKey> {
    const chosen = this.#args.algorithm(algorithm, 'derive');
    this.#args.needKey(key, 'deriveKey');
    const wanted = this.#args.algorithm(derived, 'derived');
    this.#args.needUse(key, 'deriveKey', chosen);
    const bits = this.#derivation.derive(chosen, key, this.#derivation.lengthOf(wanted));
    return this.#imports.import('raw', bits, { algorithm: wanted, extractable, usages });
  }

  async wrapKey(
    format: string,
    key: CryptoKey,
    wrapping: CryptoKey,
    algorithm: unknown,
  ): Promise<ArrayBuffer> {
    const chosen = this.#args.algorithm(algorithm, 'wrap');
    this.#args.needUse(wrapping, 'wrapKey', chosen);
    const out = this.#exports.export(format, key);
    const bytes =
      out instanceof ArrayBuffer ? new Uint8Array(out) : this.#tools.Buffer.from(JSON.stringify(out));
    return guarded(() => bufferOf(this.#encryption.crypt(chosen, wrapping, bytes, true)));
  }

  async unwrapKey(
    format: string,
    data: unknown,
    wrapping: CryptoKey,
    algorithm: unknown,
    keyAlgorithm: unknown,
    extractable: boolean,
    usages: Usages,
  ): Promise<CryptoKey> {
    const chosen = this.#args.algorithm(algorithm, 'wrap');
    this.#args.needUse(wrapping, 'unwrapKey', chosen);
    const given = this.#args.bytesOf(data, 'unwrapKey', '2nd argument');
    const bytes = guarded(() => this.#encryption.crypt(chosen, wrapping, given, false));
    const content: unknown = format === 'jwk' ? JSON.parse(this.#tools.Buffer.from(bytes).toString()) : bytes;
    const wanted = this.#args.algorithm(keyAlgorithm, 'import');
    return this.#imports.import(format, content, { algorithm: wanted, extractable, usages });
  }
}
