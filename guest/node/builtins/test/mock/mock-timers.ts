import type { LoadBuiltin, NodeHost } from '../../builtin.ts';
import { warnExperimental } from '../warning.ts';
import {
  abortError,
  argTypeError,
  argValueError,
  needNumber,
  needString,
  nodeError,
} from '../../internal/errors.ts';

type Callback = (...args: unknown[]) => void;
type Replaceable = Record<string, unknown>;

const APIS = ['setTimeout', 'setInterval', 'setImmediate', 'Date', 'scheduler.wait'];
const LONGEST = 2 ** 31 - 1;

class Timeout {
  readonly id: number;
  readonly callback: Callback;
  runAt: number;
  interval: number | undefined;
  readonly args: unknown[];

  constructor(id: number, callback: Callback, runAt: number, interval: number | undefined, args: unknown[]) {
    this.id = id;
    this.callback = callback;
    this.runAt = runAt;
    this.interval = interval;
    this.args = args;
  }

  hasRef(): boolean {
    return true;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  refresh(): this {
    return this;
  }
}

interface WaitOptions {
  readonly signal?: AbortSignal;
}

/** Whether some tracker has already put a clock of its own in the place of Date. */
const IS_MOCK = 'isMock';

/** Time that stands still until it is told to go on. */
export class MockTimers {
  readonly #load: LoadBuiltin;
  #now = 0;
  #ids = 1;
  /** Sorted by due time, and for equal times in order of creation. */
  #queue: Timeout[] = [];
  #undo: (() => void)[] = [];
  #enabled = false;

  constructor({ process }: NodeHost, load: LoadBuiltin) {
    this.#load = load;
    warnExperimental(process, 'The MockTimers API');
  }

  enable(options: { readonly apis?: unknown; readonly now?: unknown } = {}): void {
    if (this.#enabled) throw invalidState('MockTimers is already enabled!');
    const now = options.now || 0;
    const apis: unknown = options.apis || APIS;
    if (Number.isNaN(options.now))
      throw argValueError(
        'now',
        options.now,
        `epoch must be a positive integer received ${String(options.now)}`,
      );
    if (!Array.isArray(apis)) throw argTypeError('options.apis', 'Array', apis);
    const names = apis.map((api: unknown, at) => {
      needString(api, `options.apis[${at}]`);
      return api;
    });
    for (const api of names)
      if (!APIS.includes(api)) throw argValueError('options.apis', api, `option ${api} is not supported`);
    if (Object.prototype.toString.call(now) === '[object Date]') this.#now = Number(now);
    else {
      needNumber(now, 'initialTime');
      checkTime(now);
      this.#now = now;
    }
    for (const api of names) this.#replace(api);
    this.#enabled = true;
  }

  reset(): void {
    if (!this.#enabled) return;
    for (const undo of this.#undo.splice(0).reverse()) undo();
    this.#queue = [];
    this.#now = 0;
    this.#enabled = false;
  }

  [Symbol.dispose ?? Symbol.for('Symbol.dispose')](): void {
    this.reset();
  }

  tick(time = 1): void {
    this.#needEnabled();
    checkTime(time);
    this.#now += time;
    for (let timer = this.#queue[0]; timer && timer.runAt <= this.#now; timer = this.#queue[0]) {
      Reflect.apply(timer.callback, undefined, timer.args);
      // It may have been cleared by its own callback.
      if (this.#queue[0] === timer) this.#queue.shift();
      if (timer.interval === undefined) continue;
      timer.runAt += timer.interval;
      this.#insert(timer);
    }
  }

  runAll(): void {
    this.#needEnabled();
    const last = this.#queue.at(-1);
    if (last) this.tick(last.runAt - this.#now);
  }

  setTime(time = 0): void {
    needNumber(time, 'time');
    checkTime(time);
    this.#needEnabled();
    this.#now = time;
  }

  #needEnabled(): void {
    if (!this.#enabled)
      throw invalidState('You should enable MockTimers first by calling the .enable function');
  }

  #insert(timer: Timeout): void {
    const after = this.#queue.findIndex(
      (each) => each.runAt > timer.runAt || (each.runAt === timer.runAt && each.id > timer.id),
    );
    this.#queue.splice(after < 0 ? this.#queue.length : after, 0, timer);
  }

  #create(repeats: boolean, callback: Callback, delay = 0, args: unknown[] = []): Timeout {
    const after = delay > LONGEST ? 1 : delay;
    const timer = new Timeout(this.#ids++, callback, this.#now + after, repeats ? after : undefined, args);
    this.#insert(timer);
    return timer;
  }

  readonly #clear = (timer: unknown): void => {
    const at = this.#queue.findIndex((each) => each === timer);
    if (at < 0) return;
    const [found] = this.#queue.splice(at, 1);
    if (found) found.interval = undefined;
  };

  readonly #wait = async (delay: number, value: unknown, options?: WaitOptions): Promise<unknown> => {
    const signal = options?.signal;
    if (signal?.aborted) throw abortError(signal.reason);
    return new Promise((resolve, reject) => {
      const aborted = () => {
        this.#clear(timer);
        reject(abortError(signal?.reason));
      };
      const timer = this.#create(
        false,
        () => {
          signal?.removeEventListener('abort', aborted);
          resolve(value);
        },
        delay,
      );
      signal?.addEventListener('abort', aborted, { once: true });
    });
  };

  async *#every(delay: number, value: unknown, options?: WaitOptions) {
    const signal = options?.signal;
    if (signal?.aborted) throw abortError(signal.reason);
    let due = 0;
    let wake = () => {};
    const timer = this.#create(
      true,
      () => {
        due++;
        wake();
      },
      delay,
    );
    const aborted = () => wake();
    signal?.addEventListener('abort', aborted, { once: true });
    try {
      for (;;) {
        if (signal?.aborted) throw abortError(signal.reason);
        if (due === 0) await new Promise<void>((resolve) => (wake = resolve));
        for (; due > 0; due--) yield value;
      }
    } finally {
      signal?.removeEventListener('abort', aborted);
      this.#clear(timer);
    }
  }

  #set(target: unknown, name: string, value: unknown): void {
    const holder = target as Replaceable;
    const before = Object.getOwnPropertyDescriptor(holder, name);
    Object.defineProperty(holder, name, {
      value,
      writable: true,
      configurable: true,
      enumerable: before?.enumerable ?? true,
    });
    this.#undo.push(() => {
      if (before) Object.defineProperty(holder, name, before);
    });
  }

  #replace(api: string): void {
    const promises = this.#load('timers/promises') as Replaceable & { scheduler: Replaceable };
    const timers = this.#load('timers') as Replaceable;
    const both = (name: string, value: unknown) => {
      this.#set(globalThis, name, value);
      this.#set(timers, name, value);
    };
    switch (api) {
      case 'setTimeout':
        both('setTimeout', (callback: Callback, delay?: number, ...args: unknown[]) =>
          this.#create(false, callback, delay, args),
        );
        both('clearTimeout', this.#clear);
        return this.#set(promises, 'setTimeout', this.#wait);
      case 'setInterval':
        both('setInterval', (callback: Callback, delay?: number, ...args: unknown[]) =>
          this.#create(true, callback, delay, args),
        );
        both('clearInterval', this.#clear);
        return this.#set(promises, 'setInterval', (delay: number, value: unknown, options?: WaitOptions) =>
          this.#every(delay, value, options),
        );
      case 'setImmediate':
        both('setImmediate', (callback: Callback, ...args: unknown[]) =>
          this.#create(false, callback, BEFORE_ALL, args),
        );
        both('clearImmediate', this.#clear);
        return this.#set(promises, 'setImmediate', (value: unknown, options?: WaitOptions) =>
          this.#wait(BEFORE_ALL, value, options),
        );
      case 'Date':
        return this.#set(globalThis, 'Date', this.#date());
      default:
        return this.#set(promises.scheduler, 'wait', (delay: number, options?: WaitOptions) =>
          this.#wait(delay, undefined, options),
        );
    }
  }

  #date(): DateConstructor {
    if (Reflect.get(Date, IS_MOCK)) throw invalidState('Date is already being mocked!');
    const now = () => this.#now;
    return new Proxy(Date, {
      construct: (target, args: unknown[], made) =>
        Reflect.construct(target, args.length === 0 ? [now()] : args, made),
      apply: (target) => new target(now()).toString(),
      get: (target, name, receiver): unknown =>
        name === 'now' ? now : name === IS_MOCK ? true : Reflect.get(target, name, receiver),
    });
  }
}

/** Immediates come before every timer. */
const BEFORE_ALL = -1;

const invalidState = (message: string) => nodeError('ERR_INVALID_STATE', `Invalid state: ${message}`, Error);

function checkTime(time: number): void {
  if (time >= 0) return;
  // Node itself says these two the wrong way round.
  throw argValueError('time', 'positive integer', String(time));
}
