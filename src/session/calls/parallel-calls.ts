import { withResolvers } from '../../base/with-resolvers.ts';
import { notifyAfter } from '../../tools/hooks.ts';
import type { Repetition } from '../../permissions/types.ts';
import type { Outcome } from '../log/events.ts';
import type { StreamedCall } from '../turn/processor.ts';
import { parsedEdit } from './call-input.ts';
import { refusalBy } from './call-refusal.ts';
import { CallRun } from './call-run.ts';
import { workOf, type ReadyCall } from './call-work.ts';
import { askToGoOn } from './repetitions.ts';
import type { CallInfo, CallRunContext, Ending, OrderedCall, Refusal, StepCalls } from './types.ts';

/**
 * Runs calls side by side and returns how each ended. Each call starts once the one before it asks, runs or
 * has ended, so that questions come in order too. Then it waits only for what it needs itself.
 */
export async function runParallel(
  context: CallRunContext,
  step: StepCalls,
  calls: readonly OrderedCall[],
  ended: (ending: Ending) => void = () => undefined,
): Promise<readonly Ending[]> {
  const parallel = new ParallelCalls(context, step);
  return Promise.all(
    calls.map(async (call) => {
      const ending = await parallel.run(call);
      ended(ending);
      return ending;
    }),
  );
}

class ParallelCalls {
  readonly #context: CallRunContext;
  readonly #step: StepCalls;
  /** Resolves once the call before asks, runs or has ended. */
  #before = Promise.resolve();

  constructor(context: CallRunContext, step: StepCalls) {
    this.#context = context;
    this.#step = step;
  }

  async run(call: OrderedCall): Promise<Ending> {
    const work = workOf(call, this.#step);
    if ('text' in work && work.outcome !== 'invalid') return this.#end(call, work.outcome, work.text);
    const { messageID, repetitions } = this.#step;
    const { callID, tool } = call;
    const repetition = repetitions.add({ messageID, callID, tool, input: call.input ?? null });
    if ('text' in work && !repetition) {
      // A person who steps sees the calls in order.
      if (this.#stepper()) await this.#before;
      return this.#endUnrun(call, work);
    }
    const start = this.#before;
    const { promise: underWay, resolve: reach } = withResolvers<void>();
    this.#before = underWay;
    await start;
    if (repetition) {
      const named = 'tool' in work ? work.tool.id : tool;
      const refused = await this.#askToGoOn(call, repetition, named, reach);
      if (refused) return refused;
    }
    if ('text' in work) return this.#endUnrun(call, work);
    return this.#start(call, work, reach);
  }

  /** Asks the person about a loop that this call continues. Returns how the call ended if the person refused it. */
  async #askToGoOn(
    call: OrderedCall,
    repetition: Repetition,
    tool: string,
    reach: () => void,
  ): Promise<Ending | undefined> {
    const { session } = this.#context;
    const answered = session.gate.ask(askToGoOn(repetition, tool), { ...this.#infoOf(call), tool });
    reach();
    const refusal = await answered.then(
      () => undefined,
      (error: unknown) => refusalBy(error, this.#step.signal, false),
    );
    if (!refusal) return undefined;
    const ending = this.#end(call, refusal.outcome, refusal.output);
    if (refusal.endsTurn) this.#step.refused();
    return ending;
  }

  /** Lets a person who steps change or answer the call, then runs it. `reach` lets the next call start. */
  async #start(call: OrderedCall, work: ReadyCall, reach: () => void): Promise<Ending> {
    let { input } = work;
    const { messageID, signal } = this.#step;
    const { log } = this.#context.session;
    const at = { messageID, callID: call.callID };
    const stepper = this.#stepper();
    const edit = stepper && (await stepper.call({ log, signal }, at, work.tool, call.input ?? {}));
    if (edit) {
      const parsed = edit.kind === 'answer' ? undefined : parsedEdit(work.tool, edit);
      if (!parsed?.ok) reach();
      if (edit.kind === 'answer') return this.#end(call, edit.outcome, edit.output);
      if (parsed && !parsed.ok) return this.#endUnrun(call, { outcome: 'invalid', text: parsed.message });
      if (parsed) input = parsed.input;
    }
    const run = new CallRun(this.#context, this.#infoOf(call), work.tool, input);
    const { deps, snapshots } = this.#context.session;
    // Which of two calls is faster depends on the machine, so where time is made up each waits for the one before.
    if (!deps.clock.isMadeUp) void run.underWay.then(reach);
    const outcome = await run.run();
    await snapshots.settled();
    reach();
    if (outcome === 'refused') this.#step.refused();
    return run.ending ?? { outcome: 'cancelled', output: '' };
  }

  /** Ends a call that does not run; one with invalid arguments only once a person who steps continues. */
  async #endUnrun(call: StreamedCall, { outcome, text }: Refusal): Promise<Ending> {
    const stepper = outcome === 'invalid' ? this.#stepper() : undefined;
    if (!stepper) return this.#end(call, outcome, text);
    const { messageID, signal } = this.#step;
    const { log } = this.#context.session;
    const at = { messageID, callID: call.callID };
    const output = await stepper.result({ log, signal }, at, call.tool, { outcome, output: text });
    return this.#end(call, outcome, output);
  }

  #end(call: StreamedCall, outcome: Outcome, output: string): Ending {
    const { callID } = call;
    const { messageID, agent } = this.#step;
    const { log, hooks } = this.#context.session;
    if (hooks.length > 0) {
      const about = { tool: call.tool, sessionID: log.state.sessionID, messageID, callID, agent };
      notifyAfter(hooks, { ...about, args: call.input ?? null, outcome, durationMs: 0 }, output);
    }
    const nothing = { title: '', metadata: {}, attachments: [] };
    log.append({ type: 'call.ended', messageID, callID, outcome, output, ...nothing });
    return { outcome, output };
  }

  #infoOf({ callID, order }: OrderedCall): CallInfo {
    const { messageID, agent, model, signal } = this.#step;
    return { messageID, callID, order, agent, model, signal };
  }

  #stepper() {
    return this.#context.session.family.stepper();
  }
}
