import type { Clock, Ids, IdPrefix } from './clock.ts';
import { fraction } from './fraction.ts';

/** How long each event seems to take, in milliseconds. */
const STEP_MS = 10;

/** A clock that is made up: it begins at `startMs` and goes on with each event of a log. */
export function seededClock(startMs: number): Clock {
  let time = startMs;
  return { now: (by) => (by === 'log' ? (time += STEP_MS) : time), isMadeUp: true };
}

const DRAWN = 10;

/** Ids that depend on nothing but the seed, their prefix and how many of that prefix came before. */
export function seededIds(seed: string): Ids {
  const counts = new Map<IdPrefix, number>();
  return {
    next(prefix) {
      const count = (counts.get(prefix) ?? 0) + 1;
      counts.set(prefix, count);
      const drawn = Array.from({ length: DRAWN }, (_, at) => {
        const draw = fraction(JSON.stringify([at, seed, prefix, count]));
        return Math.floor(draw * 36).toString(36);
      });
      // The count at the end keeps ids apart for certain.
      return `${prefix}_${drawn.join('')}${count.toString(36).padStart(6, '0')}`;
    },
  };
}
