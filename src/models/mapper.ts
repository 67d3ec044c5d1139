import { hashBytes } from '../base/hash.ts';
import type { Fault } from '../base/fault.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { ModelRequest } from '../session/model.ts';
import type { FinishReason, StreamPart, Usage } from '../session/parts.ts';
import { brokenArguments, CallIDs, knownTool, unknownTool } from './calls.ts';
import type { SdkPart } from './types.ts';

/** Of the SDK's parts, what is looked at. */
type End = Pick<SdkEnd, 'type' | 'finishReason'> & Partial<SdkEnd>;
type SdkEnd = Extract<SdkPart, { type: 'model-call-end' }>;
type ToolCall = Extract<SdkPart, { type: 'tool-call' }>;
export type CallPart = Exclude<SdkPart, SdkEnd> | End;

/**
 * Turns one call's parts, as the SDK streams them, into the session's parts. The last word is always `finish`, held
 * back until the stream is over: providers put errors after it. A call that saw an error finishes as `error`,
 * whatever the provider says, because a piece may be missing from what came.
 */
export class PartMapper {
  readonly #tools: ReadonlySet<string>;
  readonly #onBlob: ModelRequest['onBlob'];
  readonly #fault: (error: unknown) => Promise<Fault>;
  readonly #calls = new CallIDs();
  readonly #blocks = new Blocks();
  #end: End | undefined;
  #failed = false;

  constructor(
    tools: ReadonlySet<string>,
    fault: (error: unknown) => Promise<Fault>,
    onBlob: ModelRequest['onBlob'],
  ) {
    this.#tools = tools;
    this.#fault = fault;
    this.#onBlob = onBlob;
  }

  async map(part: CallPart): Promise<readonly StreamPart[]> {
    switch (part.type) {
      case 'model-call-start':
        return [{ type: 'start', warnings: asJson(part.warnings) as Json[] }];
      case 'model-call-response-metadata':
        return [{ type: 'response', ...defined({ id: part.id, modelID: part.modelId }) }];
      case 'text-start':
      case 'reasoning-start':
        return [{ type: part.type, id: this.#blocks.start(part.type, part.id), ...metadata(part) }];
      case 'text-delta':
      case 'reasoning-delta':
        return this.#delta(part);
      case 'text-end':
      case 'reasoning-end':
        return this.#blocks.end(part.id, metadata(part).providerMetadata);
      case 'tool-input-start': {
        const tool = knownTool(part.toolName, this.#tools) ?? part.toolName;
        return [{ type: 'tool-input-start', callID: this.#calls.start(part.id), tool }];
      }
      case 'tool-input-delta': {
        const callID = this.#calls.current(part.id);
        return callID === undefined ? [] : [{ type: 'tool-input-delta', callID, delta: part.delta }];
      }
      case 'tool-input-end': {
        const callID = this.#calls.current(part.id);
        return callID === undefined ? [] : [{ type: 'tool-input-end', callID }];
      }
      case 'tool-call':
        return part.providerExecuted ? [other(part.type, part)] : [this.#call(part)];
      case 'tool-error':
        // The SDK's own wording of an invalid call, which repeats all of its arguments; ours is on the call.
        return part.providerExecuted ? [other(part.type, part)] : [];
      case 'file':
        return [{ type: 'file', ...this.#keep(part.file) }];
      case 'reasoning-file':
        return [{ type: 'other', name: part.type, value: this.#keep(part.file) }];
      case 'error':
        return [await this.error(part.error)];
      case 'model-call-end':
        this.#end = part;
        return [];
      case 'ping':
        return [];
      default:
        return [other(part.type, part)];
    }
  }

  async error(error: unknown): Promise<StreamPart> {
    this.#failed = true;
    return { type: 'error', fault: await this.#fault(error) };
  }

  /** What is still to be said when the stream has ended, for whatever reason but an abort. */
  finish(): readonly StreamPart[] {
    const parts: StreamPart[] = [...this.#blocks.endAll()];
    const end = this.#end;
    const cut = !end || end.finishReason === 'interrupted';
    if (cut && !this.#failed) {
      this.#failed = true;
      parts.push({ type: 'error', fault: STREAM_CUT });
    }
    parts.push({
      type: 'finish',
      reason: this.#failed || !end ? 'error' : REASONS[end.finishReason],
      ...defined({ rawReason: end?.rawFinishReason }),
      usage: end?.usage ? usage(end.usage) : {},
      ...metadata(end ?? {}),
    });
    return parts;
  }

  #delta(part: Extract<SdkPart, { type: 'text-delta' | 'reasoning-delta' }>): readonly StreamPart[] {
    const kind = part.type === 'text-delta' ? 'text-start' : 'reasoning-start';
    const known = this.#blocks.current(part.id);
    const id = known ?? this.#blocks.start(kind, part.id);
    const opened: StreamPart[] = known === undefined ? [{ type: kind, id }] : [];
    if (part.type === 'reasoning-delta')
      return [...opened, { type: part.type, id, text: part.text, ...metadata(part) }];
    this.#blocks.remember(part.id, metadata(part).providerMetadata);
    return [...opened, { type: part.type, id, text: part.text }];
  }

  #call(part: ToolCall): StreamPart {
    const callID = this.#calls.complete(part.toolCallId);
    const tool = knownTool(part.toolName, this.#tools);
    const input = asJson(part.input);
    const invalid =
      tool === undefined
        ? unknownTool(part.toolName, this.#tools)
        : part.invalid
          ? brokenArguments(tool, input)
          : undefined;
    return {
      type: 'tool-call',
      callID,
      tool: tool ?? part.toolName,
      input,
      ...defined({ invalid }),
      ...metadata(part),
    };
  }

  #keep(file: { readonly uint8Array: Uint8Array; readonly mediaType: string }) {
    const bytes = new Uint8Array(file.uint8Array);
    const hash = hashBytes(bytes);
    this.#onBlob?.({ hash, bytes });
    return { mediaType: file.mediaType, blob: hash };
  }
}

/** Blocks of text and reasoning. Servers open the same id again after a pause; each opening is a block of its own. */
class Blocks {
  readonly #used = new Set<string>();
  readonly #open = new Map<string, { id: string; kind: 'text-end' | 'reasoning-end'; last?: JsonObject }>();

  start(kind: 'text-start' | 'reasoning-start', raw: string): string {
    let id = raw;
    for (let n = 2; this.#used.has(id); n++) id = `${raw}_${n}`;
    this.#used.add(id);
    this.#open.set(raw, { id, kind: kind === 'text-start' ? 'text-end' : 'reasoning-end' });
    return id;
  }

  current(raw: string): string | undefined {
    return this.#open.get(raw)?.id;
  }

  /** Metadata of a text delta: signatures come there, and must go back with the text. */
  remember(raw: string, providerMetadata: JsonObject | undefined): void {
    const block = this.#open.get(raw);
    if (block && providerMetadata) block.last = providerMetadata;
  }

  end(raw: string, providerMetadata: JsonObject | undefined): readonly StreamPart[] {
    const block = this.#open.get(raw);
    if (!block) return [];
    this.#open.delete(raw);
    return [
      { type: block.kind, id: block.id, ...defined({ providerMetadata: providerMetadata ?? block.last }) },
    ];
  }

  endAll(): readonly StreamPart[] {
    return [...this.#open.keys()].flatMap((raw) => this.end(raw, undefined));
  }
}

export const STREAM_CUT: Fault = {
  code: 'stream-cut',
  what: 'The answer broke off before the model had finished.',
  next: 'Send the message again; if it keeps happening, check the connection and the provider’s status page.',
  retryable: true,
};

const REASONS: Record<End['finishReason'], FinishReason> = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'content-filter',
  'tool-calls': 'tool-calls',
  error: 'error',
  interrupted: 'error',
  other: 'other',
};

function usage(from: SdkEnd['usage']): Usage {
  return defined({
    inputTokens: from.inputTokens,
    outputTokens: from.outputTokens,
    reasoningTokens: from.outputTokenDetails.reasoningTokens,
    cacheReadTokens: from.inputTokenDetails.cacheReadTokens,
    cacheWriteTokens: from.inputTokenDetails.cacheWriteTokens,
  });
}

function metadata(part: { providerMetadata?: unknown }): { providerMetadata?: JsonObject } {
  const value = part.providerMetadata;
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return {};
  return { providerMetadata: asJson(value) as JsonObject };
}

function other(name: string, value: unknown): StreamPart {
  return { type: 'other', name, value: asJson(value) };
}

/** The value as JSON holds it: `undefined` gone, dates as text, errors as their message, cycles as `null`. */
function asJson(value: unknown): Json {
  try {
    const text: string | undefined = JSON.stringify(value, (_key, item: unknown) =>
      item instanceof Error ? item.message : typeof item === 'bigint' ? String(item) : item,
    );
    return text === undefined ? null : (JSON.parse(text) as Json);
  } catch {
    return null;
  }
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

function defined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Defined<T>;
}
