import type { Hash } from '../../base/hash.ts';
import { Slices } from '../../base/slices.ts';
import type { Event, ForkedFrom } from '../log/events.ts';
import { messageRecord, sessionRecord } from '../log/records.ts';
import { blobsNamedBy } from '../log/references.ts';
import type { Blob, Commit } from '../log/store.ts';
import { contentsOfFiles, manifestsOf } from './later-files.ts';
import { rebuiltPacks } from './rebuilt-packs.ts';
import type { RecordedSession, Recording } from './recording.ts';
import { newIDs, renamed } from './renamed.ts';

export interface ImportInto {
  readonly workspaceID: string;
  newSessionID(): string;
}

/**
 * Converts a recording to sessions of this device, to be committed in this order: a session comes after its
 * sub-agents' sessions, so that it is complete once it appears. All ids are new, and permissions of the
 * recording do not apply here. `forkedFrom` says that the recording ends where the session goes on.
 */
export async function importedSessions(
  recording: Recording,
  into: ImportInto,
  forkedFrom?: ForkedFrom,
): Promise<readonly Commit[]> {
  const idFor = newIDs(() => into.newSessionID());
  const slices = new Slices();
  const commits: Commit[] = [];
  for (const [index, session] of recording.sessions.entries()) {
    const { state, events } = await renamed(session, {
      ...{ workspaceID: into.workspaceID, idFor, slices },
      ...(index === 0 && forkedFrom && { created: (body) => ({ ...body, forkedFrom }) }),
    });
    const files = index === 0 ? filesOf(recording) : [];
    commits.push({
      sessionID: state.sessionID,
      events,
      messages: [...state.messages.values()].map((message) => messageRecord(state, message)),
      session: sessionRecord(state),
      blobs: blobsOf(events, files, await withRebuilt(session, recording, slices)),
    });
  }
  return commits.toReversed();
}

/** The contents, with the lists of files and the messages of requests that a link leaves out. */
async function withRebuilt(
  { events }: RecordedSession,
  recording: Recording,
  slices: Slices,
): Promise<Recording['contents']> {
  const { contents } = recording;
  const rebuilt = await rebuiltPacks(events, (hash) => contents.get(hash), slices);
  const encoder = new TextEncoder();
  return new Map([
    ...contents,
    ...manifestsOf(recording),
    ...[...rebuilt].map(([hash, text]) => [hash, encoder.encode(text)] as const),
  ]);
}

function filesOf({ files, laterFiles }: Recording): readonly Hash[] {
  return [files ?? [], ...laterFiles.map(({ entries }) => entries)].flatMap(contentsOfFiles);
}

function blobsOf(
  events: readonly Event[],
  files: readonly Hash[],
  contents: Recording['contents'],
): readonly Blob[] {
  const wanted = new Set<Hash>([...events.flatMap(blobsNamedBy), ...files]);
  return [...wanted].flatMap((hash) => {
    const bytes = contents.get(hash);
    return bytes ? { hash, bytes } : [];
  });
}
