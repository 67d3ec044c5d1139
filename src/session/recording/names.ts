import { textOf } from '../messages.ts';
import type { SessionState } from '../state.ts';

/**
 * Prompts and summaries by names that are the same wherever the session is played again, whatever their ids: a person's
 * prompts by their words, those of the app by what they are for, and which of those it is. By message.
 */
export function namesOf(state: SessionState): ReadonlyMap<string, string> {
  const source = {
    message: (id: string) => state.messages.get(id),
    part: (key: string) => state.parts.get(key),
  };
  const counts = new Map<string, number>();
  const names = new Map<string, string>();
  for (const message of state.messages.values()) {
    if (message.role === 'assistant' && !message.compaction) continue;
    const prompt = message.origin?.kind ?? `said ${textOf(message, source)}`;
    const kind = message.role === 'assistant' ? 'summary' : prompt;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    names.set(message.id, `${count} ${kind}`);
  }
  return names;
}
