import { isObject, type JsonObject } from '../base/json.ts';
import type { ModelMessage } from '../models/types.ts';
import type { Attachment, ModelRef } from './events.ts';
import { cut, PROMPT_CHARACTERS } from './compaction.ts';
import { isPrunable, PRUNED_NOTE } from './pruning.ts';
import { RESULT_FILES_NOTE, wrapSteering, wrapSummary } from './steering.ts';
import type { Message, Part, ToolPart } from './state.ts';

/**
 * The one boundary where what a session holds becomes what a model is told. Contents of files stay references
 * (`blob:HASH`) here; `files.ts` puts the bytes in just before they are sent.
 */
export const BLOB_PREFIX = 'blob:';

export interface MessageSource {
  message(id: string): Message | undefined;
  part(key: string): Part | undefined;
  /** Outputs of calls in messages with a smaller `seq` are not sent. */
  readonly prunedBefore?: number | undefined;
  /** What is told in place of a message, where the person wants it so. */
  retold?(messageID: string): Retelling | undefined;
}

export interface Retelling {
  readonly model: ModelRef;
  readonly messages: readonly ModelMessage[];
}

/** What one message of a session is told as. */
export interface Told {
  readonly messageID: string;
  readonly made: readonly ModelMessage[];
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

export interface SentPath {
  /** Stands for everything before `messages`, with the last prompt where that is not among them. */
  readonly summary: { readonly message: Message; readonly prompt: Message | undefined } | undefined;
  readonly messages: readonly Message[];
}

/** What of a path is sent: from the newest summary on, with what it left as it was; no summary that came to nothing. */
export function sentPath(path: readonly Message[]): SentPath {
  const at = path.findLastIndex(({ compaction }) => compaction !== undefined);
  const summary = path[at];
  const isSpoken = ({ purpose }: Message) => purpose === undefined;
  if (!summary?.compaction) return { summary: undefined, messages: path.filter(isSpoken) };
  const { tail } = summary.compaction;
  const from = tail === null ? at : path.findIndex(({ id }) => id === tail);
  const start = from < 0 ? at : from;
  const prompt = path.slice(0, at).findLastIndex(({ role }) => role === 'user');
  return {
    summary: { message: summary, prompt: prompt >= start ? undefined : path[prompt] },
    messages: [...path.slice(start, at), ...path.slice(at + 1)].filter(isSpoken),
  };
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
    return this.told(head, target, step).flatMap(({ made }) => made);
  }

  /** The same, message by message. */
  told(head: string | null, target: ModelRef, step: number): readonly Told[] {
    const { summary, messages } = sentPath(headPath(this.#source, head));
    // A prompt right before a later step of a turn was sent while that turn ran.
    let following = step;
    const told: Told[] = [];
    for (const message of messages.toReversed()) {
      if (message.role === 'assistant') following = message.step ?? 0;
      told.push({ messageID: message.id, made: this.#told(message, target, following > 0) });
    }
    if (summary)
      told.push({
        messageID: summary.message.id,
        made: this.#retold(summary.message, target) ?? this.#summary(summary.message, summary.prompt),
      });
    return told.reverse();
  }

  /** What one message is sent as. */
  of(message: Message, target: ModelRef): readonly ModelMessage[] {
    if (!message.purpose) return this.#told(message, target, false);
    return this.#retold(message, target) ?? this.#summary(message, undefined);
  }

  #told(message: Message, target: ModelRef, steering: boolean): readonly ModelMessage[] {
    return this.#retold(message, target) ?? this.#convert(message, target, steering);
  }

  #retold({ id }: Message, target: ModelRef): readonly ModelMessage[] | undefined {
    const retold = this.#source.retold?.(id);
    if (!retold || isSame(retold.model, target)) return retold?.messages;
    return retold.messages.flatMap(forAnother);
  }

  #summary(message: Message, prompt: Message | undefined): readonly ModelMessage[] {
    const key = `summary/${prompt?.id}`;
    const known = this.#known.get(message);
    if (known?.key === key) return known.made;
    const asked = prompt && cut(textOf(prompt, this.#source), PROMPT_CHARACTERS);
    const made = [{ role: 'user' as const, content: wrapSummary(textOf(message, this.#source), asked) }];
    this.#known.set(message, { key, made });
    return made;
  }

  #convert(message: Message, target: ModelRef, steering: boolean): readonly ModelMessage[] {
    const pruned = message.seq < (this.#source.prunedBefore ?? 0);
    const key = `${target.provider}/${target.model}/${steering}/${pruned}`;
    const known = this.#known.get(message);
    if (known?.key === key) return known.made;
    const all = message.partKeys.flatMap((partKey) => this.#source.part(partKey) ?? []);
    // What a call made is told by that call.
    const parts = all.filter((part) => part.type !== 'tool' || part.parent === undefined);
    const made =
      message.role === 'user'
        ? userMessages(pruned ? parts.map(withoutOutput) : parts, steering && !message.origin)
        : assistantMessages(message, pruned ? parts.map(withoutOutput) : parts, target);
    // What a prompt names is read after it has ended.
    const settled = parts.every((part) => part.type !== 'tool' || part.outcome !== undefined);
    if (message.ended !== undefined && settled) this.#known.set(message, { key, made });
    return made;
  }
}

/** The words of a message. */
export function textOf(message: Message, source: MessageSource): string {
  const texts = message.partKeys.flatMap((key) => {
    const part = source.part(key);
    return part?.type === 'text' ? [part.text] : [];
  });
  return texts.join('\n').trim();
}

function withoutOutput(part: Part): Part {
  return part.type === 'tool' && isPrunable(part) ? { ...part, output: PRUNED_NOTE, attachments: [] } : part;
}

function userMessages(parts: readonly Part[], steering: boolean): ModelMessage[] {
  const text = parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n');
  const named = parts.flatMap((part) => (part.type === 'tool' ? namedFile(part) : []));
  const files = parts.flatMap((part) => (part.type === 'file' ? [filePart(part.file)] : []));
  const worded = steering && text.trim() ? wrapSteering(text) : text;
  if (files.length + named.length === 0) return text.trim() ? [{ role: 'user', content: worded }] : [];
  const said = text.trim() ? [{ type: 'text' as const, text: worded }] : [];
  return [{ role: 'user', content: [...said, ...named, ...files] }];
}

/** A file that the prompt names, as it was read. */
function namedFile(call: ToolPart) {
  const { outcome, input, output = '', attachments = [] } = call;
  const path = isObject(input) && typeof input.filePath === 'string' ? input.filePath : '';
  const told =
    outcome === 'ok'
      ? `[${path}, which the message above names, as \`${call.tool}\` reads it:]\n${output || '(no output)'}`
      : `[${path}, which the message above names, was not read: ${output || 'interrupted'}]`;
  return [{ type: 'text' as const, text: told }, ...attachments.map(filePart)];
}

function assistantMessages(message: Message, parts: readonly Part[], target: ModelRef): ModelMessage[] {
  // A failed step runs no calls and is repeated: the model must not take its beginning for an answer.
  if (message.finish === 'error') return [];
  const same = isSame(message.model, target);
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

function isSame(a: ModelRef, b: ModelRef): boolean {
  return a.provider === b.provider && a.model === b.model;
}

/** Without what only the model can use that it was made for. */
function forAnother(message: ModelMessage): ModelMessage[] {
  if (message.role !== 'assistant' || typeof message.content === 'string') return [message];
  const content = message.content.flatMap((part) => {
    if (part.type === 'reasoning') return [];
    return 'providerOptions' in part ? [withoutOptions(part)] : [part];
  });
  return content.length > 0 ? [{ role: 'assistant', content }] : [];
}

function withoutOptions<T extends object>(part: T): T {
  return { ...part, providerOptions: undefined };
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
function takesFilesInResults({ provider, model }: ModelRef): boolean {
  return (
    provider === 'anthropic' || provider === 'openai' || (provider === 'google' && /gemini-[3-9]/.test(model))
  );
}

function optionsOf(metadata: JsonObject): ProviderOptions | undefined {
  const options: ProviderOptions = {};
  for (const [provider, values] of Object.entries(metadata))
    if (isObject(values)) options[provider] = mutable(values);
  return Object.keys(options).length > 0 ? options : undefined;
}

/** The SDK's JSON types are the same without `readonly`. */
function mutable(value: JsonObject): ProviderOptions[string] {
  return structuredClone<ProviderOptions[string]>(JSON.parse(JSON.stringify(value)));
}
