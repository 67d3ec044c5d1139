import { lazily } from '../base/lazily.ts';
import type { Fault } from '../base/fault.ts';
import type { ModelFacts } from '../session/cost.ts';
import type { Model, ModelRequest } from '../session/model.ts';
import type { StreamPart } from '../session/parts.ts';
import { CACHE_MARK, fitMessages } from './fit.ts';
import { fromGemini, geminiSchema } from './gemini-schema.ts';
import { PartMapper } from './mapper.ts';
import { soundMessages } from './messages.ts';
import {
  mergeProviderOptions,
  parseCallSettings,
  type CallSettings,
  type ProviderOptions,
} from './call-settings.ts';
import type { Traits } from './traits.ts';
import type { LanguageModelV4, SdkPart } from './types.ts';

export interface CallOptions {
  /**
   * Called for each call; what it throws is told as the call's error. A model that sends its requests over the
   * network calls `sent` with the body, as text, once it is on its way.
   */
  load(sent: (body: string) => void, cacheKey?: string): Promise<LoadedModel>;
  /** Wording of whatever was thrown; never rejects. */
  fault(error: unknown, signal: AbortSignal): Promise<Fault>;
}

export interface LoadedModel {
  readonly model: LanguageModelV4;
  /** By provider; the request's own go over them. */
  readonly providerOptions?: ProviderOptions;
  /** Where the request says nothing else. */
  readonly settings?: CallSettings;
  /** Left out: it takes everything as it is. */
  readonly traits?: Traits;
}

/**
 * One call of a language model through the SDK, as the session's parts. This is the one file around
 * `experimental_streamLanguageModelCall`; the tests beside it hold the sequences that an upgrade must not change.
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
  let reader: ReadableStreamDefaultReader<SdkPart> | undefined;
  try {
    const opening = open(request, options);
    // After an abort nobody waits for these any more; their rejections must not surface.
    opening.then((stream) => signal.aborted && void stream.cancel().catch(ignore), ignore);
    const stream = await Promise.race([opening, aborted.promise]);
    if (stream === ABORTED) return;
    reader = stream.getReader();
    for (;;) {
      const reading = reader.read();
      reading.catch(ignore);
      const next = await Promise.race([reading, aborted.promise]);
      if (next === ABORTED) return;
      if (next.done) break;
      for (const part of await mapper.map(next.value)) {
        yield mended(part, request);
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

/** Numbers that could only be offered as text are numbers again, whoever offered them. */
function mended(part: StreamPart, { tools }: ModelRequest): StreamPart {
  if (part.type !== 'tool-call' || part.invalid) return part;
  const schema = tools.find(({ name }) => name === part.tool)?.schema;
  return { ...part, input: fromGemini(part.input, schema) };
}

/** {@link streamCall} as the port that the loop knows. */
export function sdkModel(ref: Model['ref'], options: CallOptions, facts: ModelFacts = {}): Model {
  return { ref, ...facts, stream: (request) => streamCall(request, options) };
}

const loadSdk = lazily(() => import('./sdk.ts'));

async function open(request: ModelRequest, options: CallOptions) {
  const [sdk, { model, providerOptions, settings: standing, traits }] = await Promise.all([
    loadSdk(),
    options.load((body) => request.onBody(body), request.cacheKey),
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
    ...standing,
    ...settings,
    ...(request.system && { instructions: instructions(request.system, traits) }),
    messages: traits ? fitMessages(soundMessages(request.messages), traits) : soundMessages(request.messages),
    ...(request.tools.length > 0 && { tools }),
    providerOptions: mergeProviderOptions(providerOptions, settings.providerOptions),
    abortSignal: request.signal,
    // Files are given as bytes; an address in a message must not make the page fetch it.
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
