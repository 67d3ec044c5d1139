import { isError, types } from '../util/types.ts';

type Mode = 'strict' | 'loose' | 'partial';
type Seen = Map<object, object>;

export const isDeepStrictEqual = (one: unknown, other: unknown): boolean =>
  same(one, other, 'strict', new Map());
export const isDeepEqual = (one: unknown, other: unknown): boolean => same(one, other, 'loose', new Map());
/** Whether `expected` is found within `actual`. */
export const isPartiallyEqual = (actual: unknown, expected: unknown): boolean =>
  same(actual, expected, 'partial', new Map());

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function same(one: unknown, other: unknown, mode: Mode, seen: Seen): boolean {
  if (one === other) return one !== 0 || mode === 'loose' || Object.is(one, other);
  if (mode !== 'loose') {
    if (!isObject(one) || !isObject(other)) return Object.is(one, other);
    if (mode === 'strict' && Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return false;
  } else {
    if (!isObject(one) || !isObject(other)) {
      if (isObject(one) !== isObject(other)) return false;
      if (typeof one === 'function' || typeof other === 'function') return false;
      return isLooselyEqual(one, other);
    }
  }
  return sameObjects(one, other, mode, seen);
}

/** Compares with `==`, except that NaN equals itself. */
export function isLooselyEqual(one: unknown, other: unknown): boolean {
  // eslint-disable-next-line eqeqeq -- that is what the loose comparison is.
  return one == other || (Number.isNaN(one) && Number.isNaN(other));
}

const tagOf = (value: object) => Object.prototype.toString.call(value);

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function sameObjects(one: object, other: object, mode: Mode, seen: Seen): boolean {
  const tag = tagOf(one);
  if (tag !== tagOf(other)) return false;
  // Most objects are plain, and most of the questions below are answered by an exception, which takes long to make.
  if (tag === '[object Object]' && isPlain(one) && isPlain(other))
    return sameKeys(one, other, mode, seen, keysOf(one), keysOf(other), () => true);
  if (Array.isArray(one)) {
    if (!Array.isArray(other)) return false;
    if (mode === 'partial') return partialList(one, other, seen);
    if (one.length !== other.length) return false;
    return sameKeys(
      one,
      other,
      mode,
      seen,
      indexlessKeys(one),
      indexlessKeys(other),
      () =>
        one.every((item, at) => sameItem(one, other, item, at, mode, seen)) && holesMatch(one, other, mode),
    );
  }
  if (types.isDate(one)) {
    if (
      !types.isDate(other) ||
      !Object.is(Date.prototype.getTime.call(one), Date.prototype.getTime.call(other))
    )
      return false;
  } else if (types.isRegExp(one)) {
    if (!types.isRegExp(other) || !sameRegExps(one as RegExp, other as RegExp)) return false;
  } else if (isError(one)) {
    if (!isError(other)) return false;
    if (!sameErrors(one, other, mode, seen)) return false;
  } else if (ArrayBuffer.isView(one)) {
    if (!ArrayBuffer.isView(other) || !sameViews(one, other, mode)) return false;
    return sameKeys(one, other, mode, seen, indexlessKeys(one), indexlessKeys(other), () => true);
  } else if (types.isSet(one)) {
    if (!types.isSet(other)) return false;
    const [first, second] = [one as Set<unknown>, other as Set<unknown>];
    if (mode === 'partial' ? first.size < second.size : first.size !== second.size) return false;
    return sameKeys(one, other, mode, seen, keysOf(one), keysOf(other), () =>
      sameSets(first, second, mode, seen),
    );
  } else if (types.isMap(one)) {
    if (!types.isMap(other)) return false;
    const [first, second] = [one as Map<unknown, unknown>, other as Map<unknown, unknown>];
    if (mode === 'partial' ? first.size < second.size : first.size !== second.size) return false;
    return sameKeys(one, other, mode, seen, keysOf(one), keysOf(other), () =>
      sameMaps(first, second, mode, seen),
    );
  } else if (types.isAnyArrayBuffer(one)) {
    if (!types.isAnyArrayBuffer(other)) return false;
    const [first, second] = [new Uint8Array(one as ArrayBuffer), new Uint8Array(other as ArrayBuffer)];
    if (first.length !== second.length || first.some((byte, at) => byte !== second[at])) return false;
  } else if (types.isBoxedPrimitive(one)) {
    if (!sameBoxed(one, other)) return false;
  } else if (
    Array.isArray(other) ||
    ArrayBuffer.isView(other) ||
    [
      types.isSet,
      types.isMap,
      types.isDate,
      types.isRegExp,
      types.isAnyArrayBuffer,
      types.isBoxedPrimitive,
    ].some((is) => is(other)) ||
    isError(other)
  ) {
    return false;
  } else if (types.isWeakMap(one) || types.isWeakSet(one)) return false;
  else if (one instanceof URL && other instanceof URL && one.href !== other.href) return false;
  return sameKeys(one, other, mode, seen, keysOf(one), keysOf(other), () => true);
}

function sameItem(
  one: readonly unknown[],
  other: readonly unknown[],
  item: unknown,
  at: number,
  mode: Mode,
  seen: Seen,
): boolean {
  return Object.hasOwn(one, at) === Object.hasOwn(other, at) && same(item, other[at], mode, seen);
}

// `every` passes over holes.
function holesMatch(one: readonly unknown[], other: readonly unknown[], mode: Mode): boolean {
  for (let at = 0; at < one.length; at++) {
    if (Object.hasOwn(one, at)) continue;
    if (Object.hasOwn(other, at) && (mode === 'strict' || other[at] !== undefined)) return false;
  }
  return true;
}

function partialList(actual: readonly unknown[], expected: readonly unknown[], seen: Seen): boolean {
  if (expected.length > actual.length) return false;
  let from = 0;
  return expected.every((wanted) => {
    while (from < actual.length) if (same(actual[from++], wanted, 'partial', seen)) return true;
    return false;
  });
}

const boxes = [
  [types.isNumberObject, Number],
  [types.isStringObject, String],
  [types.isBooleanObject, Boolean],
  [types.isBigIntObject, BigInt],
  [types.isSymbolObject, Symbol],
] as const;

/** Compares the boxed values themselves, ignoring overridden methods. */
function sameBoxed(one: object, other: object): boolean {
  const [is, Class] = boxes.find(([is]) => is(one)) ?? [];
  const inside = (value: object): unknown =>
    Class && Reflect.apply(Class.prototype.valueOf as () => unknown, value, []);
  return is !== undefined && is(other) && Object.is(inside(one), inside(other));
}

const sameRegExps = (one: RegExp, other: RegExp) =>
  one.source === other.source && one.flags === other.flags && one.lastIndex === other.lastIndex;

function sameErrors(one: Error, other: Error, mode: Mode, seen: Seen): boolean {
  const parts = ['message', 'name', 'cause', 'errors'] as const;
  return parts.every((part) => {
    const hidden = (error: Error) => !Object.prototype.propertyIsEnumerable.call(error, part);
    if (!hidden(one) || !hidden(other)) return true;
    if (mode === 'partial' && !(part in other)) return true;
    if ((part === 'cause' || part === 'errors') && Object.hasOwn(one, part) !== Object.hasOwn(other, part))
      return false;
    return same(Reflect.get(one, part), Reflect.get(other, part), mode, seen);
  });
}

function sameViews(one: ArrayBufferView, other: ArrayBufferView, mode: Mode): boolean {
  if (one.byteLength !== other.byteLength) return false;
  if (one instanceof Float32Array || one instanceof Float64Array) {
    const [first, second] = [Array.from(one), Array.from(other as Float64Array)];
    return first.every((value, at) =>
      mode === 'strict'
        ? Object.is(value, second[at])
        : value === second[at] || isLooselyEqual(value, second[at]),
    );
  }
  const bytes = (view: ArrayBufferView) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  const [first, second] = [bytes(one), bytes(other)];
  return first.every((byte, at) => byte === second[at]);
}

const enumerable = (value: object, key: PropertyKey) =>
  Object.prototype.propertyIsEnumerable.call(value, key);

function keysOf(value: object): (string | symbol)[] {
  return [
    ...Object.keys(value),
    ...Object.getOwnPropertySymbols(value).filter((key) => enumerable(value, key)),
  ];
}

/** The names of larger arrays are not listed, because there would be one for each element. */
const NAMED_BYTES = 2 ** 16;

function indexlessKeys(value: object): (string | symbol)[] {
  if (ArrayBuffer.isView(value) && value.byteLength > NAMED_BYTES)
    return Object.getOwnPropertySymbols(value).filter((key) => enumerable(value, key));
  return keysOf(value).filter((key) => typeof key === 'symbol' || !/^(0|[1-9]\d*)$/.test(key));
}

function sameKeys(
  one: object,
  other: object,
  mode: Mode,
  seen: Seen,
  ownKeys: (string | symbol)[],
  otherKeys: (string | symbol)[],
  inside: () => boolean,
): boolean {
  const asked = (keys: (string | symbol)[]) =>
    mode === 'loose' ? keys.filter((key) => typeof key === 'string') : keys;
  const wanted = asked(otherKeys);
  if (mode !== 'partial' && asked(ownKeys).length !== wanted.length) return false;
  if (!wanted.every((key) => enumerable(one, key))) return false;
  if (seen.get(one) === other) return true;
  const before = seen.get(one);
  seen.set(one, other);
  const equal =
    wanted.every((key) => same(Reflect.get(one, key), Reflect.get(other, key), mode, seen)) && inside();
  if (before) seen.set(one, before);
  else seen.delete(one);
  return equal;
}

function sameSets(one: Set<unknown>, other: Set<unknown>, mode: Mode, seen: Seen): boolean {
  const unmatched = new Set<unknown>();
  for (const wanted of other) if (!one.has(wanted)) unmatched.add(wanted);
  if (unmatched.size === 0) return true;
  const free = [...one].filter((value) => !other.has(value));
  for (const wanted of unmatched) {
    if (mode === 'strict' && !isObject(wanted)) return false;
    const at = free.findIndex((value) => same(value, wanted, mode, seen));
    if (at < 0) return false;
    free.splice(at, 1);
  }
  return true;
}

function sameMaps(one: Map<unknown, unknown>, other: Map<unknown, unknown>, mode: Mode, seen: Seen): boolean {
  const unmatched: [unknown, unknown][] = [];
  for (const [key, value] of other) {
    if (one.has(key)) {
      if (!same(one.get(key), value, mode, seen)) return false;
    } else unmatched.push([key, value]);
  }
  const free = [...one].filter(([key]) => !other.has(key));
  return unmatched.every(([key, value]) => {
    if (mode === 'strict' && !isObject(key)) return false;
    const at = free.findIndex((each) => same(each[0], key, mode, seen) && same(each[1], value, mode, seen));
    if (at < 0) return false;
    free.splice(at, 1);
    return true;
  });
}
