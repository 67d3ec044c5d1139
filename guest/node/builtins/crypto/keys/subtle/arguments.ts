import type { CryptoKey } from '../../key-object.ts';
import type { KeyTools } from '../tools.ts';
import { FORMATS, NAMES, PARAMS, USAGES, type Algorithm } from './algorithms.ts';
import { accessFault, unknownAlgorithm } from './errors.ts';

/** Reads and checks the arguments of the methods of `crypto.subtle`. */
export class SubtleArguments {
  readonly #tools: KeyTools;
  readonly #warned = new Set<string>();

  constructor(tools: KeyTools) {
    this.#tools = tools;
  }

  /** Reads an algorithm, and checks that it has the parameters that the operation needs. */
  algorithm(given: unknown, operation: keyof typeof PARAMS): Algorithm {
    const parts: object = typeof given === 'string' ? { name: given } : Object(given ?? {});
    this.#needMember(parts, 'Algorithm', 'name');
    const name = NAMES.get(String(Reflect.get(parts, 'name')).toLowerCase());
    const needed = name === undefined ? undefined : PARAMS[operation]?.[name];
    if (name === undefined || !needed) throw unknownAlgorithm();
    if (name.endsWith('448')) this.#warnExperimental(name);
    const [dictionary = '', ...members] = needed;
    for (const member of members) this.#needMember(parts, dictionary, member);
    return { ...parts, name };
  }

  #needMember(parts: object, dictionary: string, member: string): void {
    if (Reflect.get(parts, member) === undefined)
      throw this.#tools.errors.nodeError(
        'ERR_MISSING_OPTION',
        `Failed to normalize algorithm: passed algorithm can not be converted to '${dictionary}' because '${member}' is required in '${dictionary}'.`,
        TypeError,
      );
  }

  #warnExperimental(name: string): void {
    if (this.#warned.has(name)) return;
    this.#warned.add(name);
    globalThis.process.emitWarning(
      `The ${name} Web Crypto API algorithm is an experimental feature and might change at any time`,
      'ExperimentalWarning',
    );
  }

  needFormat(format: unknown, method: string): void {
    this.#needEnum(format, FORMATS, 'KeyFormat', method, '1st argument');
  }

  needUsages(usages: readonly string[], method: string, at: string): void {
    for (const [index, use] of usages.entries())
      this.#needEnum(use, USAGES, 'KeyUsage', method, `${at}, index ${index}`);
  }

  #needEnum(value: unknown, allowed: readonly string[], type: string, method: string, at: string): void {
    if (!allowed.includes(String(value)))
      throw this.#tools.errors.nodeError(
        'ERR_INVALID_ARG_VALUE',
        `Failed to execute '${method}' on 'SubtleCrypto': ${at} value '${String(value)}' is not a valid enum value of type ${type}.`,
        TypeError,
      );
  }

  needKey(key: unknown, method: string): void {
    if (!(key instanceof this.#tools.keys.CryptoKey))
      throw this.#tools.errors.nodeError(
        'ERR_INVALID_ARG_TYPE',
        `Failed to execute '${method}' on 'SubtleCrypto': 2nd argument is not of type CryptoKey.`,
        TypeError,
      );
  }

  /** Checks that a key is one of the algorithm and allows the use. */
  needUse(key: CryptoKey, use: string, algorithm: Algorithm): void {
    const isOther = key.algorithm.name !== algorithm.name;
    if (key.usages.includes(use) && !isOther) return;
    if (use === 'sign' || use === 'verify') throw accessFault(`Unable to use this key to ${use}`);
    if (!use.startsWith('derive'))
      throw accessFault('The requested operation is not valid for the provided key');
    throw accessFault(
      key.usages.includes(use) ? 'Key algorithm mismatch' : `baseKey does not have ${use} usage`,
    );
  }

  /** Copies the bytes of an argument, because the program may change them while the operation waits. */
  bytesOf(data: unknown, method: string, at: string): Uint8Array {
    const bytes = this.#tools.bytes.bytesIn(data);
    if (!bytes)
      throw this.#tools.errors.nodeError(
        'ERR_INVALID_ARG_TYPE',
        `Failed to execute '${method}' on 'SubtleCrypto': ${at} is not instance of ArrayBuffer, Buffer, TypedArray, or DataView.`,
        TypeError,
      );
    return Uint8Array.from(bytes);
  }

  hashOf(given: unknown) {
    const name = String(typeof given === 'object' && given !== null ? Reflect.get(given, 'name') : given);
    const found = /^sha-(1|256|384|512)$/i.exec(name);
    const plain = `sha${found?.[1] ?? ''}`;
    const fn = found && this.#tools.hashes.hashNamed(plain);
    if (!fn) throw unknownAlgorithm();
    return { name: name.toUpperCase(), plain, fn };
  }
}
