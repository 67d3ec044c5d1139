import type { JsonObject } from '../base/json.ts';
import type { ModelMessage } from '../models/types.ts';
import type { Attachment, ModelRef } from './events.ts';
import { RESULT_FILES_NOTE, wrapSteering } from './steering.ts';
import type { Message, Part, ToolPart } from './state.ts';

/**
 * The one boundary where what a session holds becomes what a model is told. Contents of files stay references
 * (`blob:HASH`) here; `files.ts` puts the bytes in just before they are sent.
 */
export const BLOB_PREFIX = 'blob:';

export interface MessageSource {
  message(id: string): Message | undefined;
  part(key: string): Part | undefined;
}

/** From the first message to `head`, along `parentID`. Ends where a parent is not in the source. */
export function headPath(source: MessageSource, head: string | null): Message[] {
  const path: Message[] = [];
  for (let id = head; id !== null;) {
    const message = source.message(id);
    if (!message) break;
    path.push(message);
    id = message.parentID;
  }
  return path.reverse();
}

/** The newest message on the path to `head` that fits. */
export function newestOnPath(
  source: MessageSource,
  head: string | null,
  fits: (message: Message) => boolean,
): Message | undefined {
  for (let id = head; id !== null;) {
    const message = source.message(id);
    if (!message || fits(message)) return message;
    id = message.parentID;
  }
  return undefined;
}

/** Keeps what a message that no longer changes came to: a long session is not converted anew with every step. */
export class Conversation {
  readonly #source: MessageSource;
  readonly #known = new WeakMap<Message, { readonly key: string; readonly made: readonly ModelMessage[] }>();

  constructor(source: MessageSource) {
    this.#source = source;
  }

  /** What `target` is told in the request for step number `step` of a turn. */
  messages(head: string | null, target: ModelRef, step: number): ModelMessage[] {
    const path = headPath(this.#source, head);
    // A prompt right before a later step of a turn was sent while that turn ran.
    let following = step;
    const made: (readonly ModelMessage[])[] = [];
    for (const message of path.reverse()) {
      if (message.role === 'assistant') following = message.step ?? 0;
      made.push(this.#convert(message, target, following > 0));
    }
    return made.reverse().flat();
  }

  #convert(message: Message, target: ModelRef, steering: boolean): readonly ModelMessage[] {
    const key = `${target.provider}/${target.model}/${steering}`;
    const known = this.#known.get(message);
    if (known?.key === key) return known.made;
    const parts = message.partKeys.flatMap((partKey) => this.#source.part(partKey) ?? []);
    const made =
      message.role === 'user' ? userMessages(parts, steering) : assistantMessages(message, parts, target);
    if (message.ended !== undefined) this.#known.set(message, { key, made });
    return made;
  }
}

function userMessages(parts: readonly Part[], steering: boolean): ModelMessage[] {
  const text = parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n');
  const files = parts.flatMap((part) => (part.type === 'file' ? [filePart(part.file)] : []));
  const worded = steering && text.trim() ? wrapSteering(text) : text;
  if (files.length === 0) return text.trim() ? [{ role: 'user', content: worded }] : [];
  return [
    { role: 'user', content: [...(text.trim() ? [{ type: 'text' as const, text: worded }] : []), ...files] },
  ];
}

function assistantMessages(message: Message, parts: readonly Part[], target: ModelRef): ModelMessage[] {
  // A failed step runs no calls and is repeated: the model must not take its beginning for an answer.
  if (message.finish === 'error') return [];
  const same = message.model.provider === target.provider && message.model.model === target.model;
  const calls = parts.filter((part) => part.type === 'tool');
  const content = parts.flatMap((part) => assistantPart(part, same));
  if (!content.some(({ type }) => type !== 'reasoning')) return [];
  const assistant: ModelMessage = { role: 'assistant', content };
  if (calls.length === 0) return [assistant];
  const inResults = takesFilesInResults(target);
  const results: ModelMessage = { role: 'tool', content: calls.map((call) => toolResult(call, inResults)) };
  const files = inResults ? [] : calls.flatMap((call) => (call.attachments ?? []).map(filePart));
  if (files.length === 0) return [assistant, results];
  const carrier = [{ type: 'text' as const, text: RESULT_FILES_NOTE }, ...files];
  return [assistant, results, { role: 'user', content: carrier }];
}

type AssistantPart = Exclude<Extract<ModelMessage, { role: 'assistant' }>['content'], string>[number];
type ToolResult = Extract<
  Extract<ModelMessage, { role: 'tool' }>['content'][number],
  { type: 'tool-result' }
>;
type ProviderOptions = NonNullable<ToolResult['providerOptions']>;

function assistantPart(part: Part, same: boolean): AssistantPart[] {
  const providerOptions = same && part.providerMetadata ? optionsOf(part.providerMetadata) : undefined;
  const options = providerOptions && { providerOptions };
  switch (part.type) {
    case 'text':
      return part.text.trim() ? [{ type: 'text', text: part.text, ...options }] : [];
    case 'reasoning':
      // Another model can neither check nor use it; an empty one still carries what its provider wants back.
      return same && (part.text || options) ? [{ type: 'reasoning', text: part.text, ...options }] : [];
    case 'file':
      return [filePart(part.file)];
    case 'tool':
      return [
        {
          type: 'tool-call',
          toolCallId: part.callID,
          toolName: part.tool,
          input: part.input ?? {},
          ...options,
        },
      ];
  }
}

function toolResult(call: ToolPart, withFiles: boolean): ToolResult {
  const told = { type: 'tool-result', toolCallId: call.callID, toolName: call.tool } as const;
  if (call.outcome === undefined)
    return { ...told, output: { type: 'error-text', value: '[The call was interrupted.]' } };
  const value = call.output || '(no output)';
  const files = withFiles ? (call.attachments ?? []) : [];
  if (files.length > 0)
    return {
      ...told,
      output: { type: 'content', value: [{ type: 'text', text: value }, ...files.map(resultFile)] },
    };
  // What a stopped command had printed is output, not an error.
  const text = call.outcome === 'ok' || call.outcome === 'cancelled' || call.outcome === 'interrupted';
  return { ...told, output: { type: text ? 'text' : 'error-text', value } };
}

function filePart({ mediaType, blob, filename }: Attachment) {
  return { type: 'file' as const, mediaType, data: BLOB_PREFIX + blob, ...(filename && { filename }) };
}

function resultFile({ mediaType, blob, filename }: Attachment) {
  const data = { type: 'data' as const, data: BLOB_PREFIX + blob };
  return { type: 'file' as const, mediaType, data, ...(filename && { filename }) };
}

/** Whose API takes images and documents inside a tool's result. */
function takesFilesInResults({ provider }: ModelRef): boolean {
  return provider === 'anthropic' || provider === 'openai';
}

function optionsOf(metadata: JsonObject): ProviderOptions | undefined {
  const options: ProviderOptions = {};
  for (const [provider, values] of Object.entries(metadata))
    if (isObject(values)) options[provider] = mutable(values);
  return Object.keys(options).length > 0 ? options : undefined;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The SDK's JSON types are the same without `readonly`. */
function mutable(value: JsonObject): ProviderOptions[string] {
  return structuredClone<ProviderOptions[string]>(JSON.parse(JSON.stringify(value)));
}
