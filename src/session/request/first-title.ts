import type { Origin } from '../log/events.ts';
import { isNewsBy } from '../log/news.ts';
import type { SessionState } from '../log/state.ts';

const TITLE_CHARACTERS = 60;

/** The first line of the first message, which is the title until the session is named. */
export function titleOf(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length > TITLE_CHARACTERS ? `${line.slice(0, TITLE_CHARACTERS - 1).trimEnd()}…` : line;
}

/**
 * Whether a message names its session, all of whose messages are in `state`. The first prompt does, because it says what
 * the session is for; the first command that the person typed does until then.
 */
export function givesTitle(state: SessionState, origin: Origin | undefined): boolean {
  const [first] = state.messages.values();
  if (origin?.kind === 'command') return state.title === '' && !first && origin.tool === undefined;
  if (isNewsBy(origin) || [...state.messages.values()].some((message) => !isNewsBy(message.origin)))
    return false;
  const part = state.parts.get(first?.partKeys[0] ?? '');
  return state.title === '' || (part?.type === 'text' && state.title === titleOf(part.text));
}
