import { resolveName } from '../tools/registry.ts';
import type { ParsedInput, ReadyTool } from '../tools/tool.ts';
import { unknownToolText } from '../tools/validation.ts';
import { badJsonText, callTexts } from './call-texts.ts';
import { CallRun, type CallDeps, type CallPlace } from './call-run.ts';
import type { Outcome } from './events.ts';
import type { StepResult, StreamedCall } from './processor.ts';

export interface StepCalls extends Omit<CallPlace, 'callID' | 'order'> {
  readonly result: StepResult;
  readonly tools: readonly ReadyTool[];
  /** The last step of its turn runs none. */
  readonly lastStep: boolean;
  /** A call was refused without a word: the turn must be aborted, at once. */
  refused(): void;
}

/**
 * Gives every call of a step exactly one result. Calls start in message order, each once the one before it asks, runs
 * or has ended, so that questions come in message order too; then it waits for nobody but what it waits for itself. Resolves when all have their result and, unless the turn was aborted, that is on disk.
 */
export async function runCalls(deps: CallDeps, step: StepCalls): Promise<void> {
  const { messageID, agent, model, signal, result } = step;
  const { log } = deps;
  const end = (call: StreamedCall, outcome: Outcome, output: string) => {
    const { callID } = call;
    const nothing = { title: '', metadata: {}, attachments: [] };
    log.append({ type: 'call.ended', messageID, callID, outcome, output, ...nothing });
  };
  const ids = step.tools.map(({ id }) => id);
  let before = Promise.resolve();
  const running = result.calls.map(async (call, order) => {
    const refusal = refusalOf(call, step);
    if (refusal) return end(call, refusal.outcome, refusal.text);
    const named = resolveName(call.tool, ids);
    const tool = named.ok && step.tools.find(({ id }) => id === named.id);
    if (!tool) return end(call, 'invalid', unknownToolText(call.tool, ids));
    const parsed = parse(tool, call);
    if (!parsed.ok) return end(call, 'invalid', parsed.message);
    const place = { messageID, callID: call.callID, order, agent, model, signal };
    const run = new CallRun(deps, place, tool, parsed.input);
    const start = before;
    before = run.underWay;
    await start;
    const outcome = await run.run();
    if (outcome === 'refused') step.refused();
  });
  await Promise.all(running);
  if (!signal.aborted) await log.barrier('relaxed');
}

/** Why a call is not run at all. */
function refusalOf(
  call: StreamedCall,
  { result, lastStep }: StepCalls,
): { outcome: Outcome; text: string } | undefined {
  if (result.aborted) return { outcome: 'cancelled', text: callTexts.stoppedBefore };
  if (result.reason === 'error') return { outcome: 'cancelled', text: callTexts.failedStep };
  if (result.reason === 'length') return { outcome: 'cancelled', text: callTexts.cutAtLength };
  if (result.reason === 'content-filter') return { outcome: 'cancelled', text: callTexts.filtered };
  if (call.invalid?.reason === 'bad-json') {
    const raw = typeof call.input === 'string' ? call.input : JSON.stringify(call.input ?? '');
    return { outcome: 'invalid', text: badJsonText(call.tool, raw) };
  }
  if (call.invalid?.reason === 'too-deep') return { outcome: 'invalid', text: callTexts.tooDeep };
  // Of the other invalid calls our own checks speak: what passes them is run.
  if (call.input === undefined) return { outcome: 'invalid', text: callTexts.incomplete };
  if (lastStep) return { outcome: 'cancelled', text: callTexts.stepLimit };
  return undefined;
}

function parse(tool: ReadyTool, call: StreamedCall): ParsedInput {
  try {
    return tool.parse(call.input ?? {});
  } catch {
    // A schema of someone else's may throw, and its words may repeat the input.
    return { ok: false, message: `The arguments for '${tool.id}' could not be checked against its schema.` };
  }
}
