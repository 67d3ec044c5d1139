import { textOf } from '../request/messages.ts';
import type { SessionState } from '../log/state.ts';

/**
 * Names for prompts and summaries that stay the same whenever the session is played again, although the ids
 * differ. A person's prompt is named by its text, the app's by its purpose, and equal ones are counted. Keyed
 * by message.
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
