/** Storage in memory: an origin that is nobody's has none. */
export function replaceStorage(): void {
  for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(window, name, { configurable: true, value: memoryStorage() });
}

function memoryStorage(): object {
  const items = new Map<string, string>();
  const methods = {
    getItem: (key: string) => items.get(String(key)) ?? null,
    setItem: (key: string, value: string) => void items.set(String(key), String(value)),
    removeItem: (key: string) => void items.delete(String(key)),
    clear: () => items.clear(),
    key: (index: number) => [...items.keys()][index] ?? null,
  };
  return new Proxy(methods, {
    get: (_target, key) =>
      key === 'length' ? items.size : key in methods ? Reflect.get(methods, key) : items.get(String(key)),
    set: (_target, key, value) => (items.set(String(key), String(value)), true),
    deleteProperty: (_target, key) => (items.delete(String(key)), true),
    has: (_target, key) => items.has(String(key)) || key in methods,
    ownKeys: () => [...items.keys()],
    getOwnPropertyDescriptor: (_target, key) =>
      items.has(String(key))
        ? { value: items.get(String(key)), enumerable: true, configurable: true }
        : undefined,
  });
}
