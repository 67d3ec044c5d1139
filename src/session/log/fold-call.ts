import type { EventOf } from './events.ts';
import type { Folds, TypesAbout } from './folds.ts';
import { addCall } from './reduce-part.ts';
import { partKey, type SessionState, type ToolPart } from './state.ts';
import { todosOf } from './todos.ts';

/**
 * While a call runs, at least this many characters of its live output are kept, and at most twice as many.
 */
const LIVE_CHARACTERS = 30_000;

type CallTypes = TypesAbout<'permission' | 'question' | 'call' | 'output'>;

/** Events about one call: its arguments, what it waits for, its output and its result. */
export const callFolds: Folds<CallTypes> = {
  'permission.decided': () => undefined,
  'permission.asked'(state, event) {
    addPending(state, event);
    changeCall(state, event, () => ({ status: 'pending', waiting: event.requestID }));
  },
  'permission.answered'(state, event) {
    state.pending.delete(event.requestID);
    endWaiting(state, event);
  },
  'question.asked'(state, event) {
    const { requestID: id, sessionID, messageID, callID, tool, questions } = event;
    state.questions.set(id, { id, sessionID, messageID, callID, tool, questions });
    changeCall(state, event, () => ({ status: 'pending', waiting: id }));
  },
  'question.answered'(state, event) {
    state.questions.delete(event.requestID);
    endWaiting(state, event);
  },
  'call.added': addCall,
  'call.running'(state, event) {
    changeCall(state, event, (part) => ({
      status: 'running',
      tool: event.tool,
      input: event.input,
      started: part.started ?? event.time,
    }));
  },
  'call.progress'(state, event) {
    changeCall(state, event, (part) => ({
      ...(event.title !== undefined && { title: event.title }),
      ...(event.metadata && { metadata: { ...part.metadata, ...event.metadata } }),
    }));
  },
  'call.output'(state, event) {
    changeCall(state, event, (part) => ({ live: tail(part.live + (event.text ?? '')) }));
  },
  'call.edited'(state, event) {
    changeCall(state, event, (part) => ({
      edited: [...(part.edited ?? []), event.edit],
      ...(event.edit.kind === 'input' && { input: event.edit.to }),
    }));
  },
  'call.ended': foldCallEnd,
  'output.dropped'(state, event) {
    changeCall(state, event, () => ({ fullOutputDropped: true }), 'also-ended');
  },
};

function endWaiting(
  state: SessionState,
  event: EventOf<'permission.answered'> | EventOf<'question.answered'>,
): void {
  changeCall(state, event, (part) => (part.waiting === event.requestID ? 'not-waiting' : {}));
}

function foldCallEnd(state: SessionState, event: EventOf<'call.ended'>): void {
  const known = state.parts.get(partKey(event.messageID, 'tool', event.callID));
  if (known?.type === 'tool' && known.tool === 'todowrite' && event.outcome === 'ok' && !known.outcome)
    state.todos = todosOf(event.metadata) ?? state.todos;
  changeCall(state, event, (part) => ({
    status: event.outcome === 'ok' ? 'completed' : 'error',
    outcome: event.outcome,
    output: event.output,
    title: event.title,
    metadata: { ...part.metadata, ...event.metadata },
    attachments: event.attachments,
    live: '',
    ended: event.time,
    ...(event.fullOutput && { fullOutput: event.fullOutput }),
  }));
}

/** Requests keep the order of the calls, except the first one, which the person may be looking at. */
function addPending(state: SessionState, event: EventOf<'permission.asked'>): void {
  const { requestID, sessionID, messageID, callID, tool } = event;
  const { permission, patterns, always, subject, decisions, dangers } = event;
  const asked = { permission, patterns, always, subject, decisions, ...(dangers && { dangers }) };
  const place = (call: string) =>
    state.messages.get(messageID)?.partKeys.indexOf(partKey(messageID, 'tool', call)) ?? 0;
  const later = [...state.pending.values()].slice(1).filter((other) => place(other.callID) > place(callID));
  state.pending.set(requestID, { id: requestID, sessionID, messageID, callID, tool, ...asked });
  for (const request of later) {
    state.pending.delete(request.id);
    state.pending.set(request.id, request);
  }
}

/** An ended call stays unchanged: later events for it are in the log but not on the screen. */
export function changeCall(
  state: SessionState,
  { messageID, callID }: { readonly messageID: string; readonly callID: string },
  update: (part: ToolPart) => Partial<ToolPart> | 'not-waiting',
  which: 'open' | 'also-ended' = 'open',
): void {
  const key = partKey(messageID, 'tool', callID);
  const part = state.parts.get(key);
  if (part?.type !== 'tool' || (part.outcome !== undefined && which === 'open')) return;
  const changes = update(part);
  const next: { -readonly [K in keyof ToolPart]: ToolPart[K] } = { ...part };
  if (changes === 'not-waiting' || 'outcome' in changes) delete next.waiting;
  state.parts.set(key, changes === 'not-waiting' ? next : { ...next, ...changes });
}

function tail(text: string): string {
  return text.length > 2 * LIVE_CHARACTERS ? text.slice(-LIVE_CHARACTERS) : text;
}
