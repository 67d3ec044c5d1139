import type { Hash } from '../../base/hash.ts';
import type { SnapshotEntry } from '../../workspace/workspace.ts';
import type { Event } from '../log/events.ts';
import type { MissingFile, Recording, SharedPart } from './recording.ts';

/** The largest number of missing files that are named. */
export const MOST_NAMED = 1_000;

/** Lists what is missing in a recording. Most of this is found in its events, so that older recordings tell it, too. */
export interface Lacks {
  /** How many of each part are missing; a part is not named if nothing of it is. */
  readonly parts: Readonly<Partial<Record<SharedPart, number>>>;
  /** Files of which no version is there. */
  readonly files: readonly MissingFile[];
  /** Whether the files at the beginning are there: none, some, or all of them. */
  readonly start: 'none' | 'some' | 'all';
  /** Whether some of how the files changed later is not there. */
  readonly later: boolean;
}

export function lacksOf(recording: Recording): Lacks {
  const { withheld = {}, missingFiles = [], files, contents, sessions } = recording;
  const events = sessions.flatMap((session) => session.events);
  const gone = (hashes: readonly Hash[]) => new Set(hashes.filter((hash) => !contents.has(hash))).size;
  const found = {
    outputs: gone(events.flatMap(fullOutputsOf)),
    pictures: gone(events.flatMap(attachmentsOf)),
    requests: events.filter((event) => event.type === 'step.started' && !contents.has(event.request.system))
      .length,
  };
  const parts: Partial<Record<SharedPart, number>> = { ...withheld };
  for (const part of ['outputs', 'pictures', 'requests'] as const)
    if (found[part] > 0) parts[part] = Math.max(found[part], withheld[part] ?? 0);
  return {
    parts,
    files: missingFiles,
    start: files === null ? 'none' : withheld.pictures === undefined ? 'all' : 'some',
    later: recording.laterFilesLeftOut ?? false,
  };
}

/** The files of these lists of which `kept` has no version, largest first, together with those known before. */
export function missingFrom(
  dropped: readonly (readonly SnapshotEntry[])[],
  kept: readonly (readonly SnapshotEntry[])[] = [],
  before: readonly MissingFile[] = [],
): readonly MissingFile[] | undefined {
  const there = new Set(kept.flatMap((entries) => entries.map(({ path }) => path)));
  const missing = new Map(before.map((file) => [file.path, file]));
  for (const entry of dropped.flat())
    if (entry.type === 'file' && !there.has(entry.path) && (missing.get(entry.path)?.size ?? -1) < entry.size)
      missing.set(entry.path, { path: entry.path, size: entry.size });
  const largest = [...missing.values()].sort((a, b) => b.size - a.size || (a.path < b.path ? -1 : 1));
  return largest.length > 0 ? largest.slice(0, MOST_NAMED) : undefined;
}

export function fullOutputsOf(event: Event): readonly Hash[] {
  if (event.type === 'call.output') return event.blob === undefined ? [] : [event.blob];
  return event.type === 'call.ended' && event.fullOutput ? [event.fullOutput.blob] : [];
}

export function attachmentsOf(event: Event): readonly Hash[] {
  if (event.type === 'call.ended') return event.attachments.map(({ blob }) => blob);
  return event.type === 'step.part' && event.part.type === 'file' ? [event.part.blob] : [];
}
