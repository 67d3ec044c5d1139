import type { Fault } from '../base/fault.ts';
import { PermissionCancelled } from '../permissions/types.ts';
import type { MadeCall, MadeCallResult, MadeCalls, Undone } from '../tools/tool.ts';
import { AtomicFiles } from './atomic-files.ts';
import { callTexts } from './call-texts.ts';
import { BATCH_FAILED } from './call-refusal.ts';
import type { CallPlace, CallRunDeps, Ending } from './call-run.ts';
import type { RowCall, StepCalls } from './calls.ts';
import { PathLocks } from './path-locks.ts';

export interface Making {
  readonly deps: CallRunDeps;
  readonly step: StepCalls;
  /** The call that makes them. */
  readonly place: CallPlace;
  readonly calls: readonly MadeCall[];
  /** Whether a call has to be answered without being run. */
  refused(call: RowCall): boolean;
  /** Whether its tool says of itself that it changes nothing. */
  readOnly(call: RowCall): boolean;
  runRow(
    deps: CallRunDeps,
    step: StepCalls,
    calls: readonly RowCall[],
    ended?: (ending: Ending) => void,
  ): Promise<readonly Ending[]>;
}

/** Makes calls of its own. */
const BATCH = 'batch';
/** Start agents that do. */
const AGENTS: ReadonlySet<string> = new Set(['task', 'background_task']);

/** The calls that a call makes: each is a part of the message behind it, and runs like those of the model. */
export async function makeCalls(making: Making): Promise<MadeCalls> {
  const row = rowOf(making, false);
  add(making, row);
  return { results: resultsOf(row, await making.runRow(making.deps, making.step, row)) };
}

/** All of them, or every file is put back. While they run no other call of this workspace changes a file. */
export async function makeAtomicCalls(making: Making): Promise<MadeCalls> {
  const { deps, step, place, runRow } = making;
  const row = rowOf(making, true);
  if (row.some((call) => making.refused(call))) {
    add(making, row);
    const text = { outcome: 'cancelled' as const, text: callTexts.batchInvalid };
    const none = row.map((call) => (making.refused(call) ? call : { ...call, refusal: text }));
    return { results: resultsOf(none, await runRow(deps, step, none)), undone: { paths: [] } };
  }
  const release = await deps.locks.acquireAll(place.signal);
  try {
    const files = await AtomicFiles.begin(deps);
    if (place.signal.aborted) {
      files.letGo();
      throw new PermissionCancelled();
    }
    add(making, row);
    const failing = new AbortController();
    const signal = AbortSignal.any([place.signal, failing.signal]);
    const { workspace, reads } = files;
    const apart = { ...deps, workspace, reads, locks: new PathLocks() };
    const endings = await runRow(apart, { ...step, signal }, row, ({ outcome }) => {
      if (outcome !== 'ok') failing.abort(BATCH_FAILED);
    });
    const results = resultsOf(row, endings);
    if (endings.every(({ outcome }) => outcome === 'ok')) {
      files.keep();
      return { results };
    }
    const undone = await files.undo();
    // The call is over by then, and could not say it.
    if (undone.fault && place.signal.aborted) deps.problem(notPutBack(undone));
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

function rowOf({ place, calls }: Making, atomic: boolean): readonly RowCall[] {
  return calls.map(({ tool, args }, index) => {
    const text = refusalOf(tool, atomic);
    return {
      callID: `${place.callID}.${index + 1}`,
      tool,
      input: args,
      order: place.order + (index + 1) / (calls.length + 1),
      ...(text !== undefined && { refusal: { outcome: 'invalid' as const, text } }),
    };
  });
}

function refusalOf(tool: string, atomic: boolean): string | undefined {
  const name = tool.toLowerCase();
  if (name === BATCH) return callTexts.noBatch;
  return atomic && AGENTS.has(name) ? callTexts.noAgents : undefined;
}

function add(making: Making, row: readonly RowCall[]): void {
  const { deps, place } = making;
  const { messageID, callID: parent } = place;
  for (const call of row) {
    const { callID, tool, input = null } = call;
    const readOnly = making.readOnly(call) && { readOnly: true as const };
    deps.log.append({ type: 'call.added', messageID, callID, parent, tool, input, ...readOnly });
  }
}

function resultsOf(row: readonly RowCall[], endings: readonly Ending[]): MadeCallResult[] {
  return endings.map(({ outcome, output, result }, index) => ({
    callID: row[index]?.callID ?? '',
    tool: row[index]?.tool ?? '',
    outcome,
    output,
    attachments: result?.attachments ?? [],
  }));
}
