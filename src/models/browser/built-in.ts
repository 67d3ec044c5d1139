import { isObject } from '../../base/json.ts';
import { FaultError } from '../../base/fault.ts';
import type { Model } from '../../session/request/model.ts';
import { sdkModel } from '../call.ts';
import { toolSpecs } from '../tool-specs.ts';
import type { LanguageModelV4, LanguageModelV4StreamPart } from '../types.ts';
import { AnswerReader, type ParsePartial } from './answer.ts';
import { answerSchema } from './answer-schema.ts';
import { conversationOf, type Conversation } from './conversation.ts';
import { availabilityFault, NO_API, promptFault } from './faults.ts';
import { LANGUAGES, promptAPI, type PromptAPI, type PromptSession } from './prompt-api.ts';

/** Matches no media type: the model is asked for text alone. */
const NO_FILES = /^$/;

/** A model of the provider `browser`: the browser's own, or one that runs in the tab. */
export async function browserModel(ref: Model['ref']): Promise<Model> {
  if (ref.model === 'built-in') return builtInModel(ref);
  const { tabModel } = await import('../../engine/tab-model.ts');
  const { api, contextLimit } = tabModel(ref.model);
  return smallModel(ref, api, { contextLimit });
}

/** The language model of the browser itself as the model `ref`. */
export async function builtInModel(ref: Model['ref'], api = promptAPI()): Promise<Model> {
  return smallModel(ref, api, await contextLimitOf(api));
}

/** Its context is small, so it gets a short system prompt and few tools, and makes at most one call in a step. */
function smallModel(
  ref: Model['ref'],
  api: PromptAPI | undefined,
  limits: { readonly contextLimit?: number },
): Model {
  return sdkModel(
    ref,
    {
      load: async (sent) => {
        const { parsePartialJson } = await import('../sdk.ts');
        const parse: ParsePartial = async (text) => {
          const { value } = await parsePartialJson(text);
          return isObject(value) ? value : undefined;
        };
        return {
          model: builtInLanguageModel(api, parse, ref.model, sent),
          traits: { files: NO_FILES, filesInResults: false, withoutReasoning: true },
        };
      },
      fault: async (error) => promptFault(error),
    },
    { isSmall: true, seesNoPictures: true, ...limits },
  );
}

/** How many tokens fit into a session, by the API that told it. */
const contextLimits = new WeakMap<PromptAPI, number>();

/**
 * Only a session tells how many tokens fit, so one is created for that, once in a page. Without a model there is none,
 * and the first call says why.
 */
async function contextLimitOf(api: PromptAPI | undefined): Promise<{ readonly contextLimit?: number }> {
  if (!api) return {};
  const known = contextLimits.get(api);
  if (known !== undefined) return { contextLimit: known };
  try {
    if ((await api.availability(LANGUAGES)) !== 'available') return {};
    const session = await api.create(LANGUAGES);
    const { contextWindow: contextLimit } = session;
    session.destroy();
    if (!Number.isFinite(contextLimit)) return {};
    contextLimits.set(api, contextLimit);
    return { contextLimit };
  } catch {
    return {};
  }
}

/** `sent` is called with what the browser is given, as JSON. */
export function builtInLanguageModel(
  api: PromptAPI | undefined,
  parse: ParsePartial,
  modelId: string,
  sent: (body: string) => void = () => undefined,
): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'browser',
    modelId,
    supportedUrls: {},
    doGenerate: async () => {
      throw new FaultError({
        code: 'unsupported',
        what: 'The model of the browser only supports streaming.',
      });
    },
    async doStream({ prompt, tools = [], abortSignal = new AbortController().signal }) {
      if (!api) throw new FaultError(NO_API);
      const fault = availabilityFault(await api.availability(LANGUAGES));
      if (fault) throw new FaultError(fault);
      const specs = toolSpecs(tools);
      const conversation = conversationOf(prompt, specs);
      const responseConstraint = specs.length > 0 ? answerSchema(specs) : undefined;
      sent(JSON.stringify({ ...conversation, ...(responseConstraint && { responseConstraint }) }));
      const { initialPrompts } = conversation;
      const session = await api.create({ ...LANGUAGES, initialPrompts, signal: abortSignal });
      const step = prompt.filter(({ role }) => role === 'assistant').length + 1;
      const parts = answerParts(session, conversation, {
        responseConstraint,
        signal: abortSignal,
        reader: new AnswerReader(parse, `call_${step}`, specs),
      });
      return { stream: streamOf(parts, session) };
    },
  };
}

interface Answering {
  readonly responseConstraint: object | undefined;
  readonly signal: AbortSignal;
  readonly reader: AnswerReader;
}

async function* answerParts(
  session: PromptSession,
  { prompt }: Conversation,
  { responseConstraint, signal, reader }: Answering,
): AsyncGenerator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings: [] };
  let isConstrained = responseConstraint !== undefined;
  const input = session.contextUsage + (await measured(session, prompt, signal));
  const constraint = responseConstraint && { responseConstraint };
  let chunks = session.promptStreaming(prompt, { signal, ...constraint }).getReader();
  for (;;) {
    try {
      const { done, value } = await chunks.read();
      if (done) break;
      isConstrained = false;
      yield* await reader.add(value);
    } catch (error) {
      // An engine that cannot hold answers to this schema says so before the first word.
      if (!isConstrained || !(error instanceof DOMException) || error.name !== 'NotSupportedError')
        throw error;
      isConstrained = false;
      chunks = session.promptStreaming(prompt, { signal }).getReader();
    }
  }
  const { parts, calls } = await reader.end();
  yield* parts;
  const finishReason = { unified: calls ? 'tool-calls' : 'stop', raw: undefined } as const;
  yield { type: 'finish', finishReason, usage: usageOf(input, session.contextUsage - input) };
}

/** A count that the engine does not give is left out; no answer fails for that. */
async function measured(
  session: PromptSession,
  prompt: Conversation['prompt'],
  signal: AbortSignal,
): Promise<number> {
  try {
    return await session.measureContextUsage(prompt, { signal });
  } catch {
    return NaN;
  }
}

function usageOf(input: number, output: number) {
  const total = (count: number) => (Number.isFinite(count) && count >= 0 ? Math.round(count) : undefined);
  return {
    inputTokens: { total: total(input), noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: total(output), text: undefined, reasoning: undefined },
  };
}

/** Ends the session with the stream, so that the browser can let its memory go. */
function streamOf<T>(parts: AsyncGenerator<T>, session: PromptSession): ReadableStream<T> {
  return new ReadableStream<T>({
    async pull(controller) {
      try {
        const { done, value } = await parts.next();
        if (!done) return controller.enqueue(value);
        session.destroy();
        controller.close();
      } catch (error) {
        session.destroy();
        controller.error(error);
      }
    },
    cancel: () => session.destroy(),
  });
}
