import { faultOf } from '../base/fault.ts';
import { PermissionCancelled, PermissionDenied, PermissionRejected } from '../permissions/types.ts';
import { QuestionDismissed } from '../tools/question/schema.ts';
import { callTexts } from './call-texts.ts';
import type { Outcome } from './events.ts';

/** Why a turn is aborted: the person stopped it, or refused a call without a word. */
export type AbortReason = 'stopped' | 'refused';
/** Why one row of calls is aborted: it stands or falls together, and one call came to nothing. */
export const BATCH_FAILED = 'batch-failed';

interface Refusal {
  readonly outcome: Outcome;
  readonly output: string;
  /** Refused without a word to the model. */
  readonly endsTurn: boolean;
}

/** What a call comes to that was not allowed; `undefined` where the error is none of the gate's. */
export function refusalBy(error: unknown, signal: AbortSignal, started: boolean): Refusal | undefined {
  if (error instanceof PermissionRejected)
    return { outcome: 'denied', output: error.message, endsTurn: error.feedback === undefined };
  if (error instanceof QuestionDismissed) return { outcome: 'denied', output: error.message, endsTurn: true };
  if (error instanceof PermissionDenied) return { outcome: 'denied', output: error.message, endsTurn: false };
  if (error instanceof PermissionCancelled)
    return { outcome: 'cancelled', output: abortText(signal, started), endsTurn: false };
  return undefined;
}

/** What the model is told of a call that was stopped, or never began. */
export function abortText(signal: AbortSignal, started: boolean): string {
  if (signal.aborted && signal.reason === BATCH_FAILED) return callTexts.batchFailed;
  // The gate withdraws the other asks before the turn is aborted.
  if (!signal.aborted || signal.reason === 'refused') return callTexts.otherRefused;
  return started ? callTexts.stopped : callTexts.stoppedBefore;
}

/** What the model is told of a call that failed. */
export function failureText(error: unknown): string {
  const { what, where, next } = faultOf(error);
  return [where === undefined ? what : `${what} (${where})`, next].filter(Boolean).join(' ');
}
