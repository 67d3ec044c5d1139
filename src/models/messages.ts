import type { ModelMessage } from './types.ts';

/**
 * The messages as every provider takes them: arguments of a call are an object (those of a broken call may be text),
 * and no two calls of the conversation share an id (ids are only unique within a message, which Anthropic refuses).
 * A result follows the call it answers; what needs no mending is handed on as it is.
 */
export function soundMessages(messages: readonly ModelMessage[]): ModelMessage[] {
  const used = new Set<string>();
  /** Of the newest message with calls: the id it says, and the id it is sent with. */
  let renamed = new Map<string, string>();
  return messages.map((message) => {
    if (message.role === 'assistant' && typeof message.content !== 'string') {
      renamed = new Map();
      const content = message.content.map((part) => {
        if (part.type !== 'tool-call') return part;
        const toolCallId = unused(part.toolCallId, used);
        renamed.set(part.toolCallId, toolCallId);
        return { ...part, toolCallId, input: isObject(part.input) ? part.input : {} };
      });
      return { ...message, content };
    }
    if (message.role === 'tool') {
      const content = message.content.map((part) =>
        part.type === 'tool-result'
          ? { ...part, toolCallId: renamed.get(part.toolCallId) ?? part.toolCallId }
          : part,
      );
      return { ...message, content };
    }
    return message;
  });
}

function unused(wanted: string, used: Set<string>): string {
  // Anthropic's alphabet, the narrowest.
  const base = wanted.replace(/[^\w-]/g, '_') || 'call';
  let id = base;
  for (let n = 2; used.has(id); n++) id = `${base}_${n}`;
  used.add(id);
  return id;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
