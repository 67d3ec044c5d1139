import type { StepCalls, OrderedCall, Refusal } from './types.ts';
import { notifyAfter } from '../../tools/hooks.ts';
import { toolNamed } from '../../tools/registry.ts';
import type { ReadyTool } from '../../tools/tool.ts';
import { unknownToolText } from '../../tools/validation.ts';
import { parseInput } from './call-input.ts';
import { badJsonText, callTexts } from './call-texts.ts';
import { CallRun } from './call-run.ts';
import type { CallContext, CallRunContext, Ending } from './types.ts';
import { refusalBy } from './call-refusal.ts';
import type { Outcome } from '../log/events.ts';
import { makeAtomicCalls, makeCalls } from './nested-calls.ts';
import type { StreamedCall } from '../turn/processor.ts';
import { askToGoOn, Repetitions } from './repetitions.ts';

export { Repetitions };

/**
 * Gives every call of a step exactly one result. Resolves when all have one and, unless the turn was aborted,
 * the results are on disk.
 */
export async function runCalls(context: CallContext, step: StepCalls): Promise<void> {
  const { signal, result } = step;
  const ids = step.tools.map(({ id }) => id);
  // If the turn is aborted, nested calls may outlive the call that made them for a moment.
  const open: Promise<unknown>[] = [];
  const all: CallRunContext = {
    ...context,
    runNested(info, calls, atomic) {
      const refused = (call: OrderedCall) => 'text' in workOf(call, step, ids);
      const readOnly = (call: OrderedCall) => {
        const work = workOf(call, step, ids);
        return 'tool' in work && work.tool.readOnly;
      };
      const making = { context: all, step, info, calls, refused, readOnly, runParallel };
      const made = atomic ? makeAtomicCalls(making) : makeCalls(making);
      open.push(made);
      return made;
    },
  };
  step.repetitions.settle(context.session.log.state.parts);
  await runParallel(
    all,
    step,
    result.calls.map((call, order) => ({ ...call, order })),
  );
  await Promise.allSettled(open);
  if (!signal.aborted) await context.session.log.barrier('relaxed');
}

/**
 * Runs calls side by side and returns how each ended. Each call starts once the one before it asks, runs or
 * has ended, so that questions come in order too. Then it waits only for what it needs itself.
 */
async function runParallel(
  context: CallRunContext,
  step: StepCalls,
  calls: readonly OrderedCall[],
  ended: (ending: Ending) => void = () => undefined,
): Promise<readonly Ending[]> {
  const { messageID, agent, model, signal } = step;
  const { session } = context;
  const { log } = session;
  const end = (call: StreamedCall, outcome: Outcome, output: string): Ending => {
    const { callID } = call;
    const nothing = { title: '', metadata: {}, attachments: [] };
    if (session.hooks.length > 0) {
      const told = { tool: call.tool, sessionID: log.state.sessionID, messageID, callID, agent };
      notifyAfter(session.hooks, { ...told, args: call.input ?? null, outcome, durationMs: 0 }, output);
    }
    log.append({ type: 'call.ended', messageID, callID, outcome, output, ...nothing });
    return { outcome, output };
  };
  /** Ends a call that does not run, once the stepper continues. */
  const told = (call: StreamedCall, { outcome, text }: Refusal): Ending | Promise<Ending> => {
    const stepper = outcome === 'invalid' ? session.family.stepper() : undefined;
    if (!stepper) return end(call, outcome, text);
    return stepper
      .result({ log, signal }, { messageID, callID: call.callID }, call.tool, { outcome, output: text })
      .then((output) => end(call, outcome, output));
  };
  const ids = step.tools.map(({ id }) => id);
  let before = Promise.resolve();
  const runOne = async (call: OrderedCall): Promise<Ending> => {
    const { callID, order } = call;
    const work = workOf(call, step, ids);
    if ('text' in work && work.outcome !== 'invalid') return end(call, work.outcome, work.text);
    const seen = step.repetitions.add({ messageID, callID, tool: call.tool, input: call.input ?? null });
    if ('text' in work && !seen) {
      // A person who steps sees the calls in order.
      if (session.family.stepper()) await before;
      return told(call, work);
    }
    const info = { messageID, callID, order, agent, model, signal };
    const start = before;
    const { promise: underWay, resolve: reach } = withResolvers();
    before = underWay;
    await start;
    if (seen) {
      const tool = 'tool' in work ? work.tool.id : call.tool;
      const answered = session.gate.ask(askToGoOn(seen, tool), { ...info, tool });
      reach();
      const refusal = await answered.then(
        () => undefined,
        (error: unknown) => refusalBy(error, signal, false),
      );
      if (refusal?.endsTurn) {
        const ended = end(call, refusal.outcome, refusal.output);
        step.refused();
        return ended;
      }
      if (refusal) return end(call, refusal.outcome, refusal.output);
    }
    if ('text' in work) return told(call, work);
    let { input } = work;
    const stepper = session.family.stepper();
    const edit =
      stepper && (await stepper.call({ log, signal }, { messageID, callID }, work.tool, call.input ?? {}));
    if (edit) {
      const parsed = edit.kind === 'input' ? parseInput(work.tool, edit.input) : undefined;
      if (!parsed?.ok) reach();
      if (edit.kind === 'answer') return end(call, edit.outcome, edit.output);
      if (parsed && !parsed.ok) return told(call, { outcome: 'invalid', text: parsed.message });
      if (parsed) input = parsed.input;
    }
    const run = new CallRun(context, info, work.tool, input);
    void run.underWay.then(reach);
    const outcome = await run.run();
    if (outcome === 'refused') step.refused();
    return run.ending ?? { outcome: 'cancelled', output: '' };
  };
  return Promise.all(
    calls.map(async (call) => {
      const ending = await runOne(call);
      ended(ending);
      return ending;
    }),
  );
}

type Work = { readonly tool: ReadyTool; readonly input: unknown } | Refusal;

/** Finds the tool and parses the input of a call, or returns the result that it gets without running. */
function workOf(call: OrderedCall, step: StepCalls, ids: readonly string[]): Work {
  const refusal = call.refusal ?? refusalOf(call, step);
  if (refusal) return refusal;
  const tool = toolNamed(call.tool, step.tools);
  if (!tool) return { outcome: 'invalid', text: unknownToolText(call.tool, ids) };
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

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}
