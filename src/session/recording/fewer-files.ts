import type { Hash } from '../../base/hash.ts';
import type { Event } from '../log/events.ts';
import { blobsNamedBy } from '../log/references.ts';
import { contentsOfFiles, isLaterSnapshot, laterLists } from './later-files.ts';
import { missingFrom } from './missing.ts';
import type { LaterList, Recording } from './recording.ts';

/**
 * The recording with the files from its start and from the ends of turns, but without those between calls.
 */
export async function withFilesOfTurns(recording: Recording): Promise<Recording> {
  const kept = atEndsOfTurns(recording.sessions[0].events);
  const lists = recording.laterFiles.filter((_, index) => kept.has(index));
  if (lists.length === recording.laterFiles.length) return recording;
  return withLists(recording, kept, await laterLists(lists.map(({ entries }) => entries)));
}

/** The recording with only the files from its start. */
export function withoutLaterFiles(recording: Recording): Recording {
  return recording.laterFiles.length === 0 ? recording : withLists(recording, new Set(), []);
}

/**
 * The indexes of later lists that are the newest when a turn ends, or taken while none ran: taking one may
 * last longer than a turn.
 */
function atEndsOfTurns(events: readonly Event[]): ReadonlySet<number> {
  const kept = new Set<number>();
  let newest = -1;
  let isTurn = false;
  for (const event of events) {
    if (event.type === 'turn.started') isTurn = true;
    if (event.type === 'turn.ended') isTurn = false;
    if (isLaterSnapshot(event)) newest++;
    else if (event.type !== 'turn.ended') continue;
    if (!isTurn && newest >= 0) kept.add(newest);
  }
  return kept;
}

/** The recording with only those later lists whose indexes are in `kept`, rebuilt as `laterFiles`. */
function withLists(
  recording: Recording,
  kept: ReadonlySet<number>,
  laterFiles: readonly LaterList[],
): Recording {
  const [own, ...others] = recording.sessions;
  let place = -1;
  let count = 0;
  const events = own.events
    .filter((event) => !isLaterSnapshot(event) || kept.has(++place))
    .map((event, seq): Event => {
      if (!isLaterSnapshot(event)) return { ...event, seq };
      return { ...event, seq, manifest: laterFiles[count++]?.manifest ?? event.manifest };
    });
  const missingFiles = missingFrom(
    recording.laterFiles.map(({ entries }) => entries),
    [recording.files ?? [], ...laterFiles.map(({ entries }) => entries)],
    recording.missingFiles,
  );
  const smaller: Recording = {
    ...recording,
    sessions: [{ ...own, events }, ...others],
    laterFiles,
    laterFilesLeftOut: true,
    ...(missingFiles && { missingFiles }),
  };
  return { ...smaller, contents: stillNeeded(recording, smaller) };
}

/** The contents without those of files that only removed lists name. */
function stillNeeded(recording: Recording, smaller: Recording): Recording['contents'] {
  const dropped = new Set<Hash>(recording.laterFiles.flatMap(({ entries }) => contentsOfFiles(entries)));
  for (const entries of [smaller.files ?? [], ...smaller.laterFiles.map((list) => list.entries)])
    for (const hash of contentsOfFiles(entries)) dropped.delete(hash);
  for (const { events } of smaller.sessions)
    for (const event of events) for (const hash of blobsNamedBy(event)) dropped.delete(hash);
  return new Map([...recording.contents].filter(([hash]) => !dropped.has(hash)));
}
