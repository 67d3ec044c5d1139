import type { SessionView } from '../state/session-view.svelte.ts';
import { words } from '../words.ts';

/** The sub-agent that asks on the page of this session, in words; empty where its own agent does. */
export function askerOf({ id, asking }: SessionView): string {
  const asker = asking?.session;
  if (!asker || asker.id === id) return '';
  const { agent, title } = asker.state;
  return words.askedBy(agent ?? '', title.replace(/ \(@\w+\)$/, ''));
}
