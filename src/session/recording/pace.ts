import type { Event } from '../log/events.ts';

/** Longer waits in a played recording are shortened to this, in milliseconds. */
export const LONGEST_WAIT_MS = 2_000;

/**
 * A recording that would be over sooner is slowed, in milliseconds: scripts and fast machines answer quicker than anybody can
 * follow.
 */
const TOO_SHORT_MS = 5_000;
/** A recording is not slowed beyond this. */
const LONGEST_SLOWED_MS = 60_000;

/** The time at which each event of a played session comes, in milliseconds since the first prompt. */
export function paceOf(events: readonly Event[]): readonly number[] {
  const begins = events.findIndex(({ type }) => type === 'prompt.accepted');
  const waits = events.map(({ time }, index) => {
    const before = events[index - 1];
    if (!before || index <= begins) return 0;
    return Math.min(LONGEST_WAIT_MS, Math.max(0, time - before.time));
  });
  if (sum(waits) >= TOO_SHORT_MS) return momentsOf(waits);
  const slowed = waits.map((wait, index) => {
    const event = events[index];
    return event && index > begins ? Math.max(wait, leastWait(event)) : wait;
  });
  const share = Math.min(1, LONGEST_SLOWED_MS / sum(slowed));
  return momentsOf(slowed.map((wait) => wait * share));
}

const LEAST_WAITS: Partial<Record<Event['type'], number>> = {
  // The viewer still reads what the last turn said.
  'prompt.accepted': 1_500,
  'step.started': 500,
  // Whoever watches sees the call before its result, and the question before its answer.
  'call.ended': 800,
  'permission.answered': 1_000,
  'question.answered': 1_000,
};
const MS_PER_CHARACTER = 15;
const LONGEST_TYPED_MS = 200;

/** How long a slowed recording waits at least before an event. */
function leastWait(event: Event): number {
  if (event.type !== 'step.part') return LEAST_WAITS[event.type] ?? 0;
  const { part } = event;
  if (part.type === 'tool-input-delta')
    return Math.min(LONGEST_TYPED_MS, part.delta.length * MS_PER_CHARACTER);
  if (part.type !== 'text-delta' && part.type !== 'reasoning-delta') return 0;
  return Math.min(LONGEST_TYPED_MS, part.text.length * MS_PER_CHARACTER);
}

function momentsOf(waits: readonly number[]): readonly number[] {
  let moment = 0;
  return waits.map((wait) => (moment += wait));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
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
