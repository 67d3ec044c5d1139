import { lazily } from '../base/lazily.ts';
import type { Fault } from '../base/fault.ts';
import type { ModelFacts } from '../session/log/cost.ts';
import type { Model, ModelRequest } from '../session/request/model.ts';
import type { StreamPart } from '../session/log/parts.ts';
import { CACHE_MARK, fitMessages } from './fit.ts';
import { fromGemini, geminiSchema } from './gemini-schema.ts';
import { PartMapper } from './mapper.ts';
import { sanitizeMessages } from './messages.ts';
import {
  mergeProviderOptions,
  parseCallSettings,
  type CallSettings,
  type ProviderOptions,
} from './call-settings.ts';
import type { OnSkipped } from './stream/sanitize-stream.ts';
import type { Traits } from './traits.ts';
import type { LanguageModelV4, SdkPart } from './types.ts';

export interface CallOptions {
  /**
   * Runs for each call; whatever it throws becomes the call's error. A model that sends requests over the network
   * calls `sent` with the text of the body when it sends it, and `skipped` with each part of the answer that it
   * leaves out because it does not understand it.
   */
  load(sent: (body: string) => void, cacheKey?: string, skipped?: OnSkipped): Promise<LoadedModel>;
  /** Describes whatever was thrown; never rejects. */
  fault(error: unknown, signal: AbortSignal): Promise<Fault>;
}

export interface LoadedModel {
  readonly model: LanguageModelV4;
  /** Keyed by provider; the request's own options override these. */
  readonly providerOptions?: ProviderOptions;
  /** Defaults, which the request's own settings override. */
  readonly settings?: CallSettings;
  /** Absent where the model takes all messages unchanged. */
  readonly traits?: Traits;
}

/**
 * Streams one language model call through the SDK as the session's parts. This file alone uses
 * `experimental_streamLanguageModelCall`; its tests pin the sequences that an upgrade must not change.
 */
export async function* streamCall(
  request: ModelRequest,
  options: CallOptions,
): AsyncGenerator<StreamPart, void, undefined> {
  const { signal } = request;
  const mapper = new PartMapper(
    new Set(request.tools.map((tool) => tool.name)),
    (error) => options.fault(error, signal),
    request.onBlob?.bind(request),
  );
  const aborted = whenAborted(signal);
  const skipped: StreamPart[] = [];
  let reader: ReadableStreamDefaultReader<SdkPart> | undefined;
  try {
    const opening = open(request, options, (value) =>
      skipped.push({ type: 'other', name: 'skipped', value }),
    );
    // Nobody awaits these after an abort, so their rejections must not surface.
    opening.then((stream) => signal.aborted && void stream.cancel().catch(ignore), ignore);
    const stream = await Promise.race([opening, aborted.promise]);
    if (stream === ABORTED) return;
    reader = stream.getReader();
    for (;;) {
      const reading = reader.read();
      reading.catch(ignore);
      const next = await Promise.race([reading, aborted.promise]);
      if (next === ABORTED) return;
      yield* skipped.splice(0);
      if (next.done) break;
      for (const part of await mapper.map(next.value)) {
        yield withOriginalTypes(part, request);
        if (signal.aborted) return;
      }
    }
  } catch (error) {
    if (signal.aborted) return;
    const failure = await Promise.race([mapper.error(error), aborted.promise]);
    if (failure === ABORTED) return;
    yield failure;
  } finally {
    aborted.release();
    void reader?.cancel().catch(ignore);
  }
  yield* mapper.finish();
}

/** Turns enum values that had to be offered as text back into numbers, whichever provider offered them. */
function withOriginalTypes(part: StreamPart, { tools }: ModelRequest): StreamPart {
  if (part.type !== 'tool-call' || part.invalid) return part;
  const schema = tools.find(({ name }) => name === part.tool)?.schema;
  return { ...part, input: fromGemini(part.input, schema) };
}

/** Wraps {@link streamCall} as the session's model port. */
export function sdkModel(ref: Model['ref'], options: CallOptions, facts: ModelFacts = {}): Model {
  return { ref, ...facts, stream: (request) => streamCall(request, options) };
}

const loadSdk = lazily(() => import('./sdk.ts'));

async function open(request: ModelRequest, options: CallOptions, skipped: OnSkipped) {
  const [sdk, { model, providerOptions, settings: defaults, traits }] = await Promise.all([
    loadSdk(),
    options.load((body) => request.onBody(body), request.cacheKey, skipped),
  ]);
  const settings = parseCallSettings(request.settings);
  const tools = Object.fromEntries(
    request.tools.map(({ name, description, schema }) => [
      name,
      {
        description,
        inputSchema: sdk.jsonSchema<unknown>({ ...(traits?.gemini ? geminiSchema(schema) : schema) }),
      },
    ]),
  );
  const call = await sdk.experimental_streamLanguageModelCall({
    model,
    ...defaults,
    ...settings,
    ...(request.system && { instructions: instructions(request.system, traits) }),
    messages: traits
      ? fitMessages(sanitizeMessages(request.messages), traits)
      : sanitizeMessages(request.messages),
    ...(request.tools.length > 0 && { tools }),
    providerOptions: mergeProviderOptions(providerOptions, settings.providerOptions),
    abortSignal: request.signal,
    // Files are passed as bytes; the page must not fetch an address just because a message contains it.
    download: async (files) => files.map(() => null),
    repairToolCall: async ({ toolCall, tools: known }) => {
      const toolName = toolCall.toolName.toLowerCase();
      return toolName !== toolCall.toolName && Object.hasOwn(known, toolName)
        ? { ...toolCall, toolName }
        : null;
    },
  });
  return call.stream;
}

function instructions(text: string, traits: Traits | undefined) {
  if (!traits?.marksCache) return text;
  return { role: 'system' as const, content: text, providerOptions: CACHE_MARK };
}

const ABORTED = Symbol('aborted');

function whenAborted(signal: AbortSignal): { promise: Promise<typeof ABORTED>; release(): void } {
  let release = ignore;
  const promise = new Promise<typeof ABORTED>((resolve) => {
    const onAbort = () => resolve(ABORTED);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    release = () => signal.removeEventListener('abort', onAbort);
  });
  return { promise, release: () => release() };
}

function ignore(): void {}
