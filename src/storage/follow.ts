import type { Event } from '../session/events.ts';
import type { Commit } from '../session/store.ts';
import { fail } from './faults.ts';

/**
 * The events of a commit that are not stored yet. They must go on exactly at `end`, where the stored log ends; a
 * commit whose outcome was lost may come again, so what is stored already and equal is passed over.
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
