/** Time and randomness as a port: real in the page, fixed in tests, so that their results never vary. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export interface Ids {
  /** Returns an id that is unique in this store. Ids do not sort by creation: order comes from `seq`. */
  next(prefix: IdPrefix): string;
}

export type IdPrefix = 'ses' | 'msg' | 'wsp' | 'req' | 'prc' | 'pau';

export const realClock: Clock = { now: () => Date.now() };

export const realIds: Ids = {
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
