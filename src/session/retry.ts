import type { Fault } from '../base/fault.ts';

/** A step is tried this often in all, */
export const ATTEMPTS = 8;
/** and only as long as the last try comes within this time of the first failure, milliseconds. */
export const RETRY_FOR_MS = 10 * 60_000;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 30_000;

/** Steps that failed in a row, up to the one that failed now. */
export interface Failures {
  readonly count: number;
  /** Since the first of them, milliseconds. */
  readonly elapsed: number;
}

/** Milliseconds to wait before a step that failed is tried again; `undefined` where it is not. */
export function retryDelay(fault: Fault, { count, elapsed }: Failures): number | undefined {
  if (!fault.retryable || count >= ATTEMPTS) return undefined;
  const wait = fault.retryAfterMs ?? Math.min(FIRST_RETRY_MS * 2 ** (count - 1), LAST_RETRY_MS);
  return elapsed + wait <= RETRY_FOR_MS ? wait : undefined;
}
