import { FaultError } from '../../base/fault.ts';
import { pause, timeoutTimer, type Timer } from '../../base/timer.ts';
import { FAULT_TEXTS, fill } from '../../base/fault-texts.ts';
import type { LanguageModelV4, LanguageModelV4Prompt, LanguageModelV4StreamPart } from '../types.ts';
import { pieces, words } from './chunks.ts';
import type { ScriptPlan, ScriptMessage } from './plan.ts';
import type { RequestFacts } from './choice.ts';
import type { ScriptAnswer } from './schema.ts';

/** The `error` of a step, in the SDK's shape of an HTTP refusal. */
export class ScriptedRefusal extends Error {
  override readonly name = 'ScriptedRefusal';
  readonly statusCode: number;
  readonly responseHeaders: Readonly<Record<string, string>>;
  constructor({ status, retryAfter }: NonNullable<ScriptAnswer['error']>) {
    super(fill(FAULT_TEXTS.scriptStatus, { status }));
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
    doStream: async ({ prompt, tools = [], abortSignal = new AbortController().signal }) => {
      const names = tools.map(({ name }) => name);
      const asked = { spoken: scriptMessagesOf(prompt), facts: () => factsOf(prompt, names) };
      return { stream: toStream(await answer(plan, asked, modelId, abortSignal, timer)) };
    },
  };
}

/** A request as a script sees it. */
export interface ScriptRequest {
  readonly spoken: readonly ScriptMessage[];
  /** Called only where a script asks for more than the prompts. */
  facts(): Omit<RequestFacts, 'prompt'>;
}

/**
 * Resolves to the parts of the next step, as a stream. Rejects where the step is an error or does not exist; ends early on
 * abort, and where the step is cut.
 */
export async function answer(
  plan: ScriptPlan,
  { spoken, facts }: ScriptRequest,
  modelId: string,
  signal: AbortSignal,
  timer: Timer,
): Promise<AsyncGenerator<ScriptPart, void, undefined>> {
  const planned = plan.next(spoken, facts);
  if ('missing' in planned)
    throw new FaultError({
      code: 'script-exhausted',
      what: planned.missing,
      next: 'Add the step to the script, or start a new session.',
      retryable: false,
    });
  const { step, position, last } = planned;
  if (step.delayMs) await pause(timer, step.delayMs, signal);
  if (step.error) throw new ScriptedRefusal(step.error);
  return paced(step);

  async function* paced(step: ScriptAnswer): AsyncGenerator<ScriptPart, void, undefined> {
    const delay = step.chunkDelayMs ?? plan.script.chunkDelayMs;
    for (const part of cutParts(step, `${position.turn + 1}_${position.step + 1}`, modelId)) {
      if (delay > 0 && 'delta' in part) await pause(timer, delay, signal);
      if (signal.aborted) return;
      yield part;
    }
    if (last && step.cut === undefined) plan.completed(spoken);
  }
}

/** The parts of a step until the place where its stream breaks off. */
function* cutParts(step: ScriptAnswer, at: string, modelId: string): Generator<ScriptPart> {
  let left = step.cut ?? Infinity;
  for (const part of stepParts(step, at, modelId)) {
    if ('delta' in part) {
      const delta = part.delta.slice(0, left);
      if (delta) yield { ...part, delta };
      if (part.delta.length >= left) return;
      left -= part.delta.length;
    } else if (part.type === 'finish' && step.cut !== undefined) return;
    else yield part;
  }
}

function* stepParts(step: ScriptAnswer, at: string, modelId: string): Generator<ScriptPart> {
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
  for (const [index, { tool: toolName, input, raw }] of (step.tools ?? []).entries()) {
    const id = `call_${at}_${index + 1}`;
    const json = raw ?? JSON.stringify(input);
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

function factsOf(prompt: LanguageModelV4Prompt, tools: readonly string[]): Omit<RequestFacts, 'prompt'> {
  const system = prompt.flatMap((message) => (message.role === 'system' ? message.content : [])).join('\n');
  const since = prompt.slice(prompt.findLastIndex(({ role }) => role === 'assistant') + 1);
  const results = since.flatMap((message) => (message.role === 'tool' ? message.content : []));
  return { system, tools, results: results.map((part) => resultText(part)) };
}

/** The text of a result, as the model reads it; other forms as JSON. */
export function resultText(part: { readonly type: string }): string {
  if (!('output' in part) || typeof part.output !== 'object' || part.output === null) return '';
  const value: unknown = 'value' in part.output ? part.output.value : '';
  return typeof value === 'string' ? value : JSON.stringify(value);
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
