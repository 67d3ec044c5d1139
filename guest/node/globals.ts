/** What node has in its global scope, beyond the language itself. */
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

/** Of Node 22's engine: what is newer in a browser's would not be there. */
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

/** Those that the command line can do without. */
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
        // What it inherits from has one too.
        if (name in globalThis)
          Object.defineProperty(globalThis, name, { value: undefined, configurable: true, writable: true });
      }
}

/** Takes away what a worker of the page has and node has not, so that programs see which of the two they are in. */
export function hideWorkerGlobals(): void {
  const kept = new Set([...NODE_GLOBALS, ...LANGUAGE]);
  // The object itself and the classes it inherits from, but for what every object has.
  for (
    let holder: unknown = globalThis;
    typeof holder === 'object' && holder !== null && holder !== Object.prototype;
    holder = Object.getPrototypeOf(holder)
  ) {
    for (const name of Object.getOwnPropertyNames(holder)) {
      if (kept.has(name) || (holder === EventTarget.prototype && name !== 'when')) continue;
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
  // What cannot be taken away is hidden behind nothing.
  for (const name in globalThis)
    if (!kept.has(name))
      Object.defineProperty(globalThis, name, { value: undefined, configurable: true, writable: true });
  Object.defineProperty(globalThis, Symbol.toStringTag, { value: 'global', configurable: true });
}

/** Adds globals as node defines them: not enumerable, or enumerable where node's are. */
export function defineGlobals(values: Readonly<Record<string, unknown>>, enumerable = false): void {
  for (const [name, value] of Object.entries(values)) {
    // Taken away first: their order is that in which they are defined.
    Reflect.deleteProperty(globalThis, name);
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable });
  }
}

/** A global that is made when it is first read. */
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
