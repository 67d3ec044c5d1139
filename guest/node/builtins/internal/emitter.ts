import { abortError, argTypeError, needFunction, needNumber, needObject, nodeError } from './errors.ts';
import { inspect } from './inspect.ts';
import { targets } from './targets.ts';
import { withoutPrototype } from './without-prototype.ts';
import { ownTimers } from '../../loop/own-timers.ts';

type Listener = (this: unknown, ...args: unknown[]) => unknown;
interface Wrapped extends Listener {
  listener?: Listener;
}
type Name = string | symbol;
type Listeners = Record<Name, Wrapped | Wrapped[]>;

interface Emitter {
  _events: Listeners | undefined;
  _eventsCount: number;
  _maxListeners: number | undefined;
  [captures]?: boolean;
  [shapeMode]?: boolean;
}

const captures = Symbol('kCapture');
const shapeMode = Symbol('shapeMode');
const rejection = Symbol.for('nodejs.rejection');
const errorMonitor = Symbol('events.errorMonitor');
const shared = { maxListeners: 10, captureRejections: false };

const noListeners = (): Listeners => withoutPrototype<Wrapped | Wrapped[]>();

function needListener(listener: unknown): asserts listener is Wrapped {
  needFunction(listener, 'listener');
}

/** Callable without `new` too, as what was written before classes does: `EventEmitter.call(this)`. */
export interface EventEmitter extends Emitter {
  setMaxListeners(limit: number): this;
  getMaxListeners(): number;
  emit(name: Name, ...args: unknown[]): boolean;
  on(name: Name, listener: Listener): this;
  addListener(name: Name, listener: Listener): this;
  prependListener(name: Name, listener: Listener): this;
  once(name: Name, listener: Listener): this;
  prependOnceListener(name: Name, listener: Listener): this;
  off(name: Name, listener: Listener): this;
  removeListener(name: Name, listener: Listener): this;
  removeAllListeners(name?: Name): this;
  listeners(name: Name): Listener[];
  rawListeners(name: Name): Listener[];
  listenerCount(name: Name, listener?: Listener): number;
  eventNames(): Name[];
}

interface EmitterOptions {
  captureRejections?: boolean;
}

interface EventEmitterClass {
  new (options?: EmitterOptions): EventEmitter;
  (this: unknown, options?: EmitterOptions): void;
  prototype: EventEmitter;
}

function EventEmitterFunction(this: EventEmitter, options?: EmitterOptions): void {
  initialise(this, options);
}

function initialise(emitter: Emitter, options?: EmitterOptions): void {
  const inherited: unknown = Reflect.get(Object.getPrototypeOf(emitter), '_events');
  if (emitter._events === undefined || emitter._events === inherited) {
    emitter._events = noListeners();
    emitter._eventsCount = 0;
  }
  emitter._maxListeners ||= undefined;
  emitter[shapeMode] = false;
  if (options?.captureRejections) {
    if (typeof options.captureRejections !== 'boolean')
      throw argTypeError('options.captureRejections', 'boolean', options.captureRejections);
    emitter[captures] = true;
  } else emitter[captures] = shared.captureRejections;
}

function addListener(this: EventEmitter, name: Name, listener: unknown): EventEmitter {
  return add(this, name, listener, false);
}

const proto: ThisType<EventEmitter> & Record<Name, unknown> = {
  _events: undefined,
  _eventsCount: 0,
  _maxListeners: undefined,
  setMaxListeners(limit: unknown) {
    needNumber(limit, 'setMaxListeners', 0);
    this._maxListeners = limit;
    return this;
  },
  getMaxListeners() {
    return this._maxListeners ?? shared.maxListeners;
  },
  emit(name: Name, ...args: unknown[]) {
    const events = this._events;
    if (name === 'error') {
      if (events?.[errorMonitor] !== undefined) this.emit(errorMonitor, ...args);
      if (events?.error === undefined) throw unheard(this, args[0]);
    }
    const handler = events?.[name];
    if (handler === undefined) return false;
    if (typeof handler === 'function') settle(this, Reflect.apply(handler, this, args), name, args);
    else for (const each of [...handler]) settle(this, Reflect.apply(each, this, args), name, args);
    return true;
  },
  addListener,
  on: addListener,
  prependListener(name: Name, listener: unknown) {
    return add(this, name, listener, true);
  },
  once(name: Name, listener: unknown) {
    needListener(listener);
    return this.on(name, onceWrapper(this, name, listener));
  },
  prependOnceListener(name: Name, listener: unknown) {
    needListener(listener);
    return this.prependListener(name, onceWrapper(this, name, listener));
  },
  removeListener,
  off: removeListener,
  removeAllListeners(this: EventEmitter, name?: Name) {
    const events = this._events;
    if (events === undefined) return this;
    if (events.removeListener === undefined) {
      if (arguments.length === 0) {
        this._events = noListeners();
        this._eventsCount = 0;
      } else if (name !== undefined && events[name] !== undefined) {
        this._eventsCount -= 1;
        if (this._eventsCount === 0) this._events = noListeners();
        else delete events[name];
      }
      return this;
    }
    if (name === undefined) {
      for (const key of Reflect.ownKeys(events)) if (key !== 'removeListener') this.removeAllListeners(key);
      this.removeAllListeners('removeListener');
      this._events = noListeners();
      this._eventsCount = 0;
      return this;
    }
    const listeners = events[name];
    if (typeof listeners === 'function') this.removeListener(name, listeners);
    else for (const each of [...(listeners ?? [])].reverse()) this.removeListener(name, each);
    return this;
  },
  listeners(name: Name) {
    return listed(this, name).map((each) => each.listener ?? each);
  },
  rawListeners(name: Name) {
    return listed(this, name);
  },
  listenerCount(name: Name, listener?: Listener) {
    const all = listed(this, name);
    return listener
      ? all.filter((each) => each === listener || each.listener === listener).length
      : all.length;
  },
  eventNames() {
    return this._eventsCount > 0 && this._events ? Reflect.ownKeys(this._events) : [];
  },
};

/** Stacks of errors that nobody heard, with where they were emitted: shown where the process ends of one. */
export const emittedStacks = new WeakMap<object, () => string>();

function unheard(emitter: object, error: unknown): unknown {
  if (error instanceof Error) {
    const capture: { stack?: string } = {};
    Error.captureStackTrace(capture, proto.emit as Listener);
    emittedStacks.set(error, () => emittedStack(emitter, error, capture));
    return error;
  }
  if (Object.prototype.toString.call(error) === '[object Error]') return error;
  const text = inspectSafely(error);
  return nodeError('ERR_UNHANDLED_ERROR', `Unhandled error. (${text})`, Error, { context: error });
}

function emittedStack(emitter: object, error: Error, at: { readonly stack?: string }): string {
  const { name } = emitter.constructor;
  const whose = name === 'EventEmitter' || !name ? '' : ` on ${name} instance`;
  const emitted = (at.stack ?? '').split('\n').slice(1);
  return `${error.stack}\nEmitted 'error' event${whose} at:\n${emitted.join('\n')}`;
}

function inspectSafely(value: unknown): string {
  try {
    return inspect(value);
  } catch {
    return String(value);
  }
}

function settle(emitter: EventEmitter, result: unknown, name: Name, args: unknown[]): void {
  if (!emitter[captures] || result === undefined || result === null) return;
  let then: unknown;
  try {
    then = Reflect.get(Object(result), 'then');
  } catch (error) {
    return void emitter.emit('error', error);
  }
  if (typeof then !== 'function') return;
  then.call(result, undefined, (error: unknown) => {
    process.nextTick(() => {
      const own: unknown = Reflect.get(emitter, rejection);
      if (typeof own === 'function') own.call(emitter, error, name, ...args);
      else {
        const before = emitter[captures] ?? false;
        try {
          emitter[captures] = false;
          emitter.emit('error', error);
        } finally {
          emitter[captures] = before;
        }
      }
    });
  });
}

function add(emitter: EventEmitter, name: Name, listener: unknown, first: boolean): EventEmitter {
  needListener(listener);
  let events = emitter._events;
  if (events === undefined) {
    events = emitter._events = noListeners();
    emitter._eventsCount = 0;
  } else if (events.newListener !== undefined) {
    emitter.emit('newListener', name, listener.listener ?? listener);
    events = emitter._events ??= noListeners();
  }
  const there = events[name];
  if (there === undefined) {
    events[name] = listener;
    emitter._eventsCount += 1;
    return emitter;
  }
  const list: WarnedList =
    typeof there === 'function' ? (events[name] = first ? [listener, there] : [there, listener]) : there;
  if (list === there) {
    if (first) list.unshift(listener);
    else list.push(listener);
  }
  const limit = emitter.getMaxListeners?.() ?? shared.maxListeners;
  if (limit > 0 && list.length > limit && !list.warned) {
    list.warned = true;
    warnOfLeak(emitter, name, list.length, limit);
  }
  return emitter;
}

interface WarnedList extends Array<Wrapped> {
  warned?: boolean;
}

function warnOfLeak(emitter: object, name: Name, count: number, limit: number): void {
  const warning = Object.assign(
    new Error(
      `Possible EventEmitter memory leak detected. ${count} ${String(name)} listeners added to ${inspect(emitter, { depth: -1 })}. MaxListeners is ${limit}. Use emitter.setMaxListeners() to increase limit`,
    ),
    { emitter, type: name, count },
  );
  warning.name = 'MaxListenersExceededWarning';
  globalThis.process?.emitWarning?.(warning);
}

function onceWrapper(emitter: EventEmitter, name: Name, listener: Listener): Wrapped {
  let fired = false;
  const wrapper: Wrapped = function (...args) {
    if (fired) return undefined;
    emitter.removeListener(name, wrapper);
    fired = true;
    return Reflect.apply(listener, emitter, args);
  };
  Object.defineProperty(wrapper, 'name', { value: 'bound onceWrapper', configurable: true });
  wrapper.listener = listener;
  return wrapper;
}

function removeListener(this: EventEmitter, name: Name, listener: unknown): EventEmitter {
  needListener(listener);
  const events = this._events;
  const there = events?.[name];
  if (events === undefined || there === undefined) return this;
  if (typeof there === 'function') {
    if (there !== listener && there.listener !== listener) return this;
    this._eventsCount -= 1;
    if (this._eventsCount === 0) this._events = noListeners();
    else delete events[name];
    if (events.removeListener) this.emit('removeListener', name, there.listener ?? listener);
    return this;
  }
  const at = there.findLastIndex((each) => each === listener || each.listener === listener);
  if (at < 0) return this;
  const [gone] = there.splice(at, 1);
  if (there.length === 1 && there[0]) events[name] = there[0];
  if (events.removeListener !== undefined) this.emit('removeListener', name, gone?.listener ?? listener);
  return this;
}

function listed(emitter: Emitter, name: Name): Wrapped[] {
  const there = emitter._events?.[name];
  if (there === undefined) return [];
  return typeof there === 'function' ? [there] : [...there];
}

type Target = EventTarget | EventEmitter;

const isEmitter = (value: unknown): value is EventEmitter =>
  typeof value === 'object' && value !== null && 'on' in value && typeof value.on === 'function';

function needSignal(signal: unknown): AbortSignal | undefined {
  if (signal === undefined) return undefined;
  if (typeof signal !== 'object' || signal === null || !('aborted' in signal))
    throw argTypeError('options.signal', 'AbortSignal', signal);
  return signal as AbortSignal;
}

function listen(target: unknown, name: Name, listener: Listener, once: boolean): () => void {
  if (isEmitter(target)) {
    if (once) target.once(name, listener);
    else target.on(name, listener);
    return () => target.removeListener(name, listener);
  }
  if (target instanceof EventTarget) {
    const heard = (event: Event) => void listener(event);
    target.addEventListener(String(name), heard, { once });
    return () => target.removeEventListener(String(name), heard);
  }
  throw argTypeError('emitter', 'EventEmitter', target);
}

/** A promise of the first event; an 'error' rejects it. */
async function onceOf(
  target: Target,
  name: Name,
  options: { signal?: AbortSignal } = {},
): Promise<unknown[]> {
  needObject(options, 'options');
  const signal = needSignal(options.signal);
  if (signal?.aborted) throw abortError(signal.reason);
  return new Promise((resolve, reject) => {
    const undo: (() => void)[] = [];
    const end = () => undo.forEach((each) => each());
    undo.push(listen(target, name, (...args) => (end(), resolve(args)), true));
    if (name !== 'error' && isEmitter(target))
      undo.push(listen(target, 'error', (error) => (end(), reject(error as Error)), true));
    if (signal) {
      const aborted = () => (end(), reject(abortError(signal.reason)));
      signal.addEventListener('abort', aborted, { once: true });
      undo.push(() => signal.removeEventListener('abort', aborted));
    }
  });
}

/** Every event from now on, as an iterator. */
function onEvery(target: Target, name: Name, options: { signal?: AbortSignal; close?: string[] } = {}) {
  needObject(options, 'options');
  const signal = needSignal(options.signal);
  if (signal?.aborted) throw abortError(signal.reason);
  const waiting: unknown[][] = [];
  const asked: { resolve(value: IteratorResult<unknown[]>): void; reject(error: unknown): void }[] = [];
  let failure: { error: unknown } | undefined;
  let finished = false;
  const undo: (() => void)[] = [];
  const stop = () => {
    undo.splice(0).forEach((each) => each());
    finished = true;
    for (const each of asked.splice(0)) each.resolve({ value: undefined, done: true });
    return Promise.resolve<IteratorResult<unknown[]>>({ value: undefined, done: true });
  };
  const fail = (error: unknown) => {
    const first = asked.shift();
    if (first) first.reject(error);
    else failure = { error };
    void stop();
  };
  undo.push(
    listen(
      target,
      name,
      (...args) => {
        const first = asked.shift();
        if (first) first.resolve({ value: args, done: false });
        else waiting.push(args);
      },
      false,
    ),
  );
  if (name !== 'error' && isEmitter(target)) undo.push(listen(target, 'error', fail, false));
  for (const each of options.close ?? []) undo.push(listen(target, each, () => void stop(), false));
  if (signal) {
    const aborted = () => fail(abortError(signal.reason));
    signal.addEventListener('abort', aborted, { once: true });
    undo.push(() => signal.removeEventListener('abort', aborted));
  }
  return {
    next(): Promise<IteratorResult<unknown[]>> {
      const value = waiting.shift();
      if (value) return Promise.resolve({ value, done: false });
      if (failure) {
        const { error } = failure;
        failure = undefined;
        return Promise.reject(error as Error);
      }
      if (finished) return stop();
      return new Promise((resolve, reject) => asked.push({ resolve, reject }));
    },
    return: stop,
    throw(error: unknown) {
      if (!(error instanceof Error)) throw argTypeError('EventEmitter.AsyncIterator', 'Error', error);
      fail(error);
      return Promise.resolve({ value: undefined, done: true });
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

function setUsualLimit(limit: number): void {
  shared.maxListeners = limit;
  targets.setUsualLimit(limit);
}

function setMaxListeners(limit: unknown = shared.maxListeners, ...given: unknown[]): void {
  needNumber(limit, 'setMaxListeners', 0);
  if (given.length === 0) setUsualLimit(limit);
  for (const target of given) {
    if (isEmitter(target)) target.setMaxListeners(limit);
    else if (target instanceof EventTarget) targets.setLimit(target, limit);
    else throw argTypeError('eventTargets', ['EventEmitter', 'EventTarget'], target);
  }
}

function addAbortListener(signal: AbortSignal, listener: () => void): Disposable {
  needSignal(signal);
  needFunction(listener, 'listener');
  let undo = () => {};
  if (signal.aborted) ownTimers().queueMicrotask(listener);
  else {
    signal.addEventListener('abort', listener, { once: true });
    undo = () => signal.removeEventListener('abort', listener);
  }
  const dispose: typeof Symbol.dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');
  return { [dispose]: () => undo() } as Disposable;
}

Object.defineProperty(EventEmitterFunction, 'name', { value: 'EventEmitter' });
for (const name of Reflect.ownKeys(proto))
  Object.defineProperty(EventEmitterFunction.prototype, name, {
    value: proto[name],
    writable: true,
    configurable: true,
    enumerable: true,
  });
Object.defineProperty(EventEmitterFunction.prototype, captures, {
  value: false,
  writable: true,
  configurable: true,
});
Object.assign(EventEmitterFunction, {
  once: onceOf,
  on: onEvery,
  getEventListeners(target: Target, name: Name) {
    if (isEmitter(target)) return target.listeners(name);
    if (target instanceof EventTarget)
      return targets.list(target, String(name)).map(({ listener }) => listener);
    throw argTypeError('emitter', ['EventEmitter', 'EventTarget'], target);
  },
  getMaxListeners(target: Target) {
    if (isEmitter(target)) return target.getMaxListeners();
    if (target instanceof EventTarget) return targets.limit(target);
    throw argTypeError('emitter', ['EventEmitter', 'EventTarget'], target);
  },
  listenerCount: (emitter: EventEmitter, name: Name) =>
    isEmitter(emitter) && 'listenerCount' in emitter
      ? emitter.listenerCount(name)
      : listed(emitter, name).length,
  EventEmitter: EventEmitterFunction,
  usingDomains: false,
  captureRejectionSymbol: rejection,
  errorMonitor,
  setMaxListeners,
  addAbortListener,
  init: initialise,
});
Object.defineProperties(EventEmitterFunction, {
  captureRejections: {
    configurable: true,
    enumerable: true,
    get: () => shared.captureRejections,
    set: (on: unknown) => {
      if (typeof on !== 'boolean') throw argTypeError('EventEmitter.captureRejections', 'boolean', on);
      shared.captureRejections = on;
      // This applies even to emitters whose constructor was never called.
      (EventEmitterFunction.prototype as Emitter)[captures] = on;
    },
  },
  defaultMaxListeners: {
    configurable: true,
    enumerable: true,
    get: () => shared.maxListeners,
    set(limit: unknown) {
      needNumber(limit, 'defaultMaxListeners', 0);
      setUsualLimit(limit);
    },
  },
});

// A function that is called both ways has no type of its own.
const untyped: unknown = EventEmitterFunction;
export const EventEmitter = untyped as EventEmitterClass;
