import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '../types.ts';

/** A message as it is shown to a person who answers as the model. */
export interface SeenMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly parts: readonly SeenPart[];
}

export type SeenPart =
  | { readonly kind: 'text' | 'reasoning'; readonly text: string }
  | { readonly kind: 'call'; readonly tool: string; readonly args: string }
  | { readonly kind: 'result'; readonly tool: string; readonly text: string; readonly failed: boolean }
  | { readonly kind: 'file'; readonly text: string };

type Message = LanguageModelV4Prompt[number];
type Piece = Exclude<Message['content'], string>[number];
type Result = Extract<Piece, { type: 'tool-result' }>['output'];

export function seenMessages(prompt: LanguageModelV4Prompt): SeenMessage[] {
  return prompt.map(({ role, content }) => ({
    role,
    parts: typeof content === 'string' ? [{ kind: 'text', text: content }] : content.map(seenPart),
  }));
}

function seenPart(part: Piece): SeenPart {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { kind: part.type, text: part.text };
    case 'tool-call':
      return { kind: 'call', tool: part.toolName, args: pretty(part.input) };
    case 'tool-result':
      return {
        kind: 'result',
        tool: part.toolName,
        text: resultText(part.output),
        failed: part.output.type.startsWith('error'),
      };
    case 'file':
      return { kind: 'file', text: `${part.filename ?? 'file'} (${part.mediaType})` };
    default:
      return { kind: 'file', text: part.type };
  }
}

/** The text of a result, as models that read only text get it. */
export function resultText(output: Result): string {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value;
    case 'json':
    case 'error-json':
      return pretty(output.value);
    case 'content':
      return output.value.map((piece) => (piece.type === 'text' ? piece.text : `[${piece.type}]`)).join('\n');
    default:
      return output.reason ?? '';
  }
}

/** The call options that a model gets, as JSON, without the abort signal. */
export function rawRequest({
  prompt,
  tools = [],
}: Pick<LanguageModelV4CallOptions, 'prompt' | 'tools'>): string {
  return JSON.stringify({ prompt, tools }, withoutBytes, 2);
}

function withoutBytes(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? `[${value.byteLength} bytes]` : value;
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? '';
}
