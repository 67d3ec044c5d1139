import type { CallContext, CallRunContext, OrderedCall, StepCalls } from './types.ts';
import { workOf } from './call-work.ts';
import { makeAtomicCalls, makeCalls } from './nested-calls.ts';
import { runParallel } from './parallel-calls.ts';
import { Repetitions } from './repetitions.ts';

export { Repetitions };

/**
 * Gives every call of a step exactly one result. Resolves when all have one and, unless the turn was aborted,
 * the results are on disk.
 */
export async function runCalls(context: CallContext, step: StepCalls): Promise<void> {
  const { signal, result } = step;
  // If the turn is aborted, nested calls may outlive the call that made them for a moment.
  const open: Promise<unknown>[] = [];
  const all: CallRunContext = {
    ...context,
    runNested(info, calls, atomic) {
      const refused = (call: OrderedCall) => 'text' in workOf(call, step);
      const readOnly = (call: OrderedCall) => {
        const work = workOf(call, step);
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
