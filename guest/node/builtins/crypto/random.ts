import type { Buffer as NodeBuffer } from 'node:buffer';
import { argTypeError, needFunction, needObject, outOfRange } from '../internal/errors.ts';
import { later, type Callback } from './context.ts';
import { fillRandom, randomValues } from './fill-random.ts';
import { bytesInRange, needSize } from './random-range.ts';

const MAX_RANDOM_RANGE = 2 ** 48 - 1;

function randomFillSync(buffer: unknown, offset: unknown = 0, size?: unknown): unknown {
  fillRandom(bytesInRange(buffer, offset, size));
  return buffer;
}

function randomFill(buffer: unknown, ...rest: unknown[]): void {
  const at = rest.findIndex((each) => typeof each === 'function');
  const [offset = 0, size] = at < 0 ? rest : rest.slice(0, at);
  const part = at < 0 && rest.length < 3 ? undefined : bytesInRange(buffer, offset, size);
  const callback = at < 0 ? rest[2] : rest[at];
  needFunction(callback, 'callback');
  later(() => {
    if (part) fillRandom(part);
    return buffer;
  }, callback);
}

function randomInt(first: unknown, second?: unknown, third?: unknown): number | void {
  const onlyMax = second === undefined || typeof second === 'function';
  const [min, max] = onlyMax ? [0, first] : [first, second];
  const callback = onlyMax ? second : third;
  if (callback !== undefined) needFunction(callback, 'callback');
  if (!Number.isSafeInteger(min)) throw argTypeError('min', 'a safe integer', min);
  if (!Number.isSafeInteger(max)) throw argTypeError('max', 'a safe integer', max);
  const [low, high] = [Number(min), Number(max)];
  if (high <= low) throw outOfRange('max', `greater than the value of "min" (${low})`, high);
  const range = high - low;
  if (range > MAX_RANDOM_RANGE)
    throw outOfRange(onlyMax ? 'max' : 'max - min', `<= ${MAX_RANDOM_RANGE}`, range);
  const value = numberBelow(range) + low;
  if (callback === undefined) return value;
  return globalThis.process.nextTick(callback, undefined, value);
}

/** Picks with equal chances: a number above the last multiple of the range is drawn again. */
function numberBelow(range: number): number {
  const limit = 2 ** 48 - (2 ** 48 % range);
  const words = new Uint16Array(3);
  for (;;) {
    randomValues(words);
    const value = (words[0] ?? 0) * 2 ** 32 + (words[1] ?? 0) * 2 ** 16 + (words[2] ?? 0);
    if (value < limit) return value % range;
  }
}

/** Makes the members of `crypto` for random values. */
export function makeRandom(Buffer: typeof NodeBuffer) {
  function randomBytes(size: unknown, callback?: Callback): unknown {
    const length = needSize(size);
    if (callback !== undefined) needFunction(callback, 'callback');
    const fill = () => {
      const bytes = Buffer.alloc(length);
      fillRandom(bytes);
      return bytes;
    };
    return callback ? later(fill, callback) : fill();
  }

  function randomUUID(options?: unknown): string {
    if (options !== undefined) {
      needObject(options, 'options');
      const { disableEntropyCache: isFresh = false } = options;
      if (typeof isFresh !== 'boolean') throw argTypeError('options.disableEntropyCache', 'boolean', isFresh);
    }
    const bytes = new Uint8Array(16);
    fillRandom(bytes);
    bytes[6] = ((bytes[6] ?? 0) & 15) | 64;
    bytes[8] = ((bytes[8] ?? 0) & 63) | 128;
    return Buffer.from(bytes)
      .toString('hex')
      .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  }

  return { randomBytes, randomFill, randomFillSync, randomInt, randomUUID };
}
