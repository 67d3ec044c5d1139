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

  constructor(after: number) {
    this.after = after;
  }

  get due(): number {
    for (const start of this.items.values()) return start + this.after;
    return Infinity;
  }
}
