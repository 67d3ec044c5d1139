import type { Event, EventOf, EventType } from './events.ts';
import { callFolds } from './fold-call.ts';
import { sessionFolds } from './fold-session.ts';
import { restoreFolds } from './fold-restore.ts';
import { turnFolds } from './fold-turn.ts';
import type { Folds } from './folds.ts';
import type { SessionState } from './state.ts';

const folds: Folds = { ...sessionFolds, ...turnFolds, ...callFolds, ...restoreFolds };

export function emptyState(sessionID: string): SessionState {
  return {
    sessionID,
    workspaceID: '',
    title: '',
    keep: false,
    agent: null,
    created: 0,
    updated: 0,
    nextSeq: 0,
    head: null,
    messages: new Map(),
    parts: new Map(),
    pending: new Map(),
    questions: new Map(),
    todos: [],
    granted: [],
    limits: [],
    tasks: [],
    startSnapshot: null,
    turn: null,
    lastTurn: null,
    usage: {},
  };
}

export function reduce(events: Iterable<Event>, state: SessionState): SessionState {
  for (const event of events) fold(state, event);
  return state;
}

/**
 * Applies one event, in place. Never fails: an event about a message or call that is not loaded changes only
 * the time and `nextSeq`, so that a state may hold only the newest messages.
 */
export function fold(state: SessionState, event: Event): void {
  state.nextSeq = event.seq + 1;
  // A page that does something by itself is no use of the session, so the session stays where it is in the list.
  if (event.type !== 'preview.noted') state.updated = event.time;
  foldAs(event.type, state, event);
}

function foldAs<T extends EventType>(type: T, state: SessionState, event: EventOf<T>): void {
  // A tab with a later version of the app may write events that this one does not know.
  const known: Partial<Folds> = folds;
  known[type]?.(state, event);
}
