import { FaultError, faultOf } from '../../base/fault.ts';
import type { Model } from '../../session/request/model.ts';
import { sdkModel } from '../call.ts';
import { pieces, words } from '../script/chunks.ts';
import { toolSpecs } from '../tool-specs.ts';
import type { LanguageModelV4, LanguageModelV4StreamPart } from '../types.ts';
import type { YouAnswer, YouQueue } from './queue.ts';
import { rawRequest, seenMessages } from './seen.ts';

/** The person as the model `ref`; calls go through the SDK as they do for any provider. */
export function youModel(ref: Model['ref'], queue: Pick<YouQueue, 'ask'>): Model {
  return sdkModel(ref, {
    load: async (_sent, sessionID = '') => ({ model: youLanguageModel(queue, ref.model, sessionID) }),
    fault: async (error) => faultOf(error, 'model-failed'),
  });
}

/** The person as a language model of the SDK. It waits for each answer as other models wait for the network. */
export function youLanguageModel(
  queue: Pick<YouQueue, 'ask'>,
  modelId: string,
  sessionID: string,
): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'you',
    modelId,
    supportedUrls: {},
    doGenerate: async () => {
      throw new FaultError({
        code: 'unsupported',
        what: 'A person who answers as the model only supports streaming.',
      });
    },
    async doStream(options) {
      const { prompt, tools = [], abortSignal = new AbortController().signal } = options;
      const request = {
        sessionID,
        messages: seenMessages(prompt),
        tools: toolSpecs(tools),
        raw: () => rawRequest({ prompt, tools }),
      };
      const answer = await queue.ask(request, abortSignal);
      const step = prompt.filter(({ role }) => role === 'assistant').length + 1;
      return { stream: streamOf([...answerParts(answer, step, modelId)]) };
    },
  };
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
