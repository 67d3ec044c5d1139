import type { Fault } from '../../base/fault.ts';
import { PermissionCancelled } from '../../permissions/types.ts';
import type { NestedCall, NestedCallResult, NestedCallResults, Undone } from '../../tools/tool.ts';
import { AtomicFiles } from './atomic-files.ts';
import { callTexts } from './call-texts.ts';
import { BATCH_FAILED } from './call-refusal.ts';
import type { CallInfo, CallRunContext, Ending } from './types.ts';
import type { OrderedCall, StepCalls } from './types.ts';
import { PathLocks } from './path-locks.ts';

export interface Making {
  readonly context: CallRunContext;
  readonly step: StepCalls;
  /** The call that makes the nested calls. */
  readonly info: CallInfo;
  readonly calls: readonly NestedCall[];
  /** Whether a call must be answered without running. */
  refused(call: OrderedCall): boolean;
  /** Whether the call's tool declares that it changes nothing. */
  readOnly(call: OrderedCall): boolean;
  runParallel(
    context: CallRunContext,
    step: StepCalls,
    calls: readonly OrderedCall[],
    ended?: (ending: Ending) => void,
  ): Promise<readonly Ending[]>;
}

/** The tool that makes calls of its own. */
const BATCH = 'batch';
/** Tools that start agents, which make calls of their own. */
const AGENTS: ReadonlySet<string> = new Set(['task', 'background_task']);

/** Runs the calls that a call makes. Each becomes a part of the message, and runs like the model's own. */
export async function makeCalls(making: Making): Promise<NestedCallResults> {
  const row = rowOf(making, false);
  add(making, row);
  return { results: resultsOf(row, await making.runParallel(making.context, making.step, row)) };
}

/**
 * Runs calls that must all succeed, otherwise every file is restored. Meanwhile no other call of this
 * workspace changes a file.
 */
export async function makeAtomicCalls(making: Making): Promise<NestedCallResults> {
  const { context, step, info, runParallel } = making;
  const row = rowOf(making, true);
  if (row.some((call) => making.refused(call))) {
    add(making, row);
    const text = { outcome: 'cancelled' as const, text: callTexts.batchInvalid };
    const none = row.map((call) => (making.refused(call) ? call : { ...call, refusal: text }));
    return { results: resultsOf(none, await runParallel(context, step, none)), undone: { paths: [] } };
  }
  const release = await context.locks.acquireAll(info.signal);
  try {
    const files = await AtomicFiles.begin(context);
    if (info.signal.aborted) {
      files.letGo();
      throw new PermissionCancelled();
    }
    add(making, row);
    const failing = new AbortController();
    const signal = AbortSignal.any([info.signal, failing.signal]);
    const { workspace, reads } = files;
    const apart = { ...context, workspace, reads, locks: new PathLocks() };
    const endings = await runParallel(apart, { ...step, signal }, row, ({ outcome }) => {
      if (outcome !== 'ok') failing.abort(BATCH_FAILED);
    });
    const results = resultsOf(row, endings);
    if (endings.every(({ outcome }) => outcome === 'ok')) {
      files.keep();
      return { results };
    }
    const undone = await files.undo();
    // The call has ended by then and cannot report the fault itself.
    if (undone.fault && info.signal.aborted) context.session.problem(notPutBack(undone));
    return { results, undone };
  } finally {
    release();
  }
}

function notPutBack({ paths, fault }: Undone): Fault {
  return {
    code: 'batch-not-undone',
    what: `Files of a batch that was stopped could not all be put back: ${fault?.what ?? ''}`,
    ...(paths.length > 0 && { where: paths.join(', ') }),
    next: 'Look at these files: they may still be changed.',
  };
}

function rowOf({ info, calls }: Making, atomic: boolean): readonly OrderedCall[] {
  return calls.map(({ tool, args }, index) => {
    const text = refusalOf(tool, atomic);
    return {
      callID: `${info.callID}.${index + 1}`,
      tool,
      input: args,
      order: info.order + (index + 1) / (calls.length + 1),
      ...(text !== undefined && { refusal: { outcome: 'invalid' as const, text } }),
    };
  });
}

function refusalOf(tool: string, atomic: boolean): string | undefined {
  const name = tool.toLowerCase();
  if (name === BATCH) return callTexts.noBatch;
  return atomic && AGENTS.has(name) ? callTexts.noAgents : undefined;
}

function add(making: Making, row: readonly OrderedCall[]): void {
  const { context, info } = making;
  const { messageID, callID: parent } = info;
  for (const call of row) {
    const { callID, tool, input = null } = call;
    const readOnly = making.readOnly(call) && { readOnly: true as const };
    context.session.log.append({ type: 'call.added', messageID, callID, parent, tool, input, ...readOnly });
  }
}

function resultsOf(row: readonly OrderedCall[], endings: readonly Ending[]): NestedCallResult[] {
  return endings.map(({ outcome, output, result }, index) => ({
    callID: row[index]?.callID ?? '',
    tool: row[index]?.tool ?? '',
    outcome,
    output,
    attachments: result?.attachments ?? [],
  }));
}
