import type { Fault } from '../../base/fault.ts';

/** How often a step is tried in all. */
export const ATTEMPTS = 8;
/** The last try must come within this many milliseconds of the first failure. */
export const RETRY_FOR_MS = 10 * 60_000;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 30_000;

/** The steps that failed in a row, including the newest one. */
export interface Failures {
  readonly count: number;
  /** Time since the first of these failures, in milliseconds. */
  readonly elapsed: number;
}

/** How many milliseconds to wait before a failed step is retried; `undefined` if it is not. */
export function retryDelay(fault: Fault, { count, elapsed }: Failures): number | undefined {
  if (!fault.retryable || count >= ATTEMPTS) return undefined;
  const wait = fault.retryAfterMs ?? Math.min(FIRST_RETRY_MS * 2 ** (count - 1), LAST_RETRY_MS);
  return elapsed + wait <= RETRY_FOR_MS ? wait : undefined;
}
