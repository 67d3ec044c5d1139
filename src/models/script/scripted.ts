import { FaultError } from '../../base/fault.ts';
import { pause, timeoutTimer, type Timer } from '../../base/timer.ts';
import type { LanguageModelV4, LanguageModelV4Prompt, LanguageModelV4StreamPart } from '../types.ts';
import { pieces, words } from './chunks.ts';
import type { ScriptPlan, ScriptMessage } from './plan.ts';
import type { ScriptStep } from './schema.ts';

/** The `error` of a step, in the SDK's shape of an HTTP refusal. */
export class ScriptedRefusal extends Error {
  override readonly name = 'ScriptedRefusal';
  readonly statusCode: number;
  readonly responseHeaders: Readonly<Record<string, string>>;
  constructor({ status, retryAfter }: NonNullable<ScriptStep['error']>) {
    super(`The script answers with status ${status}.`);
    this.statusCode = status;
    this.responseHeaders = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  }
}

/** The stream parts that a script can produce. */
export type ScriptPart = Extract<
  LanguageModelV4StreamPart,
  {
    type:
      | 'stream-start'
      | 'response-metadata'
      | 'reasoning-start'
      | 'reasoning-delta'
      | 'reasoning-end'
      | 'text-start'
      | 'text-delta'
      | 'text-end'
      | 'tool-input-start'
      | 'tool-input-delta'
      | 'tool-input-end'
      | 'tool-call'
      | 'finish';
  }
>;

/** A script as a language model of the SDK, so that it goes through the same call as any provider. */
export function scriptedLanguageModel(
  plan: ScriptPlan,
  modelId: string,
  timer: Timer = timeoutTimer,
): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'scripted',
    modelId,
    supportedUrls: {},
    doGenerate: async () => {
      throw new FaultError({ code: 'unsupported', what: 'A scripted model only supports streaming.' });
    },
    doStream: async ({ prompt, abortSignal = new AbortController().signal }) => ({
      stream: toStream(answer(plan, scriptMessagesOf(prompt), modelId, abortSignal, timer)),
    }),
  };
}

/** Yields the parts of the next step. Throws where the step is an error or does not exist; ends early on abort. */
export function answer(
  plan: ScriptPlan,
  spoken: readonly ScriptMessage[],
  modelId: string,
  signal: AbortSignal,
  timer: Timer,
): AsyncGenerator<ScriptPart, void, undefined> {
  const planned = plan.next(spoken);
  if ('missing' in planned)
    throw new FaultError({
      code: 'script-exhausted',
      what: planned.missing,
      next: 'Add the step to the script, or start a new session.',
      retryable: false,
    });
  const { step, position, last } = planned;
  if (step.error) throw new ScriptedRefusal(step.error);
  return paced(step);

  async function* paced(step: ScriptStep): AsyncGenerator<ScriptPart, void, undefined> {
    for (const part of stepParts(step, `${position.turn + 1}_${position.step + 1}`, modelId)) {
      if (plan.script.chunkDelayMs > 0 && 'delta' in part)
        await pause(timer, plan.script.chunkDelayMs, signal);
      if (signal.aborted) return;
      yield part;
    }
    if (last) plan.completed(spoken);
  }
}

function* stepParts(step: ScriptStep, at: string, modelId: string): Generator<ScriptPart> {
  yield { type: 'stream-start', warnings: [] };
  yield { type: 'response-metadata', id: `script_${at}`, modelId };
  if (step.reasoning) {
    const id = 'reasoning';
    yield { type: 'reasoning-start', id };
    for (const delta of words(step.reasoning)) yield { type: 'reasoning-delta', id, delta };
    yield { type: 'reasoning-end', id };
  }
  if (step.text) {
    const id = 'text';
    yield { type: 'text-start', id };
    for (const delta of words(step.text)) yield { type: 'text-delta', id, delta };
    yield { type: 'text-end', id };
  }
  for (const [index, { tool: toolName, input }] of (step.tools ?? []).entries()) {
    const id = `call_${at}_${index + 1}`;
    const json = JSON.stringify(input);
    yield { type: 'tool-input-start', id, toolName };
    for (const delta of pieces(json)) yield { type: 'tool-input-delta', id, delta };
    yield { type: 'tool-input-end', id };
    yield { type: 'tool-call', toolCallId: id, toolName, input: json };
  }
  yield {
    type: 'finish',
    finishReason: { unified: step.tools?.length ? 'tool-calls' : 'stop', raw: undefined },
    usage: NO_USAGE,
  };
}

const NO_USAGE = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

function scriptMessagesOf(prompt: LanguageModelV4Prompt): readonly ScriptMessage[] {
  return prompt.flatMap((message): ScriptMessage[] => {
    if (message.role === 'assistant') return [{ by: 'model' }];
    if (message.role !== 'user') return [];
    return [
      {
        by: 'user',
        text: message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'),
      },
    ];
  });
}

function toStream<T>(parts: AsyncGenerator<T, void, undefined>): ReadableStream<T> {
  return new ReadableStream<T>({
    async pull(controller) {
      const next = await parts.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    cancel: async () => void (await parts.return()),
  });
}
