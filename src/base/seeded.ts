import type { Clock, Ids, IdPrefix } from './clock.ts';
import { hashText } from './hash.ts';

/** How long each event seems to take, in milliseconds. */
const STEP_MS = 10;

/** How much later the time of files begins in each computer than in the one that started before it, in milliseconds. */
const COMPUTER_MS = 60 * 1000;

/** A clock that is made up: it begins at `startMs` and goes on with each event of a log. */
export function seededClock(startMs: number): Clock {
  let time = startMs;
  let computers = 0;
  return {
    now: (by) => (by === 'log' ? (time += STEP_MS) : time),
    isMadeUp: true,
    fileTime: () => startMs + COMPUTER_MS * computers++,
  };
}

/** Ids that depend on nothing but the seed, their prefix and how many of that prefix came before. */
export function seededIds(seed: string): Ids {
  const counts = new Map<IdPrefix, number>();
  return {
    next(prefix) {
      const count = (counts.get(prefix) ?? 0) + 1;
      counts.set(prefix, count);
      // The count at the end keeps ids apart for certain.
      const drawn = hashText(JSON.stringify([seed, prefix, count])).slice(0, 10);
      return `${prefix}_${drawn}${count.toString(36).padStart(6, '0')}`;
    },
  };
}
