import { hashBytes } from '../base/hash.ts';
import type { Fault } from '../base/fault.ts';
import type { Json } from '../base/json.ts';
import type { ModelRequest } from '../session/request/model.ts';
import type { FinishReason, StreamPart, Usage } from '../session/log/parts.ts';
import { Blocks } from './blocks.ts';
import { brokenArguments, CallIDs, deepArguments, knownTool, unknownTool } from './calls.ts';
import { FAULT_TEXTS } from '../base/fault-texts.ts';
import { asJson, defined, metadata, tooDeep } from './plain.ts';
import type { SdkPart } from './types.ts';

/** The stream parts of the SDK that we handle; only the reason is needed from the last one. */
type End = Pick<SdkEnd, 'type' | 'finishReason'> & Partial<SdkEnd>;
type SdkEnd = Extract<SdkPart, { type: 'model-call-end' }>;
type ToolCall = Extract<SdkPart, { type: 'tool-call' }>;
export type CallPart = Exclude<SdkPart, SdkEnd> | End;

/**
 * Maps the SDK's stream parts of one call to the session's parts. The last part is always `finish`; it is held back
 * until the stream is over, because providers may send errors after it. A call with an error finishes as `error`
 * whatever the provider reports, because a part of the answer may be missing.
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
        return this.#blocks.start('text', part.id, metadata(part));
      case 'reasoning-start':
        return this.#blocks.start('reasoning', part.id, metadata(part));
      case 'text-delta':
        return this.#blocks.text(part.id, part.text, metadata(part));
      case 'reasoning-delta':
        return this.#blocks.reasoning(part.id, part.text, metadata(part));
      case 'text-end':
        return this.#blocks.end('text', part.id, metadata(part));
      case 'reasoning-end':
        return this.#blocks.end('reasoning', part.id, metadata(part));
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
        // The SDK's text for an invalid call repeats all of its arguments; the call itself carries a shorter one.
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

  /** The final parts, once the stream has ended for any reason but an abort. */
  finish(): readonly StreamPart[] {
    const parts: StreamPart[] = [...this.#blocks.endAll()];
    const end = this.#end;
    const cut = !end || end.finishReason === 'interrupted';
    const fault = end?.rawFinishReason === WINDOW_FULL ? CONTEXT_FULL : cut ? STREAM_CUT : undefined;
    if (fault && !this.#failed) {
      this.#failed = true;
      parts.push({ type: 'error', fault });
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

  #call(part: ToolCall): StreamPart {
    const callID = this.#calls.complete(part.toolCallId);
    const tool = knownTool(part.toolName, this.#tools);
    const input = asJson(part.input);
    const invalid =
      tool === undefined
        ? unknownTool(part.toolName, this.#tools)
        : tooDeep(part.input)
          ? deepArguments(tool)
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

export const STREAM_CUT: Fault = {
  code: 'stream-cut',
  what: FAULT_TEXTS.cut,
  next: FAULT_TEXTS.checkConnection,
  retryable: true,
};

/** Anthropic's stop reason for a full context window: https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons */
const WINDOW_FULL = 'model_context_window_exceeded';

const CONTEXT_FULL: Fault = {
  code: 'context-overflow',
  what: FAULT_TEXTS.windowFull,
  next: FAULT_TEXTS.largerContext,
  retryable: false,
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

function other(name: string, value: unknown): StreamPart {
  return { type: 'other', name, value: asJson(value) };
}
