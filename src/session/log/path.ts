import type { Message, SessionState } from './state.ts';

/** The loaded messages from the first one to `head`, in order. */
export function pathTo(
  { messages }: Pick<SessionState, 'messages'>,
  head: string | null,
): readonly Message[] {
  const path: Message[] = [];
  for (let id = head; id !== null;) {
    const message = messages.get(id);
    if (!message) break;
    path.push(message);
    id = message.parentID;
  }
  return path.reverse();
}

/** The loaded messages of the conversation as it is now, without those of its other versions. */
export function conversationOf(state: SessionState): readonly Message[] {
  // Without other versions there is no need to follow the messages' parents.
  return state.branched ? pathTo(state, state.head) : [...state.messages.values()];
}
