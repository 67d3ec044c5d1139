import { current, goOnIn, nextId, type Frame } from '../builtins/async/context.ts';
import {
  asyncId,
  contextFrame,
  hasPrimitive,
  refed,
  triggerId,
  type Callback,
  type TimerItem,
  type TimersList,
} from './timer-item.ts';

const MAX = 2 ** 31 - 1;

/** The queue in which a timer waits, as the timer sees it. */
export interface TimeoutContext {
  activate(item: TimerItem, counts: boolean): void;
  count(item: TimerItem, counts: boolean): void;
  clear(item: TimerItem): void;
  readonly known: Map<number, Timeout>;
}

/** The timer that `setTimeout` and `setInterval` return. */
export interface Timeout extends TimerItem {
  [hasPrimitive]: boolean;
  readonly [asyncId]: number;
  _run(run: () => unknown): void;
}

export function warnOverflow(given: number, set: string): void {
  process.emitWarning(
    `${given} does not fit into a 32-bit signed integer.\n${set}`,
    'TimeoutOverflowWarning',
  );
}

/** Makes the class of timers. Programs reach it, so it has the parameters of node's and no more. */
export function makeTimeoutClass(timers: TimeoutContext) {
  return class Timeout implements TimerItem {
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
      timers.activate(this, true);
    }

    _run(run: () => unknown): void {
      goOnIn(this.#frame, run);
    }

    close(): this {
      timers.clear(this);
      return this;
    }

    ref(): this {
      if (this[refed] === false) timers.count(this, true);
      return this;
    }

    unref(): this {
      if (this[refed]) timers.count(this, false);
      return this;
    }

    hasRef(): boolean {
      return this[refed] === true;
    }

    refresh(): this {
      timers.activate(this, this[refed] === true);
      return this;
    }

    [Symbol.toPrimitive](): number {
      const id = this[asyncId];
      if (!this[hasPrimitive]) {
        this[hasPrimitive] = true;
        timers.known.set(id, this);
      }
      return id;
    }
  };
}
