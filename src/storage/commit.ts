import type { Hash } from '../base/hash.ts';
import type { Event, EventOf } from '../session/events.ts';
import type { Commit, SessionRecord } from '../session/store.ts';
import { releaseBlobs } from './blob-store.ts';
import { fail } from './faults.ts';
import { afterStored, consecutive } from './follow.ts';
import { blobsNamedBy } from '../session/references.ts';
import { TITLE_SEQ } from './schema.ts';
import type { SessionTables } from './session-tables.ts';
import { searchableText, wordsOf } from './words.ts';

/** Events in one record at most: reading many small records is what costs. */
const BATCH = 100;

/**
 * Writes one commit within one transaction, taking for granted that it goes on exactly where the stored log ends: then
 * nothing is waited for between the look and the writes, which is a third of the time. Rejects with `log-conflict`
 * where it does not: nothing was written then, and {@link writeCommit} looks first.
 * `owned`: blobs that the session is known to own. Costs what is in it, whatever the session holds already. The transaction is left to complete by itself: after an
 * explicit `commit()`, one that then runs out of room never ends in Chromium.
 */
export async function writeNext(
  tables: SessionTables,
  commit: Commit,
  owned: ReadonlySet<Hash> = new Set(),
): Promise<void> {
  const { session, events } = commit;
  const end = events[0]?.seq;
  if (end === undefined || !consecutive(commit)) notNext(session.id);
  const looked = tables.sessions.get(session.id);
  // A row that cannot even be sent aborts it before anyone waits.
  looked.catch(() => {});
  write(tables, commit, { end, events, deleted: session.deleted, owned });
  const stored = await looked;
  if ((stored?.nextSeq ?? 0) !== end || (stored?.deleted ?? null) !== session.deleted) notNext(session.id);
  if (stored?.state.title !== session.state.title) await indexTitle(tables, session);
  await dropOutputs(tables, events);
}

function notNext(sessionID: string): never {
  fail('log-conflict', 'The events do not follow the stored ones.', `events ["${sessionID}"]`);
}

/** The same for a commit that may have been written before, in part or whole, or that has no events. */
export async function writeCommit(tables: SessionTables, commit: Commit): Promise<void> {
  const { sessionID, session } = commit;
  const stored = await tables.sessions.get(sessionID);
  const end = stored?.nextSeq ?? 0;
  const events = await afterStored(commit, end, (from) => readEvents(tables, sessionID, from));
  write(tables, commit, { end, events, deleted: stored?.deleted ?? null, owned: new Set() });
  if (stored?.state.title !== session.state.title) await indexTitle(tables, session);
  await dropOutputs(tables, events);
}

interface Place {
  /** Where the stored log ends. */
  readonly end: number;
  /** Those of the commit that are not stored. */
  readonly events: readonly Event[];
  readonly deleted: number | null;
  /** Blobs whose ownership need not be written. */
  readonly owned: ReadonlySet<Hash>;
}

/** Nothing is waited for: what fails fails the transaction. */
function write(
  { send }: SessionTables,
  { sessionID, session, messages, blobs }: Commit,
  { end, events, deleted, owned }: Place,
): void {
  send('sessions', { ...session, deleted, nextSeq: end + events.length });
  const named = new Set(events.flatMap(blobsNamedBy));
  for (const { hash, bytes } of blobs) {
    send('blobs', { hash, bytes });
    named.add(hash);
  }
  for (const hash of named) if (!owned.has(hash)) send('owners', { hash, owner: sessionID });
  for (let start = 0; start < events.length; start += BATCH) {
    const batch = events.slice(start, start + BATCH);
    send('events', { sessionID, firstSeq: end + start, events: batch });
  }
  for (const record of messages) {
    send('messages', record);
    const words = wordsOf(searchableText(record));
    if (words.length > 0) send('search', { sessionID, seq: record.seq, words });
  }
  // Full outputs are listed by the time their call ended, until the log says that they are dropped.
  for (const event of events)
    if (event.type === 'call.ended' && event.fullOutput) {
      const { messageID, callID, time, fullOutput } = event;
      send('outputs', { sessionID, messageID, callID, blob: fullOutput.blob, time });
    }
}

async function dropOutputs(tables: SessionTables, events: readonly Event[]): Promise<void> {
  for (const event of events) if (event.type === 'output.dropped') await dropOutput(tables, event);
}

async function indexTitle({ send, search }: SessionTables, { id, state }: SessionRecord): Promise<void> {
  const words = wordsOf(state.title);
  if (words.length > 0) send('search', { sessionID: id, seq: TITLE_SEQ, words });
  else await search.delete([id, TITLE_SEQ]);
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

async function dropOutput(tables: SessionTables, event: EventOf<'output.dropped'>): Promise<void> {
  const { sessionID, messageID, callID } = event;
  const output = await tables.outputs.get([sessionID, messageID, callID]);
  if (!output) return;
  await tables.outputs.delete([sessionID, messageID, callID]);
  const rest = await tables.outputs.getAll(IDBKeyRange.bound([sessionID], [sessionID, []]));
  if (!rest.some(({ blob }) => blob === output.blob)) await releaseBlobs(tables, sessionID, [output.blob]);
}
