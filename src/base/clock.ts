/** Time and randomness as a port: real in the page, fixed in tests, so that their results never vary. */
export interface Clock {
  /**
   * Milliseconds since the epoch. A clock that is made up goes on only when a log asks, because the order of events does
   * not depend on the machine, and the number of other questions does.
   */
  now(by?: 'log'): number;
  /** Whether time is made up. What is gathered for some time is then gathered until its end, so that runs are alike. */
  readonly isMadeUp?: boolean;
  /**
   * A clock that is made up returns here at which time the files of the next computer begin. It does not depend on the events
   * of the log so far, because how many there are when a computer has started depends on the speed of the machine.
   */
  fileTime?(): number;
}

export interface Ids {
  /** Returns an id that is unique in this store. Ids do not sort by creation: order comes from `seq`. */
  next(prefix: IdPrefix): string;
}

export type IdPrefix = 'ses' | 'msg' | 'wsp' | 'req' | 'prc' | 'pau';

/** The time of this page; `seedPage` makes it up for tests. */
export const pageClock: Clock = { now: Date.now };

/** The ids that this page gives; `seedPage` makes them follow from a seed for tests. */
export const pageIds: Ids = {
  next: (prefix) => `${prefix}_${randomBase36(16)}`,
};

/** Ids `msg_1`, `msg_2`, … counted per prefix. */
export function countingIds(): Ids {
  const counts = new Map<IdPrefix, number>();
  return {
    next(prefix) {
      const count = (counts.get(prefix) ?? 0) + 1;
      counts.set(prefix, count);
      return `${prefix}_${count}`;
    },
  };
}

/** A clock for tests: each `now()` is `stepMs` later than the one before. */
export function steppingClock(startMs = 1_700_000_000_000, stepMs = 1): Clock {
  let time = startMs;
  return { now: () => (time += stepMs) };
}

function randomBase36(length: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return Array.from(bytes, (byte) => (byte % 36).toString(36)).join('');
}
