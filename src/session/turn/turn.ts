import { unlessAborted as waitUnlessAborted } from '../../base/abort.ts';
import type { Environment } from '../../agents/system-prompt.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { runCalls } from '../calls/calls.ts';
import type { Repetitions } from '../calls/repetitions.ts';
import type { CallContext } from '../calls/types.ts';
import type { SessionContext } from '../context.ts';
import type { SessionLog } from '../log/log.ts';

/** A running turn, as its steps share it. */
export interface Turn {
  /** The signal is aborted with an `AbortReason`. */
  readonly signal: AbortSignal;
  readonly workspace: Workspace;
  readonly environment: Environment;
  readonly repetitions: Repetitions;
  readonly runCalls: typeof runCalls;
  /** Called when the person refused a call without feedback: aborts the turn at once. */
  refused(): void;
}

/** Rejects as soon as the turn is aborted, so that stopping waits for nothing. */
export function unlessAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return waitUnlessAborted(signal, promise, turnAborted);
}

export function turnAborted(): Error {
  return new Error('The turn was aborted.');
}

/** Waits until the state includes every appended event. */
export async function untilFolded(log: SessionLog): Promise<void> {
  while (log.behind) await log.barrier('relaxed');
}

export function callContext(
  session: SessionContext,
  { workspace }: Turn,
  previous: CallContext['previous'],
): CallContext {
  const { locks, reads } = session;
  return { session, workspace, locks, reads, previous };
}
