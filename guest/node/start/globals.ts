/** The names in node's global scope that are not part of the language. */
const NODE_GLOBALS = [
  'AbortController',
  'AbortSignal',
  'Blob',
  'BroadcastChannel',
  'ByteLengthQueuingStrategy',
  'CompressionStream',
  'CountQueuingStrategy',
  'Crypto',
  'CryptoKey',
  'CustomEvent',
  'DOMException',
  'DecompressionStream',
  'Event',
  'EventTarget',
  'File',
  'FormData',
  'Headers',
  'MessageChannel',
  'MessageEvent',
  'MessagePort',
  'Navigator',
  'Performance',
  'PerformanceEntry',
  'PerformanceMark',
  'PerformanceMeasure',
  'PerformanceObserver',
  'PerformanceObserverEntryList',
  'PerformanceResourceTiming',
  'ReadableByteStreamController',
  'ReadableStream',
  'ReadableStreamBYOBReader',
  'ReadableStreamBYOBRequest',
  'ReadableStreamDefaultController',
  'ReadableStreamDefaultReader',
  'Request',
  'Response',
  'SubtleCrypto',
  'TextDecoder',
  'TextDecoderStream',
  'TextEncoder',
  'TextEncoderStream',
  'TransformStream',
  'TransformStreamDefaultController',
  'URL',
  'URLSearchParams',
  'WebAssembly',
  'WebSocket',
  'WritableStream',
  'WritableStreamDefaultController',
  'WritableStreamDefaultWriter',
  'atob',
  'btoa',
  'console',
  'crypto',
  'fetch',
  'navigator',
  'performance',
  'queueMicrotask',
  'structuredClone',
];

/** The language's globals in Node 22's engine. A browser's newer ones are hidden. */
const LANGUAGE = [
  'AggregateError Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array Boolean DataView Date',
  'Error EvalError FinalizationRegistry Float32Array Float64Array Function Infinity Int16Array',
  'Int32Array Int8Array Intl Iterator JSON Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp',
  'Set SharedArrayBuffer String Symbol SyntaxError TypeError URIError Uint16Array Uint32Array',
  'Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet decodeURI decodeURIComponent encodeURI encodeURIComponent escape',
  'eval globalThis isFinite isNaN parseFloat parseInt undefined unescape',
]
  .join(' ')
  .split(' ');

/** The globals that a flag of the command line removes. */
const SWITCHED_OFF: Readonly<Record<string, readonly string[]>> = {
  '--no-experimental-fetch': ['fetch', 'FormData', 'Headers', 'Request', 'Response', 'MessageEvent'],
  '--no-experimental-global-customevent': ['CustomEvent'],
  '--no-experimental-global-navigator': ['navigator', 'Navigator'],
  '--no-experimental-global-webcrypto': ['crypto', 'Crypto', 'CryptoKey', 'SubtleCrypto'],
  '--no-experimental-websocket': ['WebSocket'],
};

export function switchOffGlobals(isGiven: (flag: string) => boolean): void {
  for (const [flag, names] of Object.entries(SWITCHED_OFF))
    if (isGiven(flag))
      for (const name of names) {
        Reflect.deleteProperty(globalThis, name);
        // The object may inherit a property of the same name.
        if (name in globalThis)
          Object.defineProperty(globalThis, name, { value: undefined, configurable: true, writable: true });
      }
}

/**
 * Removes the globals of a browser's worker that node does not have. Programs use them to detect a browser.
 */
export function hideWorkerGlobals(): void {
  const kept = new Set([...NODE_GLOBALS, ...LANGUAGE]);
  // This loop covers the object itself and its prototypes, except `Object.prototype`.
  for (
    let holder: unknown = globalThis;
    typeof holder === 'object' && holder !== null && holder !== Object.prototype;
    holder = Object.getPrototypeOf(holder)
  ) {
    for (const name of Object.getOwnPropertyNames(holder)) {
      if (holder === EventTarget.prototype && name !== 'when') continue;
      if (kept.has(name)) {
        if (holder !== globalThis) makeOwn(holder, name);
        continue;
      }
      if (name === 'constructor') {
        Object.defineProperty(holder, name, { value: Object, configurable: true, writable: true });
        continue;
      }
      if (!Reflect.deleteProperty(holder, name))
        Reflect.defineProperty(holder, name, { value: undefined, configurable: true, writable: true });
    }
  }
  for (const name of ['addEventListener', 'removeEventListener', 'dispatchEvent'])
    Object.defineProperty(globalThis, name, { value: undefined, configurable: true, writable: true });
  // Properties that cannot be deleted are shadowed by undefined.
  for (const name in globalThis)
    if (!kept.has(name))
      Object.defineProperty(globalThis, name, { value: undefined, configurable: true, writable: true });
  Object.defineProperty(globalThis, Symbol.toStringTag, { value: 'global', configurable: true });
}

/**
 * Moves a global to the global object itself. Test environments such as that of jsdom delete globals and set them again, which
 * fails where one is inherited that can only be read.
 */
function makeOwn(holder: object, name: string): void {
  if (!Object.hasOwn(globalThis, name)) {
    const value: unknown = Reflect.get(globalThis, name);
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: true });
  }
  Reflect.deleteProperty(holder, name);
}

/** Defines globals as node does. Most are not enumerable. */
export function defineGlobals(values: Readonly<Record<string, unknown>>, enumerable = false): void {
  for (const [name, value] of Object.entries(values)) {
    // Deleting it first makes its place in the order that of its new definition.
    Reflect.deleteProperty(globalThis, name);
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable });
  }
}

/** Defines a global whose value is made when it is first read. */
export function defineLazyGlobal(name: string, make: () => unknown, enumerable = false): void {
  defineLazy(globalThis, name, make, enumerable);
}

export function defineLazy(holder: object, name: string, make: () => unknown, enumerable = false): void {
  const settle = (value: unknown) =>
    Object.defineProperty(holder, name, { value, writable: true, configurable: true, enumerable });
  Reflect.deleteProperty(holder, name);
  Object.defineProperty(holder, name, {
    configurable: true,
    enumerable,
    get() {
      const value = make();
      settle(value);
      return value;
    },
    set: settle,
  });
}
