import { isObject } from '../base/json.ts';
import type { ModelMessage } from './types.ts';

/**
 * The messages as every provider takes them: arguments of a call are an object (those of a broken call may be text),
 * names that a model made up are spelled as a tool's may be, and no two calls of the conversation share an id (ids are only unique within a message, which Anthropic refuses).
 * A result follows the call it answers; what needs no mending is handed on as it is.
 */
export function soundMessages(messages: readonly ModelMessage[]): ModelMessage[] {
  const used = new Set<string>();
  /** Of the newest message with calls: the id it says, and the id it is sent with. */
  let renamed = new Map<string, string>();
  return messages.map((message) => {
    if (message.role === 'assistant' && typeof message.content !== 'string') {
      renamed = new Map();
      const content = changedParts(message.content, (part) => {
        if (part.type !== 'tool-call') return part;
        const toolCallId = unused(part.toolCallId, used);
        if (toolCallId !== part.toolCallId) renamed.set(part.toolCallId, toolCallId);
        const toolName = soundName(part.toolName);
        if (toolCallId === part.toolCallId && toolName === part.toolName && isObject(part.input)) return part;
        return { ...part, toolCallId, toolName, input: isObject(part.input) ? part.input : {} };
      });
      return content === message.content ? message : { ...message, content };
    }
    if (message.role === 'tool') {
      const content = changedParts(message.content, (part) => {
        if (part.type !== 'tool-result') return part;
        const toolCallId = renamed.get(part.toolCallId) ?? part.toolCallId;
        const toolName = soundName(part.toolName);
        if (toolCallId === part.toolCallId && toolName === part.toolName) return part;
        return { ...part, toolCallId, toolName };
      });
      return content === message.content ? message : { ...message, content };
    }
    return message;
  });
}

/** The same array where nothing changed: long conversations are gone through with every step. */
function changedParts<T>(parts: T[], change: (part: T) => T): T[] {
  const changed = parts.map(change);
  return changed.every((part, index) => part === parts[index]) ? parts : changed;
}

/** Providers refuse a whole conversation for one id or name outside the narrowest alphabet, or longer than this. */
const LONGEST_NAME = 64;
/** Leaves room for the number that tells repeats apart. */
const LONGEST_ID = 56;

function soundName(name: string): string {
  return name.replace(/[^\w-]/g, '_').slice(0, LONGEST_NAME) || 'unknown';
}

function unused(wanted: string, used: Set<string>): string {
  const base = wanted.replace(/[^\w-]/g, '_').slice(0, LONGEST_ID) || 'call';
  let id = base;
  for (let n = 2; used.has(id); n++) id = `${base}_${n}`;
  used.add(id);
  return id;
}
