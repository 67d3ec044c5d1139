import type { Hash } from '../../base/hash.ts';
import { rebuiltPacks } from './rebuilt-packs.ts';
import type { Recording } from './recording.ts';

/**
 * The messages of requests that cannot be rebuilt from the log of a recording without them: after an import, for example,
 * the log names a sub-agent's session by its new id, and the request was sent with the old one.
 */
export async function wordsOfTheirOwn({ sessions, contents }: Recording): Promise<ReadonlySet<Hash>> {
  const own = new Set<Hash>();
  for (const { events } of sessions) {
    const rebuilt = await rebuiltPacks(events, (hash) => contents.get(hash));
    for (const event of events) {
      if (event.type !== 'step.started') continue;
      for (const pack of event.request.append) {
        const hash = typeof pack === 'string' ? pack : pack.hash;
        if (!rebuilt.has(hash) && !contents.has(hash)) own.add(hash);
      }
    }
  }
  return own;
}
