import type { Fault } from '../../base/fault.ts';
import { timeoutTimer, type Timer } from '../../base/timer.ts';
import type { Json } from '../../base/json.ts';
import type { Model, ModelRequest } from '../../session/model.ts';
import type { StreamPart } from '../../session/parts.ts';
import { PartMapper, type CallPart } from '../mapper.ts';
import type { ModelMessage } from '../types.ts';
import type { ScriptPlan, Spoken } from './plan.ts';
import { answer, type ScriptPart } from './scripted.ts';

/**
 * A script as the port that the loop knows, without the SDK: the demo runs before that is loaded, or never loads it.
 * A test holds that its parts are those that the SDK makes of the same script.
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
      for await (const part of answer(plan, spokenIn(request.messages), ref.model, signal, timer)) {
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

/** What the SDK makes of a model's parts. */
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
      return { ...part, input: JSON.parse(part.input) as Json, dynamic: true };
    case 'finish':
      return { type: 'model-call-end', finishReason: part.finishReason.unified };
    default:
      return part;
  }
}

function spokenIn(messages: readonly ModelMessage[]): readonly Spoken[] {
  return messages.flatMap((message): Spoken[] => {
    if (message.role === 'assistant') return [{ by: 'model' }];
    if (message.role !== 'user') return [];
    if (typeof message.content === 'string') return [{ by: 'user', text: message.content }];
    const texts = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    return [{ by: 'user', text: texts.join('\n') }];
  });
}
