/** Time and randomness as a port, so that tests are golden: real in the page, fixed in tests. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export interface Ids {
  /** A new id, unique in this store, sortable by creation only as a convenience: order comes from `seq`. */
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

/** A clock that moves only when told: each `now()` is `stepMs` later than the one before. */
export function steppingClock(startMs = 1_700_000_000_000, stepMs = 1): Clock {
  let time = startMs;
  return { now: () => (time += stepMs) };
}

function randomBase36(length: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return Array.from(bytes, (byte) => (byte % 36).toString(36)).join('');
}
