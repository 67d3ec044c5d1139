import type { LoadBuiltin, NodeHost } from '../builtins/builtin.ts';
import { adaptWebCrypto } from '../builtins/crypto/web-crypto.ts';
import type { Timers } from '../loop/timers.ts';
import { defineGlobals, defineLazyGlobal } from './globals.ts';

const PERFORMANCE = [
  'Performance',
  'PerformanceEntry',
  'PerformanceMark',
  'PerformanceMeasure',
  'PerformanceObserver',
  'PerformanceObserverEntryList',
  'performance',
];

/** Defines the globals that builtins use too. They must be there before the first builtin is made. */
export function defineFirstGlobals({ global: timers }: Timers): void {
  defineGlobals({ global: globalThis }, true);
  defineGlobals(
    {
      clearImmediate: timers.clearImmediate,
      setImmediate: timers.setImmediate,
      clearInterval: timers.clearInterval,
      clearTimeout: timers.clearTimeout,
      setInterval: timers.setInterval,
      setTimeout: timers.setTimeout,
      queueMicrotask,
      structuredClone,
      atob,
      btoa,
    },
    true,
  );
}

/** Defines the globals of browsers that node has too. Those that cost something to make are made on first use. */
export function defineWebGlobals(host: NodeHost, load: LoadBuiltin, navigator: object): void {
  for (const name of PERFORMANCE)
    defineLazyGlobal(name, () => Reflect.get(load('perf_hooks'), name), name === 'performance');
  defineLazyGlobal('Buffer', () => load('buffer').Buffer);
  defineLazyGlobal('fetch', () => host.part('http').makeFetch(host, load), true);
  defineLazyGlobal('WebSocket', () => host.part('websocket')(host, load));
  defineGlobals({ navigator }, true);
  defineGlobals({ Navigator: navigator.constructor });
  defineGlobals({ crypto }, true);
  const Crypto = adaptWebCrypto(() => load('crypto') as ReturnType<Parameters<typeof adaptWebCrypto>[0]>);
  defineGlobals({ Crypto });
  for (const name of ['CryptoKey', 'SubtleCrypto'] as const)
    defineLazyGlobal(name, () => host.part('crypto')[name]);
}
