import * as z from 'zod/mini';
import { hashText, type Hash } from '../../base/hash.ts';
import { byPath, changesBetween, FileLists, inOrder } from '../../workspace/file-lists.ts';
import { snapshotEntriesSchema } from '../../workspace/snapshot.ts';
import type { SnapshotEntry } from '../../workspace/workspace.ts';
import type { Event, EventOf } from '../log/events.ts';
import type { LaterList, Recording } from './recording.ts';

/** The largest number of entries in all later lists together: an open recording holds them in full. */
export const MAX_LISTED = 2_000_000;

/**
 * The files after a call or a turn, in a recording's file: the changes since the previous list. They stand
 * beside the events, so that older apps can ignore them.
 */
export const laterFilesSchema = z.array(
  z.object({
    /** How many events of the first session come before it, not counting other later lists. */
    after: z.int().check(z.minimum(1)),
    at: z.number().check(z.minimum(0)),
    /** The first apps with later lists kept only those after turns. */
    reason: z._default(z.enum(['call-end', 'turn-end', 'turn-start', 'restore']), 'turn-end'),
    /** As in its event. */
    messageID: z.exactOptional(z.string()),
    changed: snapshotEntriesSchema,
    gone: z.array(z.string()),
  }),
);

export type LaterFilesJSON = z.infer<typeof laterFilesSchema>;

/** The list of the files at the session's start, in the form of the blob store. */
export function startText(files: readonly SnapshotEntry[] | null): string {
  return JSON.stringify(files ?? []);
}

export function startManifest(files: readonly SnapshotEntry[] | null): Hash {
  return hashText(startText(files));
}

/** Converts each list to the form of the blob store. The result depends only on the lists. */
export async function laterLists(
  lists: readonly (readonly SnapshotEntry[])[],
): Promise<readonly LaterList[]> {
  const kept = new FileLists();
  const later: LaterList[] = [];
  for (const entries of lists) {
    const next = await kept.next(entries);
    if (next) kept.took(next);
    const { hash: manifest, bytes } = next ?? kept.last ?? { hash: '', bytes: new Uint8Array() };
    later.push({ manifest, bytes, entries });
  }
  return later;
}

/** Every list of files that events of the recording name, in the form of the blob store. */
export function manifestsOf({ files, laterFiles }: Recording): ReadonlyMap<Hash, Uint8Array<ArrayBuffer>> {
  return new Map([
    [startManifest(files), new TextEncoder().encode(startText(files))],
    ...laterFiles.map(({ manifest, bytes }) => [manifest, bytes] as const),
  ]);
}

type LaterSnapshot = EventOf<'snapshot.taken'> & {
  readonly reason: Exclude<EventOf<'snapshot.taken'>['reason'], 'session-start'>;
};

export function isLaterSnapshot(event: Event): event is Event & LaterSnapshot {
  return event.type === 'snapshot.taken' && event.reason !== 'session-start';
}

export function laterFilesJSON({ started, files, laterFiles, sessions: [own] }: Recording): LaterFilesJSON {
  const json: LaterFilesJSON = [];
  let before = byPath(files ?? []);
  for (const event of own.events) {
    if (!isLaterSnapshot(event)) continue;
    const now = byPath(laterFiles[json.length]?.entries ?? []);
    const { changed, gone } = changesBetween(before, now);
    const { reason, messageID } = event;
    const after = event.seq - json.length;
    const about = { reason, ...(messageID !== undefined && { messageID }) };
    json.push({ after, at: event.time - started, ...about, changed: [...changed], gone: [...gone] });
    before = now;
  }
  return json;
}

/** The complete lists, in order; `undefined` if they are longer than a page can hold. */
export function fullLists(
  files: readonly SnapshotEntry[] | null,
  given: LaterFilesJSON,
): readonly (readonly SnapshotEntry[])[] | undefined {
  const current = byPath(files ?? []);
  const lists: (readonly SnapshotEntry[])[] = [];
  let listed = 0;
  for (const { changed, gone } of given) {
    for (const path of gone) current.delete(path);
    for (const entry of changed) current.set(entry.path, entry);
    listed += current.size;
    if (listed > MAX_LISTED) return undefined;
    lists.push(inOrder(current.values()));
  }
  return lists;
}

export function contentsOfFiles(entries: readonly SnapshotEntry[]): readonly Hash[] {
  return entries.flatMap((entry) => (entry.type === 'file' ? entry.hash : []));
}
