import type { SessionView } from '../state/session-view.svelte.ts';
import { words } from '../words.ts';

/** Names the sub-agent that asks in this session; empty if the session's own agent asks. */
export function askerOf({ id, asking }: SessionView): string {
  const asker = asking?.session;
  if (!asker || asker.id === id) return '';
  const { agent, title } = asker.state;
  return words.askedBy(agent ?? '', title.replace(/ \(@\w+\)$/, ''));
}
