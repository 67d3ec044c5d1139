import type { ModelMessage } from '../../models/types.ts';

/**
 * The names of the tools whose call or result is alone in these messages. Providers refuse a request in which a call has no
 * result, or a result no call.
 */
export function unpairedTools(messages: readonly ModelMessage[]): readonly string[] {
  const calls = new Map<string, string>();
  const results = new Map<string, string>();
  for (const { role, content } of messages) {
    if ((role !== 'assistant' && role !== 'tool') || typeof content === 'string') continue;
    for (const part of content) {
      if (part.type === 'tool-call') calls.set(part.toolCallId, part.toolName);
      if (part.type === 'tool-result') results.set(part.toolCallId, part.toolName);
    }
  }
  const alone = [...calls, ...results].filter(([id]) => !calls.has(id) || !results.has(id));
  return [...new Set(alone.map(([, tool]) => tool))];
}
