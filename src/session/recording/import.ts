import type { Fault } from '../../base/fault.ts';
import type { Hash } from '../../base/hash.ts';
import { Slices } from '../../base/slices.ts';
import { EVENT_VERSION, parseEvent, type Event, type EventBody } from '../log/events.ts';
import { closingEvents } from '../log/recover.ts';
import { messageRecord, sessionRecord } from '../log/records.ts';
import { emptyState, fold } from '../log/reduce.ts';
import { blobsNamedBy } from '../log/references.ts';
import type { SessionState } from '../log/state.ts';
import type { Blob, Commit } from '../log/store.ts';
import { contentsOfFiles, manifestsOf } from './later-files.ts';
import { rebuiltPacks } from './rebuilt-packs.ts';
import type { RecordedSession, Recording } from './recording.ts';

const RESTORE_INTERRUPTED: Fault = {
  code: 'not-restored',
  what: 'The files were being restored when this was recorded.',
};

export interface ImportInto {
  readonly workspaceID: string;
  newSessionID(): string;
}

/**
 * Converts a recording to sessions of this device, to be committed in this order: a session comes after its
 * sub-agents' sessions, so that it is complete once it appears. All ids are new, and permissions of the
 * recording do not apply here.
 */
export async function importedSessions(recording: Recording, into: ImportInto): Promise<readonly Commit[]> {
  const ids = new Map<string, string>();
  const idFor = (id: string): string => {
    // Unknown ids of sessions are replaced too: they might belong to a session of this device.
    const known = ids.get(id) ?? into.newSessionID();
    ids.set(id, known);
    return known;
  };
  const slices = new Slices();
  const commits: Commit[] = [];
  for (const [index, session] of recording.sessions.entries()) {
    const { state, events } = await renamed(session, into.workspaceID, idFor, slices);
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

/** The events under new ids, followed by events that close what was open, and the state that they fold to. */
async function renamed(
  session: RecordedSession,
  workspaceID: string,
  idFor: (id: string) => string,
  slices: Slices,
): Promise<{ readonly state: SessionState; readonly events: readonly Event[] }> {
  const sessionID = idFor(session.id);
  const events: Event[] = [];
  const state = emptyState(sessionID);
  const add = (body: EventBody, time: number) => {
    const event: Event = { ...body, v: EVENT_VERSION, sessionID, seq: events.length, time };
    events.push(event);
    fold(state, event);
  };
  for (const event of session.events) {
    await slices.next();
    if (allows(event)) continue;
    const body = withIDs(event, idFor);
    add(body.type === 'session.created' ? { ...body, workspaceID } : body, event.time);
  }
  const closing = closingEvents(state, { status: 'interrupted', outcome: 'interrupted' });
  for (const body of closing) add(body, state.updated);
  if (state.restoring) add({ type: 'restore.ended', fault: RESTORE_INTERRUPTED }, state.updated);
  return { state, events };
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

/** Whether the event would let tools run here without anyone being asked. */
function allows(event: Event): boolean {
  if (event.type === 'rules.granted') return true;
  return event.type === 'mode.set' && event.mode !== 'ask' && event.mode !== 'plan';
}

function withIDs(event: Event, idFor: (id: string) => string): EventBody {
  // Requests are shown as they were sent.
  if (event.type === 'step.started' || event.type === 'request.edited') return event;
  const { sessionID: _own, ...rest } = event;
  const text = JSON.stringify(rest);
  const mapped = text.replace(/\bses_[a-z0-9]+/g, (id) => idFor(id));
  return mapped === text ? event : parseEvent({ ...(JSON.parse(mapped) as object), sessionID: '' });
}
