import { pageClock, pageIds } from '../base/clock.ts';
import { seededClock, seededIds } from '../base/seeded.ts';

/** Where time begins unless the address says it: no daylight saving, and a date that nobody takes for today. */
const START = '2026-01-01T12:00:00Z';
/** How many pages with a seed this storage has seen. */
const LOADS_KEY = 'vitrine.seeded-loads';
/** Each page begins this much later, so that what it writes is newer than what is stored. */
const LATER_MS = 60 * 60 * 1000;

/**
 * Makes times and ids of this page follow from the parameters `seed` and `time` of its address, if it has a seed, so that
 * two runs of a test give the same recording. A page that is loaded again gives other ids than before, because what
 * has those is stored. Throws an error if the seed is no whole number or the time is none.
 */
export function seedPage(search: string, storage: () => Pick<Storage, 'getItem' | 'setItem'>): void {
  const parameters = new URLSearchParams(search);
  const seed = parameters.get('seed');
  if (seed === null || parameters.get('automation') !== '1' || pageClock.isMadeUp) return;
  if (!/^-?\d+$/.test(seed))
    throw new Error(`The address has seed=${seed}, which is no whole number. Write one, such as seed=7.`);
  const time = parameters.get('time') ?? START;
  const start = /^\d+$/.test(time) ? Number(time) : Date.parse(time);
  if (Number.isNaN(new Date(start).getTime()))
    throw new Error(`The address has time=${time}, which is no time. Write it like ${START}.`);
  const loads = countLoad(storage);
  Object.assign(pageClock, seededClock(start + loads * LATER_MS));
  Object.assign(pageIds, seededIds(JSON.stringify([seed, loads])));
}

function countLoad(storage: () => Pick<Storage, 'getItem' | 'setItem'>): number {
  try {
    const loads = Number(storage().getItem(LOADS_KEY) ?? 0);
    storage().setItem(LOADS_KEY, String(loads + 1));
    return loads;
  } catch {
    // Where the site may not store anything, nothing with the same ids is stored either.
    return 0;
  }
}
