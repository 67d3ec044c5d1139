import { toolNamed } from '../../tools/registry.ts';
import type { ReadyTool } from '../../tools/tool.ts';
import { unknownToolText } from '../../tools/validation.ts';
import type { StreamedCall } from '../turn/processor.ts';
import { parseInput } from './call-input.ts';
import { badJsonText, callTexts } from './call-texts.ts';
import type { OrderedCall, Refusal, StepCalls } from './types.ts';

/** A call that can run, with its checked input. */
export interface ReadyCall {
  readonly tool: ReadyTool;
  readonly input: unknown;
}

/** Finds the tool and parses the input of a call, or returns the result that it gets without running. */
export function workOf(call: OrderedCall, step: StepCalls): ReadyCall | Refusal {
  const refusal = call.refusal ?? refusalOf(call, step);
  if (refusal) return refusal;
  const tool = toolNamed(call.tool, step.tools);
  if (!tool)
    return {
      outcome: 'invalid',
      text: unknownToolText(
        call.tool,
        step.tools.map(({ id }) => id),
      ),
    };
  const parsed = parseInput(tool, call.input ?? {});
  return parsed.ok ? { tool, input: parsed.input } : { outcome: 'invalid', text: parsed.message };
}

/** The reason why a call cannot run at all. */
function refusalOf(call: StreamedCall, { result, lastStep }: StepCalls): Refusal | undefined {
  if (result.aborted) return { outcome: 'cancelled', text: callTexts.stoppedBefore };
  if (result.reason === 'error') return { outcome: 'cancelled', text: callTexts.failedStep };
  if (result.reason === 'length') return { outcome: 'cancelled', text: callTexts.cutAtLength };
  if (result.reason === 'content-filter') return { outcome: 'cancelled', text: callTexts.filtered };
  if (call.invalid?.reason === 'bad-json') {
    const raw = typeof call.input === 'string' ? call.input : JSON.stringify(call.input ?? '');
    return { outcome: 'invalid', text: badJsonText(call.tool, raw) };
  }
  if (call.invalid?.reason === 'too-deep') return { outcome: 'invalid', text: callTexts.tooDeep };
  // Our own checks decide about other invalid calls: a call that passes them runs.
  if (call.input === undefined) return { outcome: 'invalid', text: callTexts.incomplete };
  if (lastStep) return { outcome: 'cancelled', text: callTexts.stepLimit };
  return undefined;
}
