import type { Json } from '../../../base/json.ts';
import { jsonStop } from '../../../base/json-stop.ts';
import type { ModelMessage } from '../../../models/types.ts';
import { formProblem, type FormProblem } from '../../../session/stepping/message-form.ts';
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

/** Why an edited message cannot be sent: its text is no JSON from this place on, or it is no message. */
export type DraftProblem =
  { readonly kind: 'json'; readonly line: number; readonly character: number } | FormProblem;

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

/** Why the edited message cannot be sent; `null` if it can. */
export function problemOf(draft: MessageDraft): DraftProblem | null {
  if (!isChanged(draft)) return null;
  const content = contentOf(draft);
  if (content !== undefined) return formProblem(draft.original.role, content);
  return { kind: 'json', ...(jsonStop(draft.text) ?? { line: 1, character: 1 }) };
}

/** The edited message, or the same object if nothing was changed; `undefined` if there is a problem with it. */
export function messageOf(draft: MessageDraft): ModelMessage | undefined {
  if (!isChanged(draft)) return draft.original;
  const message = { ...draft.original, content: contentOf(draft) };
  return isMessage(message) ? message : undefined;
}

function isMessage(value: { readonly role: ModelMessage['role']; content: unknown }): value is ModelMessage {
  return formProblem(value.role, value.content) === null;
}

function contentOf(draft: MessageDraft): unknown {
  return draft.form === 'json' ? json(draft.text) : contentWith(draft);
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
