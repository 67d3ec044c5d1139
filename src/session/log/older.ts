import { faultOf } from '../../base/fault.ts';
import { messageRecord } from './records.ts';
import { emptyState, reduce } from './reduce.ts';
import type { MessageRecord, SessionStore } from './store.ts';

/** How many messages are read at once when a session is opened or scrolled back. */
export const MESSAGES_PER_PAGE = 50;

/** Reads a page of message records; rebuilds damaged ones from the events. Rejects with a fault. */
export async function readMessages(
  store: Pick<SessionStore, 'messages' | 'events'>,
  sessionID: string,
  page: { readonly before: number; readonly limit: number },
): Promise<readonly MessageRecord[]> {
  try {
    return await store.messages(sessionID, page);
  } catch (error) {
    if (!isDamage(error)) throw error;
    const state = reduce(await store.events(sessionID, 0), emptyState(sessionID));
    return [...state.messages.values()]
      .filter(({ seq }) => seq < page.before)
      .slice(-page.limit)
      .map((message) => messageRecord(state, message));
  }
}

/** Whether a record is unreadable and will stay so. */
export function isDamage(error: unknown): boolean {
  return faultOf(error).code === 'record-damaged';
}
