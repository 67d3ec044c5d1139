import * as z from 'zod';
import type { Json } from '../../../base/json.ts';
import type { ModelMessage } from '../../../models/types.ts';
import { showText } from '../../workbench/show-name.ts';

/**
 * A message of a request while the person edits it: as plain text if the message holds nothing else, or as
 * JSON.
 */
export interface MessageDraft {
  readonly original: ModelMessage;
  readonly form: 'text' | 'json';
  readonly text: string;
}

const shapeSchema = z.looseObject({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string() })).min(1)]),
});
/** The provider checks the content of the parts itself. */
const messageSchema = z.custom<ModelMessage>((value) => shapeSchema.safeParse(value).success);

export function draftOf(original: ModelMessage): MessageDraft {
  const { content } = original;
  if (typeof content === 'string') return { original, form: 'text', text: content };
  const [only] = content;
  if (content.length === 1 && only?.type === 'text') return { original, form: 'text', text: only.text };
  return { original, form: 'json', text: showText(JSON.stringify(content, null, 2)) };
}

export function isChanged(draft: MessageDraft): boolean {
  return draft.text !== draftOf(draft.original).text;
}

/**
 * The edited message, or the same object if nothing was changed; `undefined` if the text is not a valid
 * message.
 */
export function messageOf(draft: MessageDraft): ModelMessage | undefined {
  if (!isChanged(draft)) return draft.original;
  const content = draft.form === 'json' ? json(draft.text) : contentWith(draft);
  const parsed = messageSchema.safeParse({ ...draft.original, content });
  return parsed.success ? parsed.data : undefined;
}

function contentWith({ original: { content }, text }: MessageDraft): unknown {
  return typeof content === 'string' ? text : content.map((part) => ({ ...part, text }));
}

function json(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
