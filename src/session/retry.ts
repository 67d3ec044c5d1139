import type { Fault } from '../base/fault.ts';

/** A failed step is tried again this often in a row. */
const RETRIES = 3;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 30_000;
/** Whoever asks for more patience than this is not waited for. */
const LONGEST_WAIT_MS = 60_000;

/**
 * Milliseconds to wait before a step that failed is tried again; `undefined` where it is not. `failures`: how many
 * steps failed in a row before it.
 */
export function retryDelay(fault: Fault, failures: number): number | undefined {
  if (!fault.retryable || failures >= RETRIES) return undefined;
  const wait = fault.retryAfterMs ?? Math.min(FIRST_RETRY_MS * 2 ** failures, LAST_RETRY_MS);
  return wait <= LONGEST_WAIT_MS ? wait : undefined;
}
