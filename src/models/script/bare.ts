import type { Fault } from '../../base/fault.ts';
import { timeoutTimer, type Timer } from '../../base/timer.ts';
import type { Json } from '../../base/json.ts';
import type { Model, ModelRequest } from '../../session/request/model.ts';
import type { StreamPart } from '../../session/log/parts.ts';
import { PartMapper, type CallPart } from '../mapper.ts';
import type { ModelMessage } from '../types.ts';
import type { ScriptPlan, ScriptMessage } from './plan.ts';
import type { RequestFacts } from './choice.ts';
import { answer, resultText, type ScriptPart } from './scripted.ts';

/**
 * A scripted model without the SDK, so that the demo can run before the SDK is loaded. A test checks that its parts are
 * the same as those that the SDK makes of the script.
 */
export function bareScriptedModel(
  ref: Model['ref'],
  plan: ScriptPlan,
  fault: (error: unknown, signal: AbortSignal) => Promise<Fault>,
  timer: Timer = timeoutTimer,
): Model {
  return { ref, stream: (request) => stream(request) };

  async function* stream(request: ModelRequest): AsyncGenerator<StreamPart, void, undefined> {
    const { signal } = request;
    const tools = new Set(request.tools.map((tool) => tool.name));
    const mapper = new PartMapper(tools, (error) => fault(error, signal), undefined);
    try {
      const asked = { spoken: scriptMessagesOf(request.messages), facts: () => factsOf(request) };
      for await (const part of await answer(plan, asked, ref.model, signal, timer)) {
        for (const mapped of await mapper.map(asCallPart(part))) {
          if (signal.aborted) return;
          yield mapped;
        }
      }
    } catch (error) {
      if (signal.aborted) return;
      yield await mapper.error(error);
    }
    if (!signal.aborted) yield* mapper.finish();
  }
}

/** Converts a model's part as the SDK does. */
function asCallPart(part: ScriptPart): CallPart {
  switch (part.type) {
    case 'stream-start':
      return { type: 'model-call-start', warnings: [] };
    case 'response-metadata':
      return { ...part, type: 'model-call-response-metadata' };
    case 'text-delta':
    case 'reasoning-delta':
      return { type: part.type, id: part.id, text: part.delta };
    case 'tool-call':
      return { ...part, dynamic: true, ...argumentsOf(part.input) };
    case 'finish':
      return { type: 'model-call-end', finishReason: part.finishReason.unified };
    default:
      return part;
  }
}

/** Arguments that cannot be parsed stay text, and make the call invalid. */
function argumentsOf(text: string): {
  readonly input: Json;
  readonly invalid?: true;
  readonly error?: unknown;
} {
  try {
    return { input: JSON.parse(text) as Json };
  } catch (error) {
    return { input: text, invalid: true, error };
  }
}

function factsOf({ system, messages, tools }: ModelRequest): Omit<RequestFacts, 'prompt'> {
  const since = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);
  const results = since.flatMap(({ role, content }) =>
    role === 'tool' && typeof content !== 'string' ? [...content] : [],
  );
  return { system, tools: tools.map(({ name }) => name), results: results.map((part) => resultText(part)) };
}

function scriptMessagesOf(messages: readonly ModelMessage[]): readonly ScriptMessage[] {
  return messages.flatMap((message): ScriptMessage[] => {
    if (message.role === 'assistant') return [{ by: 'model' }];
    if (message.role !== 'user') return [];
    if (typeof message.content === 'string') return [{ by: 'user', text: message.content }];
    const texts = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    return [{ by: 'user', text: texts.join('\n') }];
  });
}
