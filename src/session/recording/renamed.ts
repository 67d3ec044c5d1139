import type { Fault } from '../../base/fault.ts';
import type { Slices } from '../../base/slices.ts';
import { EVENT_VERSION, parseEvent, type Event, type EventBody } from '../log/events.ts';
import { closingEvents } from '../log/recover.ts';
import { emptyState, fold } from '../log/reduce.ts';
import type { SessionState } from '../log/state.ts';
import type { RecordedSession } from './recording.ts';

type Created = Extract<EventBody, { type: 'session.created' }>;

export interface Renaming {
  readonly workspaceID: string;
  idFor(id: string): string;
  readonly slices: Slices;
  /** Changes the first event. */
  created?(body: Created): Created;
}

const RESTORE_INTERRUPTED: Fault = {
  code: 'not-restored',
  what: 'The files were being restored when this was recorded.',
};

/** Returns the same new id for the same session each time. */
export function newIDs(newSessionID: () => string): (id: string) => string {
  const ids = new Map<string, string>();
  return (id) => {
    // Unknown ids of sessions are replaced too: they might belong to a session of this device.
    const known = ids.get(id) ?? newSessionID();
    ids.set(id, known);
    return known;
  };
}

/** The events under new ids, followed by events that close what was open, and the state that they fold to. */
export async function renamed(
  session: RecordedSession,
  { workspaceID, idFor, slices, created = (body) => body }: Renaming,
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
    add(
      ownedHere(body, (first) => created({ ...first, workspaceID })),
      event.time,
    );
  }
  const closing = closingEvents(state, { status: 'interrupted', outcome: 'interrupted', isCopy: true });
  for (const body of closing) add(body, state.updated);
  if (state.restoring) add({ type: 'restore.ended', fault: RESTORE_INTERRUPTED }, state.updated);
  return { state, events };
}

/** The event as it is true in the copy, whose jobs run elsewhere. */
function ownedHere(body: EventBody, created: (body: Created) => Created): EventBody {
  if (body.type === 'session.created') return created(body);
  return body.type === 'job.started' ? { ...body, copied: true } : body;
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
