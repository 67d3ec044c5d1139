import { faultOf } from '../../base/fault.ts';
import { PermissionCancelled, PermissionDenied, PermissionRejected } from '../../permissions/types.ts';
import { QuestionDismissed } from '../../tools/question/schema.ts';
import { callTexts } from './call-texts.ts';
import type { Outcome } from '../log/events.ts';

/** Why a turn is aborted: the person stopped it, or refused a call without giving feedback. */
export type AbortReason = 'stopped' | 'refused';
/** Why an atomic batch of calls is aborted: one of its calls did not succeed. */
export const BATCH_FAILED = 'batch-failed';

interface Refusal {
  readonly outcome: Outcome;
  readonly output: string;
  /** The person gave no feedback for the model. */
  readonly endsTurn: boolean;
}

/** The result of a call that was not allowed; `undefined` if the error has another cause. */
export function refusalBy(error: unknown, signal: AbortSignal, started: boolean): Refusal | undefined {
  if (error instanceof PermissionRejected)
    return { outcome: 'denied', output: error.message, endsTurn: error.feedback === undefined };
  if (error instanceof QuestionDismissed) return { outcome: 'denied', output: error.message, endsTurn: true };
  if (error instanceof PermissionDenied) return { outcome: 'denied', output: error.message, endsTurn: false };
  if (error instanceof PermissionCancelled)
    return { outcome: 'cancelled', output: abortText(signal, started), endsTurn: false };
  return undefined;
}

/** The text that the model gets for a call that was stopped or never started. */
export function abortText(signal: AbortSignal, started: boolean): string {
  if (signal.aborted && signal.reason === BATCH_FAILED) return callTexts.batchFailed;
  // The gate withdraws other requests before the turn is aborted.
  if (!signal.aborted || signal.reason === 'refused') return callTexts.otherRefused;
  return started ? callTexts.stopped : callTexts.stoppedBefore;
}

/** The text that the model gets for a call that failed. */
export function failureText(error: unknown): string {
  const { what, where, next } = faultOf(error);
  return [where === undefined ? what : `${what} (${where})`, next].filter(Boolean).join(' ');
}
