import type { Event } from '../log/events.ts';

/** Longer waits in a played recording are shortened to this, in milliseconds. */
export const LONGEST_WAIT_MS = 2_000;

/** The time at which each event of a played session comes, in milliseconds since the first prompt. */
export function paceOf(events: readonly Event[]): readonly number[] {
  let moment = 0;
  let before: number | undefined;
  const begins = events.findIndex(({ type }) => type === 'prompt.accepted');
  return events.map(({ time }, index) => {
    if (index > begins && before !== undefined)
      moment += Math.min(LONGEST_WAIT_MS, Math.max(0, time - before));
    before = time;
    return moment;
  });
}

/** How many events have happened at this moment. `moments` must not decrease. */
export function countAt(moments: readonly number[], moment: number): number {
  let low = 0;
  let high = moments.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((moments[middle] ?? Infinity) <= moment) low = middle + 1;
    else high = middle;
  }
  return low;
}
