import { PlainProxy } from '../builtins/internal/proxies.ts';

/**
 * Makes the namespace object of a module. Its values follow those of the module, and nothing else can change them. `names`
 * returns undefined until the module is linked.
 */
export function namespaceOf(
  names: () => readonly string[] | undefined,
  bindings: Record<string, unknown>,
): object {
  const target: object = Object.create(null, {
    [Symbol.toStringTag]: { value: 'Module', writable: false, enumerable: false, configurable: false },
  });
  let sealed = false;
  // The object may be in use before the module is linked, so the names are added later.
  const seal = () => {
    if (sealed) return;
    const sorted = names()?.toSorted();
    if (!sorted) return;
    sealed = true;
    for (const name of sorted)
      Object.defineProperty(target, name, { value: undefined, writable: true, enumerable: true });
    Object.preventExtensions(target);
  };
  const has = (key: string | symbol): key is string => typeof key === 'string' && key in bindings;
  const proxy = new PlainProxy(target, {
    get: (_target, key): unknown => (typeof key === 'symbol' ? Reflect.get(target, key) : bindings[key]),
    has: (_target, key) => {
      seal();
      return Reflect.has(target, key) || has(key);
    },
    ownKeys: () => {
      seal();
      return Reflect.ownKeys(target);
    },
    getOwnPropertyDescriptor: (_target, key) => {
      seal();
      if (!has(key)) return Reflect.getOwnPropertyDescriptor(target, key);
      const configurable = !Object.hasOwn(target, key);
      return { value: bindings[key], writable: true, enumerable: true, configurable };
    },
    isExtensible: () => {
      seal();
      return Reflect.isExtensible(target);
    },
    preventExtensions: () => {
      seal();
      return Reflect.preventExtensions(target);
    },
    set: (_target, key) => {
      throw new TypeError(
        has(key)
          ? `Cannot assign to read only property '${key}' of object '[object Module]'`
          : `Cannot add property ${String(key)}, object is not extensible`,
      );
    },
    defineProperty: (_target, key, { value, writable, enumerable, configurable, get }) =>
      has(key) &&
      get === undefined &&
      writable !== false &&
      enumerable !== false &&
      configurable !== true &&
      (value === undefined || Object.is(value, bindings[key])),
    deleteProperty: (_target, key) => !has(key),
    setPrototypeOf: (_target, prototype) => prototype === null,
  });
  return proxy;
}
