import type { Hash } from '../base/hash.ts';
import type { Event, EventOf } from '../session/log/events.ts';
import type { Commit, SessionMarks, SessionRecord } from '../session/log/store.ts';
import { releaseBlobs } from './blob-store.ts';
import { fail } from './faults.ts';
import { afterStored, consecutive } from './follow.ts';
import { blobsNamedBy } from '../session/log/references.ts';
import { sameMarks, withMarks } from './marks.ts';
import { TITLE_SEQ } from './schema.ts';
import type { SessionTables } from './session-tables.ts';
import { searchableText, wordsOf } from './tokenize.ts';

/** How many events a record holds at most. Larger records read faster, since reading many small ones is slow. */
const BATCH = 100;

/**
 * Writes one commit in one transaction and assumes that it follows the end of the stored log exactly. That avoids
 * waiting between the check and the writes, a third of the time. Rejects with `log-conflict` if the assumption is
 * wrong; nothing was written then, and {@link writeCommit} checks first. `owned` names blobs that the session is
 * known to own. The cost depends on the commit alone, not on what the session already has. The transaction completes
 * by itself, because in Chromium one that is committed explicitly and then runs out of space never ends.
 */
export async function writeNext(
  tables: SessionTables,
  commit: Commit,
  owned: ReadonlySet<Hash> = new Set(),
): Promise<void> {
  const { session, events } = commit;
  const end = events[0]?.seq;
  if (end === undefined || !consecutive(commit)) notNext(session.id);
  const reading = tables.sessions.get(session.id);
  // If a row cannot be sent at all, the transaction aborts before anyone waits.
  reading.catch(() => {});
  write(tables, commit, { end, events, deleted: session.deleted, owned });
  const stored = await reading;
  if ((stored?.nextSeq ?? 0) !== end || (stored?.deleted ?? null) !== session.deleted) notNext(session.id);
  if (!sameMarks(stored?.marks, session.marks)) notNext(session.id);
  if (stored?.state.title !== session.state.title) await indexTitle(tables, session);
  await dropOutputs(tables, events);
}

function notNext(sessionID: string): never {
  fail('log-conflict', 'The events do not follow the stored ones.', `events ["${sessionID}"]`);
}

/**
 * Like {@link writeNext}, for a commit that may be partly or wholly written already, has no events, or does not know the
 * stored marks. Resolves to those marks.
 */
export async function writeCommit(tables: SessionTables, commit: Commit): Promise<SessionMarks | undefined> {
  const { sessionID, session } = commit;
  const stored = await tables.sessions.get(sessionID);
  const end = stored?.nextSeq ?? 0;
  const events = await afterStored(commit, end, (from) => readEvents(tables, sessionID, from));
  const marked = { ...commit, session: withMarks(session, stored?.marks) };
  write(tables, marked, { end, events, deleted: stored?.deleted ?? null, owned: new Set() });
  if (stored?.state.title !== session.state.title) await indexTitle(tables, session);
  await dropOutputs(tables, events);
  return stored?.marks;
}

interface LogPosition {
  /** The `seq` at which the stored log ends. */
  readonly end: number;
  /** The events of the commit that are not stored yet. */
  readonly events: readonly Event[];
  readonly deleted: number | null;
  /** Blobs whose ownership need not be written again. */
  readonly owned: ReadonlySet<Hash>;
}

/** Sends all writes without waiting; a failed write fails the transaction. */
function write(
  { send }: SessionTables,
  { sessionID, session, messages, blobs }: Commit,
  { end, events, deleted, owned }: LogPosition,
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
  // Full outputs are indexed by the time their call ended until the log says that they were dropped.
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

/** Returns the stored events with `seq >= from`, unparsed. */
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
