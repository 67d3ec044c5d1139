import { current, goOnIn, KEEPS } from './builtins/async/context.ts';
import { needFunction } from './builtins/internal/errors.ts';
import type { EventLoop } from './loop.ts';

type Callback = (...args: unknown[]) => unknown;

/** Node's timers of one process, over its loop. */
export function makeTimers(loop: EventLoop) {
  /** Sorted by when they are due; of one time in the order they were made. */
  const waiting: Timeout[] = [];
  const known = new Map<number, Timeout>();
  let nextId = 1;

  function insert(timeout: Timeout): void {
    let at = waiting.length;
    while (at > 0 && (waiting[at - 1]?._due ?? 0) > timeout._due) at--;
    waiting.splice(at, 0, timeout);
    loop.timersChanged();
  }

  function remove(timeout: Timeout): void {
    const at = waiting.indexOf(timeout);
    if (at >= 0) waiting.splice(at, 1);
  }

  class Timeout {
    _idleTimeout: number;
    _onTimeout: Callback | null;
    _timerArgs: unknown[];
    _repeat: number | null;
    _destroyed = false;
    _due = 0;
    readonly #id = nextId++;
    readonly #frame = current();
    readonly #handle = loop.handle();

    constructor(callback: Callback, delay: unknown, args: unknown[], repeats: boolean) {
      const given = Number(delay);
      const after = given >= 1 && given <= 2 ** 31 - 1 ? Math.trunc(given) : 1;
      if (given > 2 ** 31 - 1)
        process.emitWarning(
          `${given} does not fit into a 32-bit signed integer.\nTimeout duration was set to 1.`,
          'TimeoutOverflowWarning',
        );
      this._idleTimeout = after;
      this._onTimeout = callback;
      this._timerArgs = args;
      this._repeat = repeats ? after : null;
      this._begin();
      for (const key of ['_due', '_timerArgs'])
        Object.defineProperty(this, key, { enumerable: false, writable: true });
    }

    _begin(): void {
      this._due = loop.now() + this._idleTimeout;
      known.set(this.#id, this);
      insert(this);
    }

    _fire(): void {
      remove(this);
      if (this._repeat === null) this.close();
      else {
        this._due = loop.now() + this._repeat;
        insert(this);
      }
      const callback = this._onTimeout;
      if (callback) goOnIn(this.#frame, () => Reflect.apply(callback, this, this._timerArgs));
    }

    close(): this {
      if (this._destroyed) return this;
      this._destroyed = true;
      known.delete(this.#id);
      remove(this);
      this.#handle.release();
      return this;
    }

    ref(): this {
      this.#handle.ref();
      return this;
    }

    unref(): this {
      this.#handle.unref();
      return this;
    }

    hasRef(): boolean {
      return this.#handle.hasRef();
    }

    refresh(): this {
      if (this._destroyed) return this;
      remove(this);
      this._begin();
      return this;
    }

    [Symbol.toPrimitive](): number {
      return this.#id;
    }
  }

  class Immediate {
    _onImmediate: Callback | null;
    _argv: unknown[];
    _destroyed = false;
    readonly #handle = loop.handle();
    readonly #frame = current();

    constructor(callback: Callback, args: unknown[]) {
      this._onImmediate = callback;
      this._argv = args;
      loop.addImmediate(() => {
        const run = this._onImmediate;
        this._clear();
        if (run) goOnIn(this.#frame, () => Reflect.apply(run, this, this._argv));
      });
    }

    _clear(): void {
      this._onImmediate = null;
      this._destroyed = true;
      this.#handle.release();
    }

    ref(): this {
      this.#handle.ref();
      return this;
    }

    unref(): this {
      this.#handle.unref();
      return this;
    }

    hasRef(): boolean {
      return this.#handle.hasRef();
    }
  }

  dispose(Timeout.prototype, 'close');
  dispose(Immediate.prototype, '_clear');

  loop.timers = {
    nextDue: () => waiting[0]?._due,
    run: () => waiting[0]?._fire(),
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
    if (timer instanceof Timeout) timer.close();
    else if (typeof timer === 'number' || typeof timer === 'string') known.get(Number(timer))?.close();
  }
  function clearInterval(timer?: unknown): void {
    clearTimeout(timer);
  }
  function clearImmediate(immediate?: unknown): void {
    if (immediate instanceof Immediate && !immediate._destroyed) immediate._clear();
  }

  for (const each of [setTimeout, setInterval, setImmediate])
    Object.defineProperty(each, KEEPS, { value: true });
  return { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate };
}

export type Timers = ReturnType<typeof makeTimers>;

/** `using` of it, where the engine knows the word. */
function dispose(prototype: object, method: string): void {
  const symbol: unknown = Reflect.get(Symbol, 'dispose');
  if (typeof symbol !== 'symbol') return;
  Object.defineProperty(prototype, symbol, {
    value() {
      Reflect.get(this, method).call(this);
    },
  });
}
