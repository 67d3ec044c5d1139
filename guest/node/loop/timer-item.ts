export type Callback = (...args: unknown[]) => unknown;

export const refed = Symbol('refed');
export const hasPrimitive = Symbol('kHasPrimitive');
export const asyncId = Symbol('asyncId');
export const triggerId = Symbol('triggerId');
export const contextFrame = Symbol('kAsyncContextFrame');

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
export class TimersList {
  /** The time at which each began, in fractional milliseconds. */
  readonly items = new Map<TimerItem, number>();
  readonly after: number;
  /** When the last one that was due began: by the clock, and as programs read and write it. */
  #last = { start: -Infinity, shown: -Infinity };

  constructor(after: number) {
    this.after = after;
  }

  get due(): number {
    for (const [item, start] of this.items) {
      // Timers of the same millisecond are due together, and those to which a program gave the same one.
      const isTogether = this.after > 0 && item._idleStart <= this.#last.shown;
      return (isTogether ? Math.min(start, this.#last.start) : start) + this.after;
    }
    return Infinity;
  }

  /** Must be called when a timer is due, before it leaves the list. */
  fires(item: TimerItem): void {
    this.#last = { start: this.due - this.after, shown: item._idleStart };
  }
}
