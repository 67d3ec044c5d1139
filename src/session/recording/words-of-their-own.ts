import type { Hash } from '../../base/hash.ts';
import type { Event, MessagePack } from '../log/events.ts';
import { rebuiltPacks } from './rebuilt-packs.ts';
import type { RecordedSession, Recording } from './recording.ts';

/**
 * Puts back into a recording without the messages of its requests those that cannot be rebuilt from its log: after an
 * import, for example, the log names a sub-agent's session by its new id, and the request was sent with the old one.
 */
export async function withWordsOfTheirOwn(whole: Recording, bare: Recording): Promise<Recording> {
  const contents = new Map(bare.contents);
  const sessions: RecordedSession[] = [];
  for (const [index, { id, events }] of bare.sessions.entries()) {
    const rebuilt = await rebuiltPacks(events, (hash) => bare.contents.get(hash));
    const original = whole.sessions[index]?.events ?? [];
    const isMissing = (hash: Hash) => !rebuilt.has(hash) && !contents.has(hash);
    const withPacks = (event: Event, at: number): Event => {
      const before = original[at];
      if (event.type !== 'step.started' || before?.type !== 'step.started') return event;
      const append = event.request.append.map((pack, place): MessagePack => {
        const hash = typeof pack === 'string' ? pack : pack.hash;
        if (!isMissing(hash)) return pack;
        const bytes = whole.contents.get(hash);
        if (bytes) contents.set(hash, bytes);
        return before.request.append[place] ?? pack;
      });
      return { ...event, request: { ...event.request, append } };
    };
    sessions.push({ id, events: events.map(withPacks) });
  }
  const [first, ...others] = sessions;
  return first ? { ...bare, sessions: [first, ...others], contents } : bare;
}
