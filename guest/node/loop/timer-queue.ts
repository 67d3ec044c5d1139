import type { EventLoop } from './loop.ts';
import { asyncId, hasPrimitive, refed, TimersList, type TimerItem } from './timer-item.ts';
import { makeTimeoutClass, type Timeout } from './timeout.ts';

/** The timers of a process that have begun, in lists of one duration each. */
export class TimerQueue {
  readonly #loop: EventLoop;
  readonly #lists = new Map<number, TimersList>();
  /** The list whose first timer is due first; null where that has to be looked up. */
  #soonest: TimersList | undefined | null;
  #running: TimerItem | undefined;
  /** The timers whose number a program has read. */
  readonly known = new Map<number, Timeout>();
  readonly Timeout = makeTimeoutClass(this);

  constructor(loop: EventLoop) {
    this.#loop = loop;
    loop.timers = {
      nextDue: () => this.#soonestList()?.due,
      run: () => {
        for (const first of this.#soonestList()?.items.keys() ?? []) return this.#fire(first);
      },
    };
  }

  /** Begins a timer, or begins it again. `counts`: it keeps the process alive. */
  activate(item: TimerItem, counts: boolean): void {
    if (!(item._idleTimeout >= 0)) return;
    this.#begin(item);
    item._destroyed = false;
    this.count(item, counts);
  }

  unenroll(item: TimerItem): void {
    if (item._destroyed) return;
    this.#leaveList(item);
    this.#end(item);
    item._idleTimeout = -1;
  }

  /** Ends a timer that has not run. */
  clear(item: TimerItem | undefined): void {
    if (!item?._onTimeout) return;
    item._onTimeout = null;
    this.unenroll(item);
  }

  /** Sets whether a timer keeps the process alive. */
  count(item: TimerItem, counts: boolean | null): void {
    if (Boolean(item[refed]) !== Boolean(counts)) this.#loop.count(counts ? 1 : -1);
    item[refed] = counts;
  }

  /** The timers that keep the process alive. */
  get kept(): readonly TimerItem[] {
    const begun = new Set([...this.#lists.values()].flatMap(({ items }) => [...items.keys()]));
    if (this.#running) begun.add(this.#running);
    return [...begun].filter((item) => item[refed]);
  }

  #soonestList(): TimersList | undefined {
    if (this.#soonest !== null) return this.#soonest;
    this.#soonest = undefined;
    let due = Infinity;
    for (const list of this.#lists.values()) {
      const its = list.due;
      if (its < due) [this.#soonest, due] = [list, its];
    }
    return this.#soonest;
  }

  #leaveList(item: TimerItem): void {
    const list = item._idleNext;
    if (!list) return;
    list.items.delete(item);
    item._idleNext = item._idlePrev = null;
    if (list.items.size === 0) this.#lists.delete(list.after);
    if (list === this.#soonest) this.#soonest = null;
  }

  #begin(item: TimerItem, start = this.#loop.now()): void {
    this.#leaveList(item);
    const after = item._idleTimeout;
    let list = this.#lists.get(after);
    if (!list) {
      this.#lists.set(after, (list = new TimersList(after)));
      if (this.#soonest !== null && start + after < (this.#soonest?.due ?? Infinity)) this.#soonest = list;
    }
    list.items.set(item, start);
    item._idleStart = Math.trunc(start);
    item._idleNext = item._idlePrev = list;
    this.#loop.timersChanged();
  }

  /** Ends a timer. It can be begun again. */
  #end(item: TimerItem): void {
    if (item._destroyed) return;
    item._destroyed = true;
    if (item instanceof this.Timeout && item[hasPrimitive]) this.known.delete(item[asyncId]);
    this.count(item, null);
  }

  #fire(item: TimerItem): void {
    item._idleNext?.fires(item);
    this.#leaveList(item);
    const callback = item._onTimeout;
    if (!callback) return this.#end(item);
    const start = this.#loop.now();
    this.#running = item;
    const run = () => Reflect.apply(callback, item, item._timerArgs ?? []);
    try {
      if (item instanceof this.Timeout) item._run(run);
      else run();
    } finally {
      this.#running = undefined;
      if (item._repeat && item._idleTimeout !== -1) {
        item._idleTimeout = item._repeat;
        this.#begin(item, start);
      } else if (!item._idleNext) this.#end(item);
    }
  }
}
