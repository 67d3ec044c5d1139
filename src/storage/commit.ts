import type { Event, EventOf } from '../session/events.ts';
import type { Commit } from '../session/store.ts';
import { ownBlobs, putBlobs, releaseBlobs } from './blob-store.ts';
import { afterStored } from './follow.ts';
import { blobsNamedBy } from './references.ts';
import { TITLE_SEQ } from './schema.ts';
import type { SessionTables } from './session-tables.ts';
import { searchableText, wordsOf } from './words.ts';

/** Events in one record at most: reading many small records is what costs. */
const BATCH = 100;

/**
 * Writes one commit within one transaction. Costs what is in it, whatever the session holds already. The transaction
 * is left to complete by itself: after an explicit `commit()`, one that then runs out of room never ends in Chromium.
 */
export async function writeCommit(tables: SessionTables, commit: Commit): Promise<void> {
  const { sessionID, session } = commit;
  const stored = await tables.sessions.get(sessionID);
  const end = stored?.nextSeq ?? 0;
  const events = await afterStored(commit, end, (from) => readEvents(tables, sessionID, from));
  const requests: Promise<unknown>[] = [];
  const ask = (request: Promise<unknown>) => {
    // One that cannot even be asked for aborts the others before anyone waits for them.
    request.catch(() => {});
    requests.push(request);
  };
  ask(tables.sessions.put({ ...session, deleted: stored?.deleted ?? null, nextSeq: end + events.length }));
  ask(ownBlobs(tables.owners, sessionID, events.flatMap(blobsNamedBy)));
  ask(putBlobs(tables, sessionID, commit.blobs));
  for (let start = 0; start < events.length; start += BATCH) {
    const batch = events.slice(start, start + BATCH);
    ask(tables.events.put({ sessionID, firstSeq: end + start, events: batch }));
  }
  for (const record of commit.messages) {
    ask(tables.messages.put(record));
    ask(index(tables, sessionID, record.seq, searchableText(record)));
  }
  if (stored?.state.title !== session.state.title)
    ask(index(tables, sessionID, TITLE_SEQ, session.state.title));
  for (const event of events) ask(keepOutput(tables, event));
  await Promise.all(requests);
  for (const event of events) if (event.type === 'output.dropped') await dropOutput(tables, event);
}

/** Stored events with `seq >= from`, as they are. */
async function readEvents(
  { events }: SessionTables,
  sessionID: string,
  from: number,
): Promise<readonly Event[]> {
  const upTo = IDBKeyRange.bound([sessionID], [sessionID, from]);
  const first = (await events.openKeyCursor(upTo, 'prev'))?.primaryKey ?? [sessionID];
  const batches = await events.getAll(IDBKeyRange.bound(first, [sessionID, []]));
  return batches.flatMap((batch) => batch.events).filter(({ seq }) => seq >= from);
}

async function index(tables: SessionTables, sessionID: string, seq: number, text: string): Promise<void> {
  const words = wordsOf(text);
  if (words.length > 0) await tables.search.put({ sessionID, seq, words });
  else if (seq === TITLE_SEQ) await tables.search.delete([sessionID, seq]);
}

/** Full outputs are listed by the time their call ended, until the log says that they are dropped. */
async function keepOutput(tables: SessionTables, event: Event): Promise<void> {
  if (event.type !== 'call.ended' || !event.fullOutput) return;
  const { sessionID, messageID, callID, time } = event;
  await tables.outputs.put({ sessionID, messageID, callID, blob: event.fullOutput.blob, time });
}

async function dropOutput(tables: SessionTables, event: EventOf<'output.dropped'>): Promise<void> {
  const { sessionID, messageID, callID } = event;
  const output = await tables.outputs.get([sessionID, messageID, callID]);
  if (!output) return;
  await tables.outputs.delete([sessionID, messageID, callID]);
  const rest = await tables.outputs.getAll(IDBKeyRange.bound([sessionID], [sessionID, []]));
  if (!rest.some(({ blob }) => blob === output.blob)) await releaseBlobs(tables, sessionID, [output.blob]);
}
