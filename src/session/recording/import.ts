import { hashBytes, type Hash } from '../../base/hash.ts';
import { EVENT_VERSION, parseEvent, type Event, type EventBody } from '../events.ts';
import { closingEvents } from '../recover.ts';
import { messageRecord, sessionRecord } from '../records.ts';
import { emptyState, reduce } from '../reduce.ts';
import { blobsNamedBy } from '../references.ts';
import type { Blob, Commit } from '../store.ts';
import { manifestText } from './read.ts';
import type { RecordedSession, Recording } from './recording.ts';

export interface ImportInto {
  readonly workspaceID: string;
  newSessionID(): string;
}

/**
 * A recording as sessions of this device, to be committed in this order: those that others work for come last, so
 * that what is seen first is whole. Under new ids; nothing that was allowed in the recording is allowed here.
 */
export function importedSessions(recording: Recording, into: ImportInto): readonly Commit[] {
  const ids = new Map<string, string>();
  const idFor = (id: string): string => {
    // One that is not in the recording gets another too: it might be that of a session of this device.
    const known = ids.get(id) ?? into.newSessionID();
    ids.set(id, known);
    return known;
  };
  return recording.sessions
    .map((session, index) => commitOf(session, index === 0, recording, into.workspaceID, idFor))
    .toReversed();
}

function commitOf(
  session: RecordedSession,
  own: boolean,
  recording: Recording,
  workspaceID: string,
  idFor: (id: string) => string,
): Commit {
  const sessionID = idFor(session.id);
  const events: Event[] = [];
  const add = (body: EventBody, time: number) =>
    events.push({ ...body, v: EVENT_VERSION, sessionID, seq: events.length, time });
  for (const event of session.events) {
    if (allows(event)) continue;
    const body = withIDs(event, idFor);
    add(body.type === 'session.created' ? { ...body, workspaceID } : body, event.time);
  }
  const state = reduce(events, emptyState(sessionID));
  const closing = closingEvents(state, { status: 'interrupted', outcome: 'interrupted' });
  const from = events.length;
  for (const body of closing) add(body, state.updated);
  reduce(events.slice(from), state);
  return {
    sessionID,
    events,
    messages: [...state.messages.values()].map((message) => messageRecord(state, message)),
    session: sessionRecord(state),
    blobs: blobsOf(events, own ? recording.files : null, recording.contents),
  };
}

function blobsOf(
  events: readonly Event[],
  files: Recording['files'],
  contents: Recording['contents'],
): readonly Blob[] {
  const manifest = new TextEncoder().encode(manifestText(files));
  const all = new Map([...contents, [hashBytes(manifest), manifest]]);
  const wanted = new Set<Hash>(events.flatMap(blobsNamedBy));
  for (const entry of files ?? []) if (entry.type === 'file') wanted.add(entry.hash);
  return [...wanted].flatMap((hash) => {
    const bytes = all.get(hash);
    return bytes ? { hash, bytes } : [];
  });
}

/** What would let things run here that nobody was asked about. */
function allows(event: Event): boolean {
  if (event.type === 'rules.granted') return true;
  return event.type === 'mode.set' && event.mode !== 'ask' && event.mode !== 'plan';
}

function withIDs(event: Event, idFor: (id: string) => string): EventBody {
  // What was sent is shown as it was.
  if (event.type === 'step.started' || event.type === 'request.edited') return event;
  const { sessionID: _own, ...rest } = event;
  const text = JSON.stringify(rest);
  const mapped = text.replace(/\bses_[a-z0-9]+/g, (id) => idFor(id));
  return mapped === text ? event : parseEvent({ ...(JSON.parse(mapped) as object), sessionID: '' });
}
