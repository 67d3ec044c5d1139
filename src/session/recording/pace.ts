import type { Event } from '../events.ts';

/** A wait of a model, a tool or a person that is longer is shortened to this when a recording is played, milliseconds. */
export const LONGEST_WAIT_MS = 2_000;

/** When a session is played, at which moment each of its events comes: milliseconds since the first prompt. */
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

/** How many events there are at this moment. `moments` never fall. */
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
