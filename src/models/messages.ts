import { growingFold } from '../base/growing-fold.ts';
import { isObject } from '../base/json.ts';
import type { ModelMessage } from './types.ts';

/** A conversation up to some message, as it is sent. */
interface Sanitized {
  readonly messages: ModelMessage[];
  readonly used: Set<string>;
  /** For the newest message with calls: maps its ids to the ids that are sent. */
  renamed: Map<string, string>;
}

/**
 * Makes messages acceptable to every provider: arguments of a call become an object (those of a broken call may be
 * text), invented tool names are reduced to allowed characters, and every call of the conversation gets a unique id
 * (ids are unique only within a message, which Anthropic refuses). Messages that need no change are returned as they are.
 */
export function sanitizeMessages(messages: readonly ModelMessage[]): ModelMessage[] {
  return [...sanitizedConversation(messages).messages];
}

const sanitizedConversation = growingFold(nothingYet, addSanitized);

function nothingYet(): Sanitized {
  return { messages: [], used: new Set(), renamed: new Map() };
}

function addSanitized(before: Sanitized, message: ModelMessage): Sanitized {
  before.messages.push(sanitized(before, message));
  return before;
}

function sanitized(before: Sanitized, message: ModelMessage): ModelMessage {
  if (message.role === 'assistant' && typeof message.content !== 'string') {
    before.renamed = new Map();
    const content = changedParts(message.content, (part) => {
      if (part.type !== 'tool-call') return part;
      const toolCallId = unused(part.toolCallId, before.used);
      if (toolCallId !== part.toolCallId) before.renamed.set(part.toolCallId, toolCallId);
      const toolName = sanitizedName(part.toolName);
      if (toolCallId === part.toolCallId && toolName === part.toolName && isObject(part.input)) return part;
      return { ...part, toolCallId, toolName, input: isObject(part.input) ? part.input : {} };
    });
    return content === message.content ? message : { ...message, content };
  }
  if (message.role === 'tool') {
    const content = changedParts(message.content, (part) => {
      if (part.type !== 'tool-result') return part;
      const toolCallId = before.renamed.get(part.toolCallId) ?? part.toolCallId;
      const toolName = sanitizedName(part.toolName);
      if (toolCallId === part.toolCallId && toolName === part.toolName) return part;
      return { ...part, toolCallId, toolName };
    });
    return content === message.content ? message : { ...message, content };
  }
  return message;
}

/** Returns the same array where nothing changed. */
function changedParts<T>(parts: T[], change: (part: T) => T): T[] {
  const changed = parts.map(change);
  return changed.every((part, index) => part === parts[index]) ? parts : changed;
}

/** Providers refuse a conversation that has a longer name, or a name or id with other characters than these. */
const MAX_NAME_LENGTH = 64;
/** Leaves room for the number that makes repeated ids unique. */
const MAX_ID_LENGTH = 56;

/**
 * The SDK looks names up in plain objects, so a name such as `constructor` or `toString` would find an inherited
 * property; those names get an underscore.
 */
function sanitizedName(name: string): string {
  if (name in Object.prototype) return `${name}_`;
  return name.replace(/[^\w-]/g, '_').slice(0, MAX_NAME_LENGTH) || 'unknown';
}

function unused(wanted: string, used: Set<string>): string {
  const base = wanted.replace(/[^\w-]/g, '_').slice(0, MAX_ID_LENGTH) || 'call';
  let id = base;
  for (let n = 2; used.has(id); n++) id = `${base}_${n}`;
  used.add(id);
  return id;
}
