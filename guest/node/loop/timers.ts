import { current, goOnIn, nextId, type Frame, KEEPS } from '../builtins/async/context.ts';
import { needFunction } from '../builtins/internal/errors.ts';
import type { EventLoop } from './loop.ts';

type Callback = (...args: unknown[]) => unknown;

/** A timer: one that was made here, or any object that a program has enrolled. */
export interface TimerItem {
  _idleTimeout: number;
  _idlePrev: TimersList | null;
  _idleNext: TimersList | null;
  _idleStart: number;
  _onTimeout: Callback | null;
  _timerArgs?: unknown[] | undefined;
  _repeat?: number | null;
  _destroyed?: boolean;
  [refed]?: boolean | null;
}

/** The timers of one duration: the one begun first is due first. */
class TimersList {
  /** The time at which each began, in fractional milliseconds. */
  readonly items = new Map<TimerItem, number>();
  readonly after: number;

  constructor(after: number) {
    this.after = after;
  }

  get due(): number {
    for (const start of this.items.values()) return start + this.after;
    return Infinity;
  }
}

const refed = Symbol('refed');
const hasPrimitive = Symbol('kHasPrimitive');
const asyncId = Symbol('asyncId');
const triggerId = Symbol('triggerId');
const contextFrame = Symbol('kAsyncContextFrame');
const MAX = 2 ** 31 - 1;

function warnOverflow(given: number, set: string): void {
  process.emitWarning(
    `${given} does not fit into a 32-bit signed integer.\n${set}`,
    'TimeoutOverflowWarning',
  );
}

/** Node's timers of one process, over its loop. */
export function makeTimers(loop: EventLoop) {
  const lists = new Map<number, TimersList>();
  const known = new Map<number, Timeout>();
  /** The list whose first timer is due first; null where that has to be looked up. */
  let soonest: TimersList | undefined | null;

  function soonestList(): TimersList | undefined {
    if (soonest !== null) return soonest;
    soonest = undefined;
    let due = Infinity;
    for (const list of lists.values()) {
      const its = list.due;
      if (its < due) [soonest, due] = [list, its];
    }
    return soonest;
  }

  function leaveList(item: TimerItem): void {
    const list = item._idleNext;
    if (!list) return;
    list.items.delete(item);
    item._idleNext = item._idlePrev = null;
    if (list.items.size === 0) lists.delete(list.after);
    if (list === soonest) soonest = null;
  }

  function begin(item: TimerItem, start = loop.now()): void {
    leaveList(item);
    const after = item._idleTimeout;
    let list = lists.get(after);
    if (!list) {
      lists.set(after, (list = new TimersList(after)));
      if (soonest !== null && start + after < (soonest?.due ?? Infinity)) soonest = list;
    }
    list.items.set(item, start);
    item._idleStart = Math.trunc(start);
    item._idleNext = item._idlePrev = list;
    loop.timersChanged();
  }

  function count(item: TimerItem, counts: boolean | null): void {
    if (Boolean(item[refed]) !== Boolean(counts)) loop.count(counts ? 1 : -1);
    item[refed] = counts;
  }

  /** Ends a timer. It can be begun again. */
  function end(item: TimerItem): void {
    if (item._destroyed) return;
    item._destroyed = true;
    if (item instanceof Timeout && item[hasPrimitive]) known.delete(item[asyncId]);
    count(item, null);
  }

  /** Begins a timer, or begins it again. `counts`: it keeps the process alive. */
  function activate(item: TimerItem, counts: boolean): void {
    if (!(item._idleTimeout >= 0)) return;
    begin(item);
    item._destroyed = false;
    count(item, counts);
  }

  function unenroll(item: TimerItem): void {
    if (item._destroyed) return;
    leaveList(item);
    end(item);
    item._idleTimeout = -1;
  }

  let running: TimerItem | undefined;
  function fire(item: TimerItem): void {
    leaveList(item);
    const callback = item._onTimeout;
    if (!callback) return end(item);
    const start = loop.now();
    running = item;
    const run = () => Reflect.apply(callback, item, item._timerArgs ?? []);
    try {
      if (item instanceof Timeout) item._run(run);
      else run();
    } finally {
      running = undefined;
      if (item._repeat && item._idleTimeout !== -1) {
        item._idleTimeout = item._repeat;
        begin(item, start);
      } else if (!item._idleNext) end(item);
    }
  }

  class Timeout implements TimerItem {
    _idleTimeout: number;
    _idlePrev: TimersList | null = null;
    _idleNext: TimersList | null = null;
    _idleStart = 0;
    _onTimeout: Callback | null;
    _timerArgs: unknown[] | undefined;
    _repeat: number | null;
    _destroyed = false;
    [refed]: boolean | null = null;
    [hasPrimitive] = false;
    [asyncId] = nextId();
    [triggerId] = current().id;
    [contextFrame] = undefined;
    readonly #frame: Frame = current();

    constructor(callback: Callback, delay: unknown, args: unknown[], repeats: boolean) {
      const given = Number(delay);
      if (given > MAX) warnOverflow(given, 'Timeout duration was set to 1.');
      const after = given >= 1 && given <= MAX ? Math.trunc(given) : 1;
      this._idleTimeout = after;
      this._onTimeout = callback;
      this._timerArgs = args.length > 0 ? args : undefined;
      this._repeat = repeats ? after : null;
      activate(this, true);
    }

    _run(run: () => unknown): void {
      goOnIn(this.#frame, run);
    }

    close(): this {
      clearTimeout(this);
      return this;
    }

    ref(): this {
      if (this[refed] === false) count(this, true);
      return this;
    }

    unref(): this {
      if (this[refed]) count(this, false);
      return this;
    }

    hasRef(): boolean {
      return this[refed] === true;
    }

    refresh(): this {
      activate(this, this[refed] === true);
      return this;
    }

    [Symbol.toPrimitive](): number {
      const id = this[asyncId];
      if (!this[hasPrimitive]) {
        this[hasPrimitive] = true;
        known.set(id, this);
      }
      return id;
    }
  }

  let immediates = 0;
  function countImmediate(change: 1 | -1): void {
    immediates += change;
    loop.count(change);
  }

  class Immediate {
    _idleNext = null;
    _idlePrev = null;
    _onImmediate: Callback | null;
    _argv: unknown[] | undefined;
    _destroyed = false;
    [refed]: boolean | null = true;
    [asyncId] = nextId();
    [triggerId] = current().id;
    [contextFrame] = undefined;
    readonly #frame = current();

    constructor(callback: Callback, args: unknown[]) {
      this._onImmediate = callback;
      this._argv = args.length > 0 ? args : undefined;
      countImmediate(1);
      loop.addImmediate(() => this.#run());
    }

    #run(): void {
      const run = this._onImmediate;
      this._clear();
      if (run) goOnIn(this.#frame, () => Reflect.apply(run, this, this._argv ?? []));
    }

    _clear(): void {
      if (this[refed]) countImmediate(-1);
      this[refed] = null;
      this._onImmediate = null;
      this._destroyed = true;
    }

    ref(): this {
      if (this[refed] === false) {
        this[refed] = true;
        countImmediate(1);
      }
      return this;
    }

    unref(): this {
      if (this[refed] === true) {
        this[refed] = false;
        countImmediate(-1);
      }
      return this;
    }

    hasRef(): boolean {
      return this[refed] === true;
    }
  }

  dispose(Timeout.prototype, 'close');
  dispose(Immediate.prototype, '_clear');
  for (const { prototype } of [Timeout, Immediate])
    Object.defineProperty(prototype, Symbol.for('nodejs.util.inspect.custom'), {
      value(this: object, _depth: number, options: object, inspect: (value: object, how: object) => string) {
        return inspect(this, { ...options, depth: 0, customInspect: false });
      },
    });

  loop.timers = {
    nextDue: () => soonestList()?.due,
    run: () => {
      for (const first of soonestList()?.items.keys() ?? []) return fire(first);
    },
  };

  function setTimeout(callback: unknown, delay?: unknown, ...args: unknown[]): Timeout {
    needFunction(callback, 'callback');
    return new Timeout(callback, delay, args, false);
  }
  function setInterval(callback: unknown, delay?: unknown, ...args: unknown[]): Timeout {
    needFunction(callback, 'callback');
    return new Timeout(callback, delay, args, true);
  }
  function setImmediate(callback: unknown, ...args: unknown[]): Immediate {
    needFunction(callback, 'callback');
    return new Immediate(callback, args);
  }
  function clearTimeout(timer?: unknown): void {
    const found =
      typeof timer === 'number' || typeof timer === 'string'
        ? known.get(Number(timer))
        : (timer as TimerItem);
    if (!found?._onTimeout) return;
    found._onTimeout = null;
    unenroll(found);
  }
  function clearInterval(timer?: unknown): void {
    clearTimeout(timer);
  }
  function clearImmediate(immediate?: unknown): void {
    if (immediate instanceof Immediate && !immediate._destroyed) immediate._clear();
  }

  for (const each of [setTimeout, setInterval, setImmediate])
    Object.defineProperty(each, KEEPS, { value: true });
  return {
    global: { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate },
    /** The old functions that turn any object into a timer. */
    enrolled: { activate, unenroll, warnOverflow },
    /** Returns the kind of each timer that keeps the process alive. */
    kept(): string[] {
      const begun = new Set([...lists.values()].flatMap(({ items }) => [...items.keys()]));
      if (running) begun.add(running);
      const timeouts = [...begun].filter((item) => item[refed]);
      return [...timeouts.map(() => 'Timeout'), ...Array<string>(immediates).fill('Immediate')];
    },
  };
}

export type Timers = ReturnType<typeof makeTimers>;

/** Adds `Symbol.dispose` for `using`, if the engine has that symbol. */
function dispose(prototype: object, method: string): void {
  const symbol: unknown = Reflect.get(Symbol, 'dispose');
  if (typeof symbol !== 'symbol') return;
  Object.defineProperty(prototype, symbol, {
    value() {
      Reflect.get(this, method).call(this);
    },
  });
}
