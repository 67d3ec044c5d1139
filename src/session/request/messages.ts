import type { MessageSource, RenderedMessages } from './types.ts';
import { growingFold } from '../../base/growing-fold.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { serverOf } from '../../base/server-ids.ts';
import type { ModelMessage } from '../../models/types.ts';
import type { Attachment, ModelRef } from '../log/events.ts';
import { argumentsToTell } from '../calls/call-input.ts';
import { cut, PROMPT_CHARACTERS } from './compaction.ts';
import { isPrunable, PRUNED_NOTE } from './pruning.ts';
import { RESULT_FILES_NOTE, wrapCommand, wrapOwnCall, wrapSteering, wrapSummary } from './steering.ts';
import type { Message, Part, ToolPart } from '../log/state.ts';

/**
 * The one boundary where a session's messages become model messages. File contents stay references
 * (`blob:HASH`) here; `attached-files.ts` adds the bytes just before they are sent.
 */
export const BLOB_PREFIX = 'blob:';

/** The messages from the first one to `head`. Starts later if a parent is not in the source. */
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
  /** Replaces everything before `messages`. It includes the last prompt, if that is not among them. */
  readonly summary: { readonly message: Message; readonly prompt: Message | undefined } | undefined;
  readonly messages: readonly Message[];
}

/**
 * The part of the path that goes to the model: the newest summary and the messages that it left unchanged,
 * then everything after it. Failed summaries are skipped.
 */
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

/** The converted form of a message, and what it depends on. */
type Known = { readonly rendered: readonly ModelMessage[] } & (
  | { readonly summary: true; readonly prompt: string | undefined }
  | {
      readonly summary: false;
      readonly target: ModelRef;
      readonly steering: boolean;
      readonly pruned: boolean;
    }
);

/** The messages of a request. */
export function messagesOf(rendered: readonly RenderedMessages[]): ModelMessage[] {
  return [...joined(rendered)];
}

const joined = growingFold<RenderedMessages, ModelMessage[]>(
  () => [],
  (messages, { rendered }) => {
    messages.push(...rendered);
    return messages;
  },
);

/**
 * Remembers the converted form of messages that no longer change, so that a long session is not converted
 * again with every step.
 */
export class Conversation {
  readonly #source: MessageSource;
  readonly #known = new WeakMap<Message, Known>();
  readonly #grouped = new WeakMap<readonly ModelMessage[], RenderedMessages>();

  constructor(source: MessageSource) {
    this.#source = source;
  }

  /** The messages that `target` gets in the request for step number `step` of a turn. */
  messages(head: string | null, target: ModelRef, step: number): ModelMessage[] {
    return messagesOf(this.render(head, target, step));
  }

  /** The same messages, grouped by the session's message that they come from. */
  render(head: string | null, target: ModelRef, step: number): readonly RenderedMessages[] {
    const { summary, messages } = sentPath(headPath(this.#source, head));
    // A prompt right before a later step of a turn was sent while that turn ran.
    let following = step;
    const rendered: RenderedMessages[] = [];
    for (const message of messages.toReversed()) {
      if (message.role === 'assistant') following = message.step ?? 0;
      rendered.push(this.#group(message, this.#render(message, target, following > 0)));
    }
    if (summary) {
      const { message, prompt } = summary;
      rendered.push(
        this.#group(message, this.#replacement(message, target) ?? this.#summary(message, prompt)),
      );
    }
    return rendered.reverse();
  }

  /** The same object for the same messages, by which it is seen what a request adds to the one before. */
  #group({ id: messageID }: Message, rendered: readonly ModelMessage[]): RenderedMessages {
    const known = this.#grouped.get(rendered);
    if (known?.messageID === messageID) return known;
    const group = { messageID, rendered };
    this.#grouped.set(rendered, group);
    return group;
  }

  /** The model messages for one message. */
  of(message: Message, target: ModelRef): readonly ModelMessage[] {
    if (!message.purpose) return this.#render(message, target, false);
    return this.#replacement(message, target) ?? this.#summary(message, undefined);
  }

  #render(message: Message, target: ModelRef, steering: boolean): readonly ModelMessage[] {
    return this.#replacement(message, target) ?? this.#convert(message, target, steering);
  }

  #replacement({ id }: Message, target: ModelRef): readonly ModelMessage[] | undefined {
    const replacement = this.#source.retold?.(id);
    if (!replacement || isSame(replacement.model, target)) return replacement?.messages;
    return replacement.messages.flatMap(forAnother);
  }

  #summary(message: Message, prompt: Message | undefined): readonly ModelMessage[] {
    const known = this.#known.get(message);
    if (known?.summary && known.prompt === prompt?.id) return known.rendered;
    const asked = prompt && cut(textOf(prompt, this.#source), PROMPT_CHARACTERS);
    const rendered = [{ role: 'user' as const, content: wrapSummary(textOf(message, this.#source), asked) }];
    this.#known.set(message, { summary: true, prompt: prompt?.id, rendered });
    return rendered;
  }

  #convert(message: Message, target: ModelRef, steering: boolean): readonly ModelMessage[] {
    const pruned = message.seq < (this.#source.prunedBefore ?? 0);
    const known = this.#known.get(message);
    if (known && !known.summary && known.steering === steering && known.pruned === pruned)
      if (isSame(known.target, target)) return known.rendered;
    const all = message.partKeys.flatMap((partKey) => this.#source.part(partKey) ?? []);
    // A nested call is reported by the call that made it.
    const parts = all.filter((part) => part.type !== 'tool' || part.parent === undefined);
    const told = pruned ? parts.map(withoutOutput) : parts;
    const rendered =
      message.role === 'assistant'
        ? assistantMessages(message, told, target)
        : message.origin?.kind === 'command'
          ? told.flatMap((part) => ownCommand(part, message.origin))
          : userMessages(told, steering && !message.origin);
    // Files that a prompt mentions are read after its message has ended.
    const settled = parts.every((part) => part.type !== 'tool' || part.outcome !== undefined);
    if (message.ended !== undefined && settled)
      this.#known.set(message, { summary: false, target, steering, pruned, rendered });
    return rendered;
  }
}

/** The text of a message. */
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

/** A command that the person ran, with what it printed, or a call that a test made. */
function ownCommand(part: Part, origin: Message['origin']): ModelMessage[] {
  if (part.type !== 'tool') return [];
  const { input = null, output, outcome, tool } = part;
  if (origin?.kind === 'command' && origin.tool !== undefined)
    return [{ role: 'user', content: wrapOwnCall(tool, input, outcome && (output ?? '')) }];
  const command = isObject(input) && typeof input.command === 'string' ? input.command : '';
  return [{ role: 'user', content: wrapCommand(command, outcome && (output ?? '')) }];
}

/** The content of a file that the prompt mentions, as it was read. */
function namedFile(call: ToolPart) {
  const { outcome, input, output = '', attachments = [] } = call;
  const path = isObject(input) && typeof input.filePath === 'string' ? input.filePath : '';
  const text =
    outcome === 'ok'
      ? `[${path}, which the message above names, as \`${call.tool}\` reads it:]\n${output || '(no output)'}`
      : `[${path}, which the message above names, was not read: ${output || 'interrupted'}]`;
  return [{ type: 'text' as const, text }, ...attachments.map(filePart)];
}

function assistantMessages(message: Message, parts: readonly Part[], target: ModelRef): ModelMessage[] {
  // A failed step runs no calls and is repeated: the model must not mistake its beginning for an answer.
  if (message.finish === 'error') return [];
  const same = message.model !== undefined && isSame(message.model, target);
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
      // Another model can neither check nor use reasoning. An empty one still carries metadata that its
      // provider wants back.
      return same && (part.text || options) ? [{ type: 'reasoning', text: part.text, ...options }] : [];
    case 'file':
      return [filePart(part.file)];
    case 'tool':
      return [
        {
          type: 'tool-call',
          toolCallId: part.callID,
          toolName: part.tool,
          input: argumentsToTell(part),
          ...options,
        },
      ];
  }
}

function isSame(a: ModelRef, b: ModelRef): boolean {
  return a.provider === b.provider && a.model === b.model;
}

/** Removes the parts of a message that only its original model can use. */
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
  const result = { type: 'tool-result', toolCallId: call.callID, toolName: call.tool } as const;
  if (call.outcome === undefined)
    return { ...result, output: { type: 'error-text', value: '[The call was interrupted.]' } };
  const value = call.output || '(no output)';
  const files = withFiles ? (call.attachments ?? []) : [];
  if (files.length > 0)
    return {
      ...result,
      output: { type: 'content', value: [{ type: 'text', text: value }, ...files.map(resultFile)] },
    };
  // The output of a stopped command is not an error.
  const text = call.outcome === 'ok' || call.outcome === 'cancelled' || call.outcome === 'interrupted';
  return { ...result, output: { type: text ? 'text' : 'error-text', value } };
}

function filePart({ mediaType, blob, filename }: Attachment) {
  return { type: 'file' as const, mediaType, data: BLOB_PREFIX + blob, ...(filename && { filename }) };
}

function resultFile({ mediaType, blob, filename }: Attachment) {
  const data = { type: 'data' as const, data: BLOB_PREFIX + blob };
  return { type: 'file' as const, mediaType, data, ...(filename && { filename }) };
}

/** Whether the provider's API accepts images and documents inside a tool's result. */
function takesFilesInResults({ provider: id, model }: ModelRef): boolean {
  const { provider } = serverOf(id);
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
