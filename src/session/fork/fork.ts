import { FaultError } from '../../base/fault.ts';
import type { Hash } from '../../base/hash.ts';
import { Slices } from '../../base/slices.ts';
import { SnapshotReader } from '../../workspace/snapshot.ts';
import type { SnapshotEntry } from '../../workspace/workspace.ts';
import type { Event, EventOf, ForkedFrom } from '../log/events.ts';
import { lateSnapshot, withLate } from '../log/late-snapshot.ts';
import { messageRecord, sessionRecord } from '../log/records.ts';
import type { Commit } from '../log/store.ts';
import type { ImportInto } from '../recording/import.ts';
import type { RecordedSession } from '../recording/recording.ts';
import { newIDs, renamed } from '../recording/renamed.ts';

export interface ForkSource {
  /** The whole log of a session; empty if there is no such session. */
  log(sessionID: string): Promise<readonly Event[]>;
  /** Rejects if the content is not stored. */
  content(hash: Hash): Promise<Uint8Array>;
}

/** A session, and those of its sub-agents, as they were at one moment. */
export interface SessionAt {
  readonly from: ForkedFrom;
  readonly workspaceID: string;
  /** The session itself comes first. */
  readonly sessions: readonly [RecordedSession, ...RecordedSession[]];
  /** The files of the newest snapshot at that moment; `null` if there is none. */
  readonly files: readonly SnapshotEntry[] | null;
  /** The contents of the files of every snapshot until then. */
  readonly contents: ReadonlySet<Hash>;
}

/** Reads a session as it was after its first `count` events. Rejects with a fault if there is no such moment. */
export async function sessionAt(source: ForkSource, sessionID: string, count: number): Promise<SessionAt> {
  const log = await source.log(sessionID);
  const events = log.slice(0, count);
  const [created] = events;
  const last = events.at(-1);
  if (created?.type !== 'session.created' || !last || count < 1 || count > log.length)
    throw new FaultError({
      code: 'no-such-moment',
      what: `This session has no moment after ${count} events: it has ${log.length}.`,
      where: sessionID,
    });
  const title = events.findLast((event) => event.type === 'session.titled')?.title ?? created.title;
  const children = await childrenOf(source, events, last.time);
  // Snapshots before the first call are taken while the first turn begins, and hold for the moments before.
  const snapshots = log.filter((event) => event.type === 'snapshot.taken');
  const taken = snapshots.filter(({ seq, reason }) => seq < count || reason === 'session-start');
  const late = lateSnapshot(log, count);
  return {
    from: { sessionID, title, events: count },
    workspaceID: created.workspaceID,
    sessions: [{ id: sessionID, events: withLate(events, late) }, ...children],
    ...(await filesOf(source, late ? [...taken, late] : taken)),
  };
}

/** The sessions of the sub-agents that had begun, as they were at this time. */
async function childrenOf(
  source: ForkSource,
  events: readonly Event[],
  until: number,
): Promise<readonly RecordedSession[]> {
  const ids = new Set(events.flatMap((event) => (event.type === 'task.started' ? event.childID : [])));
  const children: RecordedSession[] = [];
  for (const id of ids) {
    const had = (await source.log(id)).filter(({ time }) => time <= until);
    if (had.length > 0) children.push({ id, events: had }, ...(await childrenOf(source, had, until)));
  }
  return children;
}

/** The files of the newest snapshot, and the contents of all. A snapshot that cannot be read is left out. */
async function filesOf(
  source: ForkSource,
  snapshots: readonly EventOf<'snapshot.taken'>[],
): Promise<Pick<SessionAt, 'files' | 'contents'>> {
  const reader = new SnapshotReader((hash) => source.content(hash));
  const contents = new Set<Hash>();
  let files: readonly SnapshotEntry[] | null = null;
  for (const { manifest } of snapshots) {
    const entries = await reader.read(manifest).catch(() => null);
    if (!entries) continue;
    files = entries;
    for (const entry of entries) if (entry.type === 'file') contents.add(entry.hash);
  }
  return { files, contents };
}

/**
 * The session of that moment under new ids, to be committed in this order. What was open then is ended as
 * interrupted, and what was allowed for the session has to be allowed again.
 */
export async function forkedSessions(
  { from, sessions }: Pick<SessionAt, 'from' | 'sessions'>,
  into: ImportInto,
): Promise<readonly Commit[]> {
  const { workspaceID } = into;
  const idFor = newIDs(() => into.newSessionID());
  const slices = new Slices();
  const commits: Commit[] = [];
  for (const [index, session] of sessions.entries()) {
    const { state, events } = await renamed(session, {
      ...{ workspaceID, idFor, slices },
      ...(index === 0 && { created: ({ parent: _parent, ...body }) => ({ ...body, forkedFrom: from }) }),
    });
    commits.push({
      sessionID: state.sessionID,
      events,
      messages: [...state.messages.values()].map((message) => messageRecord(state, message)),
      session: sessionRecord(state),
      blobs: [],
    });
  }
  return commits.toReversed();
}
