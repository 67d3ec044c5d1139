import { isProxy } from '../internal/proxies.ts';

type Check = (value: unknown) => boolean;

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

/** Whether reading an internal slot goes well: no name on an object can pretend to it. */
function branded(read: (value: unknown) => unknown): Check;
function branded<Type>(read: (value: unknown) => unknown): (value: unknown) => value is Type;
function branded(read: (value: unknown) => unknown): Check {
  return (value) => {
    if (!isObject(value)) return false;
    try {
      read(value);
      return true;
    } catch {
      return false;
    }
  };
}

function getter(prototype: object, name: string | symbol): (value: unknown) => unknown {
  const get = Object.getOwnPropertyDescriptor(prototype, name)?.get;
  return (value) => {
    if (!get) throw new TypeError(String(name));
    return Reflect.apply(get, value, []);
  };
}

const method =
  (prototype: object, name: string, ...args: unknown[]) =>
  (value: unknown): unknown => {
    const call: unknown = Reflect.get(prototype, name);
    if (typeof call !== 'function') throw new TypeError(name);
    return Reflect.apply(call, value, args);
  };

const tagOf = (value: unknown) => Object.prototype.toString.call(value).slice(8, -1);
const typedArrayTag = getter(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag);

function typedArrayName(value: unknown): unknown {
  return isObject(value) ? typedArrayTag(value) : undefined;
}

const functionKind = (name: string): Check => {
  const kind: unknown = Object.getPrototypeOf(
    {
      AsyncFunction: async () => {},
      GeneratorFunction: function* () {},
      AsyncGeneratorFunction: async function* () {},
    }[name],
  );
  return (value) =>
    typeof value === 'function' && (Object.getPrototypeOf(value) === kind || tagOf(value) === name);
};

const isAsync = functionKind('AsyncFunction');
const isGenerator = functionKind('GeneratorFunction');
const isAsyncGenerator = functionKind('AsyncGeneratorFunction');
const isGeneratorFunction: Check = (value) => isGenerator(value) || isAsyncGenerator(value);
const isAsyncFunction: Check = (value) => isAsync(value) || isAsyncGenerator(value);

const iteratorOf = (values: Iterable<unknown>): object => Object.getPrototypeOf(values[Symbol.iterator]());

// An iterator's slot cannot be read without a step: its prototype tells it.
const iterator = (name: string, prototype: object): Check => {
  return (value) => isObject(value) && tagOf(value) === name && prototype.isPrototypeOf(value);
};

const isArgumentsObject: Check = (value) =>
  isObject(value) && !(Symbol.toStringTag in value) && tagOf(value) === 'Arguments';

const isNumberObject = branded(method(Number.prototype, 'valueOf'));
const isStringObject = branded(method(String.prototype, 'valueOf'));
const isBooleanObject = branded(method(Boolean.prototype, 'valueOf'));
const isSymbolObject = branded(method(Symbol.prototype, 'valueOf'));
const isBigIntObject = branded(method(BigInt.prototype, 'valueOf'));
const isArrayBuffer = branded(getter(ArrayBuffer.prototype, 'byteLength'));
const isSharedArrayBuffer: Check =
  typeof SharedArrayBuffer === 'undefined'
    ? () => false
    : branded(getter(SharedArrayBuffer.prototype, 'byteLength'));

function isPromise(value: unknown): value is Promise<unknown> {
  return (
    value instanceof Promise ||
    (isObject(value) && tagOf(value) === 'Promise' && 'then' in value && isThenable(value))
  );
}

// From another realm: what Promise.resolve hands back unchanged is none of ours, so its constructor decides.
function isThenable(value: object): boolean {
  const { constructor } = value;
  return (
    typeof constructor === 'function' && /\[native code\]/.test(Function.prototype.toString.call(constructor))
  );
}

const isDomException = branded(getter(DOMException.prototype, 'code'));

/** Browsers before 2025 do not have it. */
const ownIsError: unknown = Reflect.get(Error, 'isError');

const isNativeError: Check = (value) =>
  isObject(value) &&
  ((typeof ownIsError === 'function' && ownIsError(value) === true) ||
    (tagOf(value) === 'Error' && (value instanceof Error || !(Symbol.toStringTag in value))) ||
    isDomException(value));

/** An error of this realm or of another one, or what was made to be one. */
export const isError = (value: unknown): value is Error => isNativeError(value) || value instanceof Error;

const isGlobal = getter(RegExp.prototype, 'global');

const typedNames = [
  'Uint8Array',
  'Uint8ClampedArray',
  'Uint16Array',
  'Uint32Array',
  'Int8Array',
  'Int16Array',
  'Int32Array',
  'Float16Array',
  'Float32Array',
  'Float64Array',
  'BigInt64Array',
  'BigUint64Array',
];

export const types = {
  isExternal: (_value: unknown) => false,
  isDate: branded(method(Date.prototype, 'getTime')),
  isArgumentsObject,
  isBigIntObject,
  isBooleanObject,
  isNumberObject,
  isStringObject,
  isSymbolObject,
  isBoxedPrimitive: (value: unknown) =>
    [isNumberObject, isStringObject, isBooleanObject, isBigIntObject, isSymbolObject].some((is) => is(value)),
  isNativeError,
  isRegExp: branded<RegExp>((value) => {
    if (value === RegExp.prototype) throw new TypeError();
    return isGlobal(value);
  }),
  isAsyncFunction,
  isGeneratorFunction,
  isGeneratorObject: (value: unknown) =>
    isObject(value) && (tagOf(value) === 'Generator' || tagOf(value) === 'AsyncGenerator'),
  isPromise,
  isMap: branded(getter(Map.prototype, 'size')),
  isSet: branded(getter(Set.prototype, 'size')),
  isMapIterator: iterator('Map Iterator', iteratorOf(new Map())),
  isSetIterator: iterator('Set Iterator', iteratorOf(new Set())),
  isWeakMap: branded(method(WeakMap.prototype, 'has', {})),
  isWeakSet: branded(method(WeakSet.prototype, 'has', {})),
  isArrayBuffer,
  isDataView: branded(getter(DataView.prototype, 'byteLength')),
  isSharedArrayBuffer,
  isProxy,
  isModuleNamespaceObject: (value: unknown) =>
    isObject(value) &&
    Object.getPrototypeOf(value) === null &&
    tagOf(value) === 'Module' &&
    Object.isSealed(value),
  isAnyArrayBuffer: (value: unknown) => isArrayBuffer(value) || isSharedArrayBuffer(value),
  isCryptoKey: (value: unknown) => isObject(value) && tagOf(value) === 'CryptoKey',
  isKeyObject: (value: unknown) => isObject(value) && value.constructor?.name.endsWith('KeyObject') === true,
  isArrayBufferView: (value: unknown) => ArrayBuffer.isView(value),
  isTypedArray: (value: unknown) => typedArrayName(value) !== undefined,
  ...Object.fromEntries(
    typedNames.map((name) => [`is${name}`, (value: unknown) => typedArrayName(value) === name]),
  ),
};
