import { FaultError, faultOf } from '../../base/fault.ts';
import { jsonObjectSchema } from '../../base/json.ts';
import type { Model, ToolSpec } from '../../session/model.ts';
import { sdkModel } from '../call.ts';
import { pieces, words } from '../script/chunks.ts';
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '../types.ts';
import type { YouAnswer, YouDesk } from './desk.ts';
import { rawRequest, seenMessages } from './seen.ts';

/** The person as the model `ref`: the same call, through the SDK, as any provider's. */
export function youModel(ref: Model['ref'], desk: Pick<YouDesk, 'ask'>): Model {
  return sdkModel(ref, {
    load: async (_sent, sessionID = '') => ({ model: youLanguageModel(desk, ref.model, sessionID) }),
    fault: async (error) => faultOf(error, 'model-failed'),
  });
}

/** The person as a language model of the SDK: waits for each answer as a provider's model waits for the network. */
export function youLanguageModel(
  desk: Pick<YouDesk, 'ask'>,
  modelId: string,
  sessionID: string,
): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'you',
    modelId,
    supportedUrls: {},
    doGenerate: async () => {
      throw new FaultError({ code: 'unsupported', what: 'A person as the model only streams.' });
    },
    async doStream(options) {
      const { prompt, tools = [], abortSignal = new AbortController().signal } = options;
      const asked = {
        sessionID,
        messages: seenMessages(prompt),
        tools: tools.flatMap(specOf),
        raw: () => rawRequest({ prompt, tools }),
      };
      const answer = await desk.ask(asked, abortSignal);
      const step = prompt.filter(({ role }) => role === 'assistant').length + 1;
      return { stream: streamOf([...answerParts(answer, step, modelId)]) };
    },
  };
}

function specOf(tool: NonNullable<LanguageModelV4CallOptions['tools']>[number]): ToolSpec[] {
  if (tool.type !== 'function') return [];
  const schema = jsonObjectSchema.safeParse(tool.inputSchema);
  const { name, description = '' } = tool;
  return [{ name, description, schema: schema.success ? schema.data : {} }];
}

function* answerParts(
  { text, calls }: YouAnswer,
  step: number,
  modelId: string,
): Generator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings: [] };
  yield { type: 'response-metadata', id: `you_${step}`, modelId };
  if (text) {
    const id = 'text';
    yield { type: 'text-start', id };
    for (const delta of words(text)) yield { type: 'text-delta', id, delta };
    yield { type: 'text-end', id };
  }
  for (const [index, { tool: toolName, args }] of calls.entries()) {
    const id = `call_${step}_${index + 1}`;
    yield { type: 'tool-input-start', id, toolName };
    for (const delta of pieces(args)) yield { type: 'tool-input-delta', id, delta };
    yield { type: 'tool-input-end', id };
    yield { type: 'tool-call', toolCallId: id, toolName, input: args };
  }
  const unified = calls.length > 0 ? 'tool-calls' : 'stop';
  yield { type: 'finish', finishReason: { unified, raw: undefined }, usage: NO_USAGE };
}

const NO_USAGE = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

function streamOf<T>(parts: readonly T[]): ReadableStream<T> {
  return new ReadableStream<T>({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}
