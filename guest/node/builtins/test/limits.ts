import { argTypeError, outOfRange } from '../internal/errors.ts';
import { testFailure } from './failure.ts';
import type { Clock } from './clock.ts';

const LONGEST = 2 ** 31 - 1;

export interface Stop {
  /** Rejected when the time is up, resolved when it was aborted. */
  readonly stopped: Promise<void>;
  dispose(): void;
}

/** Ends the wait for a test that takes too long, or is not wanted any more. */
export function stopOf(clock: Clock, timeout: number, signal: AbortSignal): Stop {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let aborted = () => {};
  const stopped = new Promise<void>((resolve, reject) => {
    aborted = resolve;
    signal.addEventListener('abort', aborted, { once: true });
    if (timeout === Infinity) return;
    timer = clock.setTimeout(
      () => reject(testFailure(`test timed out after ${timeout}ms`, 'testTimeoutFailure')),
      timeout,
    );
    timer.unref();
  });
  stopped.catch(() => {});
  return {
    stopped,
    dispose() {
      clock.clearTimeout(timer);
      signal.removeEventListener('abort', aborted);
    },
  };
}

export function timeoutOf(given: unknown, inherited: number): number {
  if (given === undefined || given === null || given === Infinity) return inherited;
  if (typeof given !== 'number') throw argTypeError('options.timeout', 'number', given);
  if (!(given >= 0 && given <= LONGEST)) throw outOfRange('options.timeout', `>= 0 && <= ${LONGEST}`, given);
  return given;
}

/** `most`: what `true` means. */
export function concurrencyOf(given: unknown, inherited: number, most: () => number): number {
  if (given === undefined || given === null) return inherited;
  if (typeof given === 'boolean') return given ? most() : 1;
  if (typeof given !== 'number') throw argTypeError('options.concurrency', ['boolean', 'number'], given);
  if (!Number.isInteger(given)) throw outOfRange('options.concurrency', 'an integer', given);
  if (given < 1 || given >= 2 ** 32) throw outOfRange('options.concurrency', '>= 1 && <= 4294967295', given);
  return given;
}

export function checkSignal(signal: unknown): asserts signal is AbortSignal | undefined {
  if (signal !== undefined && (typeof signal !== 'object' || signal === null || !('aborted' in signal)))
    throw argTypeError('options.signal', 'AbortSignal', signal);
}
