import { RESULT_FILES_NOTE } from '../session/request/steering.ts';
import type { Traits } from './traits.ts';
import type { ModelMessage } from './types.ts';

type Content<Role extends ModelMessage['role']> = Exclude<
  Extract<ModelMessage, { role: Role }>['content'],
  string
>;
type FilePart = Extract<Content<'user'>[number], { type: 'file' }>;

/** Adapts messages to what a model with these traits isAccepted. Messages that need no change are returned as they are. */
export function fitMessages(messages: readonly ModelMessage[], traits: Traits): ModelMessage[] {
  let fitted = messages.flatMap((message) => fitMessage(message, traits));
  if (traits.mistral) fitted = forMistral(fitted);
  return traits.marksCache ? withCacheMarks(fitted) : fitted;
}

function fitMessage(message: ModelMessage, traits: Traits): ModelMessage[] {
  if (typeof message.content === 'string') return [message];
  switch (message.role) {
    case 'system':
      return [message];
    case 'user': {
      const content = message.content.map((part) => (part.type === 'file' ? fitFile(part, traits) : part));
      return [
        content.every((part, index) => part === message.content[index]) ? message : { ...message, content },
      ];
    }
    case 'assistant': {
      const content = message.content.flatMap((part): Content<'assistant'> => {
        if (part.type === 'reasoning' && traits.withoutReasoning) return [];
        return [part.type === 'file' ? fitFile(part, traits) : part];
      });
      const same =
        content.length === message.content.length &&
        content.every((part, index) => part === message.content[index]);
      if (same) return [message];
      return content.length > 0 ? [{ ...message, content }] : [];
    }
    case 'tool':
      return fitResults(message, traits);
  }
}

/** Moves files that may not be part of results into a user message after them. */
function fitResults(message: Extract<ModelMessage, { role: 'tool' }>, traits: Traits): ModelMessage[] {
  const moved: Content<'user'> = [];
  let changed = false;
  const content = message.content.map((part) => {
    if (part.type !== 'tool-result' || part.output.type !== 'content') return part;
    changed = true;
    const texts: string[] = [];
    const kept: typeof part.output.value = [];
    for (const piece of part.output.value) {
      if (piece.type === 'text') texts.push(piece.text);
      else if (piece.type !== 'file' || piece.data.type !== 'data') kept.push(piece);
      else if (!isAccepted(piece.mediaType, piece.data.data, traits)) texts.push(omittedFileNote(piece));
      else if (traits.filesInResults) kept.push(piece);
      else {
        const { mediaType, filename } = piece;
        moved.push({ type: 'file', mediaType, data: piece.data.data, ...(filename && { filename }) });
      }
    }
    const text = texts.join('\n');
    if (kept.length === 0) return { ...part, output: { type: 'text' as const, value: text } };
    return { ...part, output: { ...part.output, value: [{ type: 'text' as const, text }, ...kept] } };
  });
  if (!changed) return [message];
  const results: ModelMessage = { ...message, content };
  if (moved.length === 0) return [results];
  return [results, { role: 'user', content: [{ type: 'text', text: RESULT_FILES_NOTE }, ...moved] }];
}

function fitFile(part: FilePart, traits: Traits): FilePart | { type: 'text'; text: string } {
  return isAccepted(part.mediaType, part.data, traits) ? part : { type: 'text', text: omittedFileNote(part) };
}

function isAccepted(mediaType: string, data: unknown, { files }: Traits): boolean {
  return files.test(mediaType) && !isEmpty(data);
}

function isEmpty(data: unknown): boolean {
  if (data instanceof Uint8Array) return data.byteLength === 0;
  return typeof data === 'string' && data === '';
}

function omittedFileNote({
  mediaType,
  filename,
}: {
  mediaType: string;
  filename?: string | undefined;
}): string {
  return `[A file was left out because it is empty or this model cannot read it: ${filename ?? 'without a name'}, ${mediaType}. Tell the user if that matters.]`;
}

const MISTRAL_ID = 9;

/** Gives calls unique ids of nine letters and digits, and inserts an answer between a result and a prompt. */
function forMistral(messages: readonly ModelMessage[]): ModelMessage[] {
  const ids = new Map<string, string>();
  const used = new Set<string>();
  const idOf = (id: string): string => {
    const known = ids.get(id);
    if (known) return known;
    const plain = id.replace(/[^a-zA-Z0-9]/g, '');
    let candidate = plain.length === MISTRAL_ID && !used.has(plain) ? plain : '';
    for (let n = ids.size; candidate === '' || used.has(candidate); n++) {
      const count = n.toString(36);
      candidate = plain.slice(-MISTRAL_ID + count.length).padStart(MISTRAL_ID - count.length, '0') + count;
    }
    ids.set(id, candidate);
    used.add(candidate);
    return candidate;
  };
  return messages.flatMap((message, index): ModelMessage[] => {
    const after = messages[index - 1]?.role === 'tool' && message.role === 'user';
    const filler: ModelMessage[] = after ? [{ role: 'assistant', content: 'Done.' }] : [];
    if (message.role === 'assistant' && typeof message.content !== 'string')
      return [
        {
          ...message,
          content: message.content.map((part) =>
            part.type === 'tool-call' ? { ...part, toolCallId: idOf(part.toolCallId) } : part,
          ),
        },
      ];
    if (message.role === 'tool')
      return [
        {
          ...message,
          content: message.content.map((part) =>
            part.type === 'tool-result' ? { ...part, toolCallId: idOf(part.toolCallId) } : part,
          ),
        },
      ];
    return [...filler, message];
  });
}

export const CACHE_MARK = { anthropic: { cacheControl: { type: 'ephemeral' } } } as const;

/**
 * Marks the last two messages: the next request repeats everything up to the newest one, and the previous request
 * ended at the one before. With the mark on the instructions, that makes three of the four allowed marks.
 */
function withCacheMarks(messages: readonly ModelMessage[]): ModelMessage[] {
  return messages.map((message, index) =>
    index < messages.length - 2 || message.role === 'system'
      ? message
      : { ...message, providerOptions: { ...message.providerOptions, ...CACHE_MARK } },
  );
}
