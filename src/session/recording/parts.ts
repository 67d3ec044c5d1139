import type { Hash } from '../../base/hash.ts';
import type { SnapshotEntry } from '../../workspace/workspace.ts';
import type { Event } from '../log/events.ts';
import { attachedOf, type Attached } from './attached-files.ts';
import { withoutLaterFiles } from './fewer-files.ts';
import { contentsOfFiles } from './later-files.ts';
import { lengthOf, type RecordingLength } from './length.ts';
import { attachmentsOf, fullOutputsOf } from './missing.ts';
import { withoutRequests } from './record.ts';
import { SHARED_PARTS, type Recording, type SharedPart, type Withheld } from './recording.ts';
import { withStart } from './start-files.ts';
import { withoutAttachments } from './without-attachments.ts';

export type ShareChoice = Readonly<Record<SharedPart, boolean>>;

export interface RecordingCounts extends RecordingLength {
  /** How many of each part the recording holds: files at its start and later ones, full outputs, lines of the preview, and so on. */
  readonly parts: Readonly<Record<SharedPart, number>>;
}

/** Counts what a recording holds. */
export function countsOf(recording: Recording, attached: Attached = attachedOf(recording)): RecordingCounts {
  const events = recording.sessions.flatMap((session) => session.events);
  const paths = new Set(listsOf(recording).flatMap((entries) => entries.flatMap(filePath)));
  const held = (hashes: readonly Hash[]) =>
    new Set(hashes.filter((hash) => recording.contents.has(hash))).size;
  return {
    ...lengthOf(recording),
    parts: {
      files: paths.size,
      outputs: held(events.flatMap(fullOutputsOf)),
      pictures: attached.count,
      requests: events.filter(
        (event) => event.type === 'step.started' && recording.contents.has(event.request.system),
      ).length,
      preview: events.reduce(
        (sum, event) => (event.type === 'preview.noted' ? sum + event.entries.length : sum),
        0,
      ),
    },
  };
}

/** The recording with only the chosen parts. Its conversation and calls stay as they are. */
export async function withParts(recording: Recording, choice: ShareChoice): Promise<Recording> {
  if (SHARED_PARTS.every((part) => choice[part])) return recording;
  const attached = attachedOf(recording);
  const bare = choice.requests ? recording : withoutRequests(recording, { edits: false, prompts: false });
  const seen = choice.pictures ? bare : await withoutAttachments(bare, attached);
  const fewer = choice.files ? seen : withoutFiles(seen);
  const kept = choice.preview ? fewer : withoutPreview(fewer);
  const withheld = withheldFrom(recording, choice, attached);
  return { ...kept, ...(withheld && { withheld }), contents: contentsFor(kept, choice) };
}

/** Counts what is left out by this choice, together with what an earlier one had left out. */
function withheldFrom(recording: Recording, choice: ShareChoice, attached: Attached): Withheld | undefined {
  const { parts } = countsOf(recording, attached);
  const withheld: Partial<Record<SharedPart, number>> = { ...recording.withheld };
  for (const part of SHARED_PARTS) if (!choice[part] && parts[part] > 0) withheld[part] = parts[part];
  return Object.keys(withheld).length > 0 ? withheld : undefined;
}

/** The events stay, since they are numbered, and say nothing. */
function withoutPreview(recording: Recording): Recording {
  const silent = (event: Event): Event => {
    if (event.type !== 'preview.noted') return event;
    const { leftOut: _, ...rest } = event;
    return { ...rest, entries: [] };
  };
  const [own, ...others] = recording.sessions.map((session) => ({
    ...session,
    events: session.events.map(silent),
  }));
  return own ? { ...recording, sessions: [own, ...others] } : recording;
}

function withoutFiles(recording: Recording): Recording {
  // Whoever leaves files out may not want their names to be told either.
  const { missingFiles: _, ...smaller } = withoutLaterFiles(recording);
  return withStart({ ...smaller, laterFilesLeftOut: true }, null);
}

function contentsFor(recording: Recording, choice: ShareChoice): Recording['contents'] {
  const events = recording.sessions.flatMap((session) => session.events);
  const kept = new Set([
    ...listsOf(recording).flatMap(contentsOfFiles),
    ...events.flatMap((event) => keptBesideFiles(event, choice)),
  ]);
  return new Map([...recording.contents].filter(([hash]) => kept.has(hash)));
}

/** The contents that an event needs and the person has not left out. */
function keptBesideFiles(event: Event, choice: ShareChoice): readonly Hash[] {
  return [
    ...(choice.outputs ? fullOutputsOf(event) : []),
    ...(choice.pictures ? attachmentsOf(event) : []),
    ...(choice.requests ? requestsOf(event) : []),
  ];
}

function requestsOf(event: Event): readonly Hash[] {
  if (event.type === 'message.retold' || event.type === 'system.retold')
    return event.told === null ? [] : [event.told];
  if (event.type !== 'step.started' && event.type !== 'request.edited') return [];
  const { system, tools, append } = event.request;
  return [system, tools, ...append.map((pack) => (typeof pack === 'string' ? pack : pack.hash))];
}

function listsOf({ files, laterFiles }: Recording): readonly (readonly SnapshotEntry[])[] {
  return [files ?? [], ...laterFiles.map(({ entries }) => entries)];
}

function filePath(entry: SnapshotEntry): readonly string[] {
  return entry.type === 'file' ? [entry.path] : [];
}
