import type { TimerItem } from '../loop/timer-item.ts';
import type { Timers } from '../loop/timers.ts';
import type { LoadBuiltin, MakeBuiltin } from './builtin.ts';
import { customPromisify } from './internal/symbols.ts';
import { abortError, argTypeError, nodeError, outOfRange } from './internal/errors.ts';
import { ownTimers } from '../loop/own-timers.ts';

interface WaitOptions {
  readonly signal?: AbortSignal;
  readonly ref?: boolean;
}

type Enrolled = Timers['enrolled'];
const MAX = 2 ** 31 - 1;

type Unreffable = { unref?: () => void };

function checked(options: unknown): WaitOptions {
  if (options === undefined) return {};
  if (typeof options !== 'object' || options === null) throw argTypeError('options', 'Object', options);
  const { signal, ref } = options as Record<string, unknown>;
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw argTypeError('options.signal', 'AbortSignal', signal);
  if (ref !== undefined && typeof ref !== 'boolean') throw argTypeError('options.ref', 'boolean', ref);
  return options;
}

function waited<Timer>(
  start: (done: () => void) => Timer,
  stop: (timer: Timer) => void,
  value: unknown,
  options: unknown,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const { signal, ref = true } = checked(options);
    if (signal?.aborted) return reject(abortError(signal.reason));
    const aborted = () => {
      stop(timer);
      reject(abortError(signal?.reason));
    };
    const timer = start(() => {
      signal?.removeEventListener('abort', aborted);
      resolve(value);
    });
    if (!ref) (timer as Unreffable).unref?.();
    signal?.addEventListener('abort', aborted, { once: true });
  });
}

const timeout = (delay?: number, value?: unknown, options?: unknown) =>
  waited((done) => ownTimers().setTimeout(done, delay), ownTimers().clearTimeout, value, options);
const immediate = (value?: unknown, options?: unknown) =>
  waited((done) => ownTimers().setImmediate(done), ownTimers().clearImmediate, value, options);

for (const [name, value] of Object.entries({
  setTimeout: timeout,
  setImmediate: immediate,
  setInterval: interval,
}))
  Object.defineProperty(value, 'name', { value: name, configurable: true });

async function* interval(delay?: number, value?: unknown, options?: unknown) {
  const { signal, ref = true } = checked(options);
  if (signal?.aborted) throw abortError(signal.reason);
  let due = 0;
  let wake = () => {};
  const timer = ownTimers().setInterval(() => {
    due++;
    wake();
  }, delay);
  if (!ref) (timer as Unreffable).unref?.();
  const aborted = () => wake();
  signal?.addEventListener('abort', aborted, { once: true });
  try {
    while (!signal?.aborted) {
      if (due === 0) await new Promise<void>((resolve) => (wake = resolve));
      for (; due > 0; due--) yield value;
    }
    throw abortError(signal.reason);
  } finally {
    ownTimers().clearInterval(timer);
    signal?.removeEventListener('abort', aborted);
  }
}

const MADE_HERE = {};

class Scheduler {
  constructor(maker: unknown) {
    if (maker !== MADE_HERE) throw nodeError('ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor', TypeError);
  }
  wait(delay: number, options?: unknown) {
    return timeout(delay, undefined, options);
  }
  yield() {
    return immediate();
  }
}

/** Makes the promise versions of the timers. The timers themselves are global. */
export const makeTimersPromises: MakeBuiltin = () => ({
  setTimeout: timeout,
  setImmediate: immediate,
  setInterval: interval,
  scheduler: new Scheduler(MADE_HERE),
});

/** Supports timers that are a program's own objects, as in old code. */
export function makeTimersModule(load: LoadBuiltin, { activate, unenroll, warnOverflow }: Enrolled) {
  const promises: unknown = load('timers/promises');
  const { setTimeout, clearTimeout, setImmediate, clearImmediate, setInterval, clearInterval } = ownTimers();
  for (const [original, promised] of [
    [setTimeout, timeout],
    [setImmediate, immediate],
  ] as const)
    if (!(customPromisify in original))
      Object.defineProperty(original, customPromisify, {
        get: () => promised,
        enumerable: true,
        configurable: true,
      });
  const old: Record<string, [code: string, instead: string, run: (item: TimerItem, ms: number) => void]> = {
    enroll: [
      'DEP0095',
      'setTimeout',
      (item, ms) => {
        if (typeof ms !== 'number') throw argTypeError('msecs', 'number', ms);
        if (!(ms >= 0) || ms === Infinity) throw outOfRange('msecs', 'a non-negative finite number', ms);
        if (item._idleNext) unenroll(item);
        if (ms > MAX) warnOverflow(ms, `Timer duration was truncated to ${MAX}.`);
        item._idleTimeout = Math.min(ms, MAX);
      },
    ],
    unenroll: ['DEP0096', 'clearTimeout', unenroll],
    active: ['DEP0126', 'timeout.refresh()', (item) => activate(item, true)],
    _unrefActive: ['DEP0127', 'timeout.refresh()', (item) => activate(item, false)],
  };
  return {
    setTimeout,
    clearTimeout,
    setImmediate,
    clearImmediate,
    setInterval,
    clearInterval,
    promises,
    ...Object.fromEntries(
      Object.entries(old).map(([name, [code, instead, run]]) => {
        const text = `timers.${name}() is deprecated. Please use ${instead} instead.`;
        let deprecated: typeof run | undefined;
        // `util` itself loads this module.
        return [
          name,
          (item: TimerItem, ms: number) => (deprecated ??= load('util').deprecate(run, text, code))(item, ms),
        ];
      }),
    ),
  };
}
