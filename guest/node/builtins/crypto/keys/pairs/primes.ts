import { isProbablePrime } from 'micro-rsa-dsa-dh/primality.js';
import { bigOfBytes, bytesOfBig } from '../der.ts';
import { PRIME_ROUNDS, primeOf } from '../rsa.ts';
import type { KeyTools } from '../tools.ts';
import { answerLater } from './context.ts';

const NUMBERS = ['ArrayBuffer', 'TypedArray', 'Buffer', 'DataView'];

/** Makes the functions of `crypto` that find and check prime numbers. */
export function makePrimes(tools: KeyTools) {
  const errors: KeyTools['errors'] = tools.errors;

  function bigIn(value: unknown, name: string, types: readonly string[]): bigint {
    const bytes = tools.bytes.bytesIn(value);
    if (typeof value !== 'bigint' && !bytes) throw errors.argTypeError(name, types, value);
    if (typeof value === 'bigint' && value < 0n) throw errors.outOfRange(name, '>= 0', value);
    return typeof value === 'bigint' ? value : bigOfBytes(bytes ?? new Uint8Array(0));
  }

  function checkPrimeSync(candidate: unknown, options: unknown = {}): boolean {
    const value = bigIn(candidate, 'candidate', [...NUMBERS, 'bigint']);
    errors.needObject(options, 'options');
    errors.needInteger(options.checks ?? 0, 'options.checks', 0, 2 ** 31 - 1);
    return value > 1n && (value < 4n || (value % 2n === 1n && isProbablePrime(value, PRIME_ROUNDS)));
  }

  function generatePrimeSync(size: unknown, options: unknown = {}): unknown {
    errors.needInteger(size, 'size', 1, 2 ** 31 - 1);
    errors.needObject(options, 'options');
    const { safe = false, bigint = false } = options;
    for (const [name, value] of Object.entries({ safe, bigint }))
      if (typeof value !== 'boolean') throw errors.argTypeError(`options.${name}`, 'boolean', value);
    const part = (name: string) =>
      options[name] === undefined
        ? undefined
        : bigIn(options[name], `options.${name}`, ['bigint', ...NUMBERS]);
    const [add, rem] = [part('add'), part('rem')];
    const tooLarge = (name: string) =>
      errors.nodeError('ERR_OUT_OF_RANGE', `invalid options.${name}`, RangeError);
    if (add !== undefined && add >> BigInt(size) > 0n) throw tooLarge('add');
    if (add !== undefined && rem !== undefined && rem >= add) throw tooLarge('rem');
    const wanted = rem ?? (safe ? 3n : 1n);
    for (;;) {
      const found = size < 3 ? (safe || tools.random(1)[0] === 0 ? 3n : 2n + BigInt(size - 1)) : undefined;
      const value = found ?? primeOf(size, tools.random, false, add ? { add, rem: wanted } : undefined);
      if (found === undefined && safe && !checkPrimeSync((value - 1n) / 2n)) continue;
      return bigint ? value : Uint8Array.from(bytesOfBig(value, Math.ceil(size / 8))).buffer;
    }
  }

  return {
    checkPrime: (candidate: unknown, ...rest: unknown[]) =>
      answerLater(tools, () => checkPrimeSync(candidate, rest.length > 1 ? rest[0] : undefined), rest.at(-1)),
    checkPrimeSync,
    generatePrime: (size: unknown, ...rest: unknown[]) =>
      answerLater(tools, () => generatePrimeSync(size, rest.length > 1 ? rest[0] : undefined), rest.at(-1)),
    generatePrimeSync,
  };
}
