import type { Message, SessionState } from './state.ts';

/** The newest prompt of the conversation until this message: the one that is worked on, or was last. */
export function newestPrompt(state: SessionState, until = state.head): Message | undefined {
  for (let id = until; id !== null;) {
    const message = state.messages.get(id);
    if (!message || message.role === 'user') return message;
    id = message.parentID;
  }
  return undefined;
}

/** The prompts that a snapshot can be about: the newest one, and the one before it, which it may have joined. */
export function promptsOfSnapshots(state: SessionState): readonly Message[] {
  const newest = newestPrompt(state);
  const earlier = newest && newestPrompt(state, newest.parentID);
  return [newest, earlier].filter((each) => each !== undefined);
}
