import { tellAfter } from '../tools/hooks.ts';
import { toolNamed } from '../tools/registry.ts';
import type { ReadyTool } from '../tools/tool.ts';
import { unknownToolText } from '../tools/validation.ts';
import { parseInput } from './call-input.ts';
import { badJsonText, callTexts } from './call-texts.ts';
import { CallRun, type CallDeps, type CallPlace, type CallRunDeps, type Ending } from './call-run.ts';
import { refusalBy } from './call-refusal.ts';
import type { Outcome } from './events.ts';
import { makeAtomicCalls, makeCalls } from './made-calls.ts';
import type { StepResult, StreamedCall } from './processor.ts';
import { askToGoOn, Repetitions } from './repetitions.ts';

export { Repetitions };

export interface StepCalls extends Omit<CallPlace, 'callID' | 'order'> {
  readonly result: StepResult;
  readonly tools: readonly ReadyTool[];
  /** The last step of its turn runs none. */
  readonly lastStep: boolean;
  /** Of the turn. */
  readonly repetitions: Repetitions;
  /** A call was refused without a word: the turn must be aborted, at once. */
  refused(): void;
}

/** A call in its row. `order` is its place among all calls of the message: asks are answered in that order. */
export interface RowCall extends StreamedCall {
  readonly order: number;
  /** What it comes to without being run. */
  readonly refusal?: Refusal;
}

/** Gives every call of a step exactly one result. Resolves when all have it and, unless the turn was aborted, that is on disk. */
export async function runCalls(deps: CallDeps, step: StepCalls): Promise<void> {
  const { signal, result } = step;
  const ids = step.tools.map(({ id }) => id);
  // What a call made may outlive it for a moment where the turn is aborted.
  const open: Promise<unknown>[] = [];
  const all: CallRunDeps = {
    ...deps,
    made(place, calls, atomic) {
      const refused = (call: RowCall) => 'text' in workOf(call, step, ids);
      const readOnly = (call: RowCall) => {
        const work = workOf(call, step, ids);
        return 'tool' in work && work.tool.readOnly;
      };
      const making = { deps: all, step, place, calls, refused, readOnly, runRow };
      const made = atomic ? makeAtomicCalls(making) : makeCalls(making);
      open.push(made);
      return made;
    },
  };
  step.repetitions.settle(deps.log.state.parts);
  await runRow(
    all,
    step,
    result.calls.map((call, order) => ({ ...call, order })),
  );
  await Promise.allSettled(open);
  if (!signal.aborted) await deps.log.barrier('relaxed');
}

/**
 * Runs calls side by side; how each ended. They start in their order, each once the one before it asks, runs or has
 * ended, so that questions come in that order too; then it waits for nobody but what it waits for itself.
 */
async function runRow(
  deps: CallRunDeps,
  step: StepCalls,
  calls: readonly RowCall[],
  ended: (ending: Ending) => void = () => undefined,
): Promise<readonly Ending[]> {
  const { messageID, agent, model, signal } = step;
  const { log } = deps;
  const end = (call: StreamedCall, outcome: Outcome, output: string): Ending => {
    const { callID } = call;
    const nothing = { title: '', metadata: {}, attachments: [] };
    if (deps.hooks.length > 0) {
      const told = { tool: call.tool, sessionID: log.state.sessionID, messageID, callID, agent };
      tellAfter(deps.hooks, { ...told, args: call.input ?? null, outcome, durationMs: 0 }, output);
    }
    log.append({ type: 'call.ended', messageID, callID, outcome, output, ...nothing });
    return { outcome, output };
  };
  /** Of a call that is not run. */
  const told = (call: StreamedCall, { outcome, text }: Refusal): Ending | Promise<Ending> => {
    const stepper = outcome === 'invalid' ? deps.stepper?.() : undefined;
    if (!stepper) return end(call, outcome, text);
    return stepper
      .result({ log, signal }, { messageID, callID: call.callID }, call.tool, { outcome, output: text })
      .then((output) => end(call, outcome, output));
  };
  const ids = step.tools.map(({ id }) => id);
  let before = Promise.resolve();
  const runOne = async (call: RowCall): Promise<Ending> => {
    const { callID, order } = call;
    const work = workOf(call, step, ids);
    if ('text' in work && work.outcome !== 'invalid') return end(call, work.outcome, work.text);
    const seen = step.repetitions.add({ messageID, callID, tool: call.tool, input: call.input ?? null });
    if ('text' in work && !seen) {
      // Where the person looks on, things come in their order.
      if (deps.stepper?.()) await before;
      return told(call, work);
    }
    const place = { messageID, callID, order, agent, model, signal };
    const start = before;
    const { promise: underWay, resolve: reach } = withResolvers();
    before = underWay;
    await start;
    if (seen) {
      const tool = 'tool' in work ? work.tool.id : call.tool;
      const answered = deps.gate.ask(askToGoOn(seen, tool), { ...place, tool });
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
    const stepper = deps.stepper?.();
    const edit =
      stepper && (await stepper.call({ log, signal }, { messageID, callID }, work.tool, call.input ?? {}));
    if (edit) {
      const parsed = edit.kind === 'input' ? parseInput(work.tool, edit.input) : undefined;
      if (!parsed?.ok) reach();
      if (edit.kind === 'answer') return end(call, edit.outcome, edit.output);
      if (parsed && !parsed.ok) return told(call, { outcome: 'invalid', text: parsed.message });
      if (parsed) input = parsed.input;
    }
    const run = new CallRun(deps, place, work.tool, input);
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

interface Refusal {
  readonly outcome: Outcome;
  readonly text: string;
}

type Work = { readonly tool: ReadyTool; readonly input: unknown } | Refusal;

/** What a call comes to: a tool and its parsed input, or the result that it gets without being run. */
function workOf(call: RowCall, step: StepCalls, ids: readonly string[]): Work {
  const refusal = call.refusal ?? refusalOf(call, step);
  if (refusal) return refusal;
  const tool = toolNamed(call.tool, step.tools);
  if (!tool) return { outcome: 'invalid', text: unknownToolText(call.tool, ids) };
  const parsed = parseInput(tool, call.input ?? {});
  return parsed.ok ? { tool, input: parsed.input } : { outcome: 'invalid', text: parsed.message };
}

/** Why a call is not run at all. */
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
  // Of the other invalid calls our own checks speak: what passes them is run.
  if (call.input === undefined) return { outcome: 'invalid', text: callTexts.incomplete };
  if (lastStep) return { outcome: 'cancelled', text: callTexts.stepLimit };
  return undefined;
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}
