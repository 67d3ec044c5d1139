import type { Event } from '../session/log/events.ts';
import type { Commit } from '../session/log/store.ts';
import { fail } from './faults.ts';

/**
 * Returns the events of a commit that are not stored yet. They must follow `end`, where the stored log ends, without
 * a gap. A commit whose outcome was lost may be sent again, so events that are already stored and equal are skipped.
 */
export async function afterStored(
  { sessionID, events }: Pick<Commit, 'sessionID' | 'events'>,
  end: number,
  storedFrom: (seq: number) => readonly Event[] | Promise<readonly Event[]>,
): Promise<readonly Event[]> {
  const first = events[0];
  if (!first) return events;
  const where = `events ["${sessionID}",${first.seq}]`;
  if (!consecutive({ sessionID, events }))
    fail('log-conflict', 'The events of one commit do not follow one another.', where);
  if (first.seq === end) return events;
  if (first.seq > end) fail('log-conflict', `The stored log ends before event ${end}.`, where);
  const stored = await storedFrom(first.seq);
  const repeated = events.slice(0, end - first.seq);
  if (repeated.some((event, index) => JSON.stringify(event) !== JSON.stringify(stored[index])))
    fail('log-conflict', `Other events are stored from ${first.seq} on.`, where);
  return events.slice(repeated.length);
}

export function consecutive({ sessionID, events }: Pick<Commit, 'sessionID' | 'events'>): boolean {
  const first = events[0]?.seq ?? 0;
  return events.every((event, index) => event.seq === first + index && event.sessionID === sessionID);
}
