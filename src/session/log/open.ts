import { FaultError } from '../../base/fault.ts';
import { isDamage, MESSAGES_PER_PAGE, readMessages } from './older.ts';
import { addRecords, sessionRecord, stateOf } from './records.ts';
import { emptyState, reduce } from './reduce.ts';
import type { SessionState } from './state.ts';
import type { MessageRecord, SessionRecord, SessionStore } from './store.ts';

export interface Opened {
  readonly state: SessionState;
  readonly record: SessionRecord;
  readonly oldestLoaded: boolean;
}

/**
 * Reads a session: its record, its newest messages, and the events since. If the record is unusable, or the
 * record of a message is damaged, everything is rebuilt from the events, and the returned record says that
 * nothing is folded yet. Rejects with a fault if there is no such session or its events cannot be read.
 */
export async function readSession(store: SessionStore, id: string): Promise<Opened> {
  for (;;) {
    const record = await store.session(id);
    if (!record)
      throw new FaultError({
        code: 'session-not-found',
        what: 'There is no session with this id on this device.',
        where: id,
        next: 'Choose one from the list.',
      });
    const page = record.foldedTo > 0 ? await newestMessages(store, id) : undefined;
    // The tab that writes the session may have renewed its records in between.
    if ((await store.session(id))?.foldedTo !== record.foldedTo) continue;
    const state = page ? stateOf(record, page) : emptyState(id);
    reduce(await store.events(id, state.nextSeq), state);
    const oldestLoaded = !page || page.length < MESSAGES_PER_PAGE || (await loadHead(store, state));
    return {
      state,
      record: page ? record : { ...sessionRecord(emptyState(id)), deleted: record.deleted },
      oldestLoaded,
    };
  }
}

/**
 * Loads older messages until the newest one of the conversation is there: another version of the conversation may
 * have more messages since. Returns whether all messages are loaded.
 */
export async function loadHead(
  store: Pick<SessionStore, 'messages' | 'events'>,
  state: SessionState,
): Promise<boolean> {
  while (state.head !== null && !state.messages.has(state.head)) {
    const before = Math.min(...[...state.messages.values()].map(({ seq }) => seq));
    const page = await readMessages(store, state.sessionID, { before, limit: MESSAGES_PER_PAGE });
    addRecords(state, page);
    if (page.length < MESSAGES_PER_PAGE) return true;
  }
  return false;
}

async function newestMessages(
  store: SessionStore,
  id: string,
): Promise<readonly MessageRecord[] | undefined> {
  try {
    return await store.messages(id, { limit: MESSAGES_PER_PAGE });
  } catch (error) {
    // Messages are a projection: the log has everything.
    if (isDamage(error)) return undefined;
    throw error;
  }
}
