import { FaultError } from '../base/fault.ts';
import { emptyState, reduce } from './reduce.ts';
import { stateOf } from './records.ts';
import { MESSAGES_PER_PAGE } from './session.ts';
import type { SessionState } from './state.ts';
import type { MessageRecord, SessionRecord, SessionStore } from './store.ts';

export interface Opened {
  readonly state: SessionState;
  readonly record: SessionRecord;
  readonly oldestLoaded: boolean;
}

/**
 * A session as stored: its record, its newest messages, and the events since. Records that cannot be read are made
 * anew from the events. Rejects with a fault where there is no such session or its events cannot be read.
 */
export async function readSession(store: SessionStore, id: string): Promise<Opened> {
  const record = await store.session(id);
  if (!record)
    throw new FaultError({
      code: 'session-not-found',
      what: 'There is no session with this id on this device.',
      where: id,
      next: 'Choose one from the list.',
    });
  const page = await newestMessages(store, id);
  const state = page ? stateOf(record, page) : emptyState(id);
  reduce(await store.events(id, state.nextSeq), state);
  return { state, record, oldestLoaded: !page || page.length < MESSAGES_PER_PAGE };
}

async function newestMessages(
  store: SessionStore,
  id: string,
): Promise<readonly MessageRecord[] | undefined> {
  try {
    return await store.messages(id, { limit: MESSAGES_PER_PAGE });
  } catch {
    // A projection: whatever is wrong with it, the log has everything.
    return undefined;
  }
}
