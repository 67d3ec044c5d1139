import type { MessageRecord, SessionRecord } from './store.ts';
import type { Message, SessionState } from './state.ts';
import { emptyState } from './reduce.ts';

/** Converts the state to a session record. Its `foldedTo` is the state's own `nextSeq`. */
export function sessionRecord(state: SessionState): SessionRecord {
  const { messages: _messages, parts: _parts, pending: _pending, questions: _questions, ...rest } = state;
  return { id: state.sessionID, state: rest, foldedTo: state.nextSeq, deleted: null };
}

export function messageRecord(state: SessionState, message: Message): MessageRecord {
  const parts = message.partKeys.flatMap((key) => state.parts.get(key) ?? []);
  return { sessionID: state.sessionID, seq: message.seq, message, parts };
}

/** The state as it was at `record.foldedTo`, with the given messages. */
export function stateOf(record: SessionRecord, messages: readonly MessageRecord[]): SessionState {
  const state: SessionState = { ...emptyState(record.id), ...record.state, nextSeq: record.foldedTo };
  addRecords(state, messages);
  return state;
}

/** Puts older messages before those in the state; messages that the state has already stay unchanged. */
export function addRecords(state: SessionState, records: readonly MessageRecord[]): void {
  const fresh = records.filter(({ message }) => !state.messages.has(message.id));
  if (fresh.length === 0) return;
  const newer = [...state.messages];
  state.messages.clear();
  for (const { message, parts } of fresh) {
    state.messages.set(message.id, message);
    for (const part of parts) state.parts.set(part.key, part);
  }
  for (const [id, message] of newer) state.messages.set(id, message);
}
