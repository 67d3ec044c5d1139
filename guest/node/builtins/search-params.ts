import { invalidThis, missingArgs, needFunction, nodeError } from './internal/errors.ts';
import { replace, type Plain } from './web-words.ts';

/** The required arguments of each method. */
const needed: Readonly<Record<string, readonly string[]>> = {
  append: ['name', 'value'],
  delete: ['name'],
  entries: [],
  get: ['name'],
  getAll: ['name'],
  has: ['name'],
  keys: [],
  set: ['name', 'value'],
  sort: [],
  toString: [],
  values: [],
};

/** Makes a method check its receiver and its arguments in node's words. */
function guard(prototype: object, kind: string, name: string, wanted: readonly string[] = []): void {
  const original = Reflect.get(prototype, name) as Plain;
  replace(prototype, name, function (...args) {
    if (!isOf(prototype, this)) throw invalidThis(kind);
    if (args.length < wanted.length) throw missingArgs(...wanted);
    // The conversion to text happens here, because the platform's error differs from node's.
    return Reflect.apply(original, this, [
      ...wanted.map((_, at) => textOf(args[at])),
      ...args.slice(wanted.length),
    ]);
  });
}

const textOf = (value: unknown) => `${value as string}`;

const isOf = (prototype: object, value: unknown) =>
  Object.prototype.isPrototypeOf.call(prototype, value as object);

export function adaptSearchParams(): void {
  const Platform = globalThis.URLSearchParams;
  const { prototype } = Platform;
  const iterators = Object.getPrototypeOf(new Platform().keys()) as object;
  for (const [name, wanted] of Object.entries(needed)) guard(prototype, 'URLSearchParams', name, wanted);
  guard(iterators, 'URLSearchParamsIterator', 'next');
  Object.defineProperty(prototype, Symbol.iterator, { value: Reflect.get(prototype, 'entries') });
  replace(prototype, 'forEach', function (callback, thisArg) {
    if (!isOf(prototype, this)) throw invalidThis('URLSearchParams');
    needFunction(callback, 'callback');
    for (const [name, value] of this as URLSearchParams)
      Reflect.apply(callback, thisArg, [value, name, this]);
  });
  const Adapted = new Proxy(Platform, {
    construct: (target, [init]: unknown[], made) =>
      Reflect.construct(target, init === undefined || init === null ? [] : [pairsOf(init)], made),
  });
  Object.defineProperty(prototype, 'constructor', { value: Adapted });
  Object.defineProperty(globalThis, 'URLSearchParams', { value: Adapted });
}

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

/** Checks pairs before the platform reads them. */
function pairsOf(init: unknown): unknown {
  if (!isObject(init)) return textOf(init);
  if (init instanceof URLSearchParams) return init;
  const iterate: unknown = Reflect.get(init, Symbol.iterator);
  if (iterate === undefined || iterate === null)
    return Reflect.ownKeys(init)
      .filter((key) => Object.prototype.propertyIsEnumerable.call(init, key))
      .map((key) => [textOf(key), textOf(Reflect.get(init, key))]);
  if (typeof iterate !== 'function')
    throw nodeError('ERR_ARG_NOT_ITERABLE', 'Query pairs must be iterable', TypeError);
  return Array.from(init as Iterable<unknown>, (pair) => {
    const items =
      isObject(pair) && typeof Reflect.get(pair, Symbol.iterator) === 'function'
        ? Array.from(pair as Iterable<unknown>)
        : [];
    if (items.length !== 2)
      throw nodeError(
        'ERR_INVALID_TUPLE',
        'Each query pair must be an iterable [name, value] tuple',
        TypeError,
      );
    return items.map(textOf);
  });
}
