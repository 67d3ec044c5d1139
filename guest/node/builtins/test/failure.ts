import { inspect } from '../internal/inspect.ts';
import { nodeError } from '../internal/errors.ts';

/** Why a test failed, in node's words. */
export type FailureType =
  | 'testCodeFailure'
  | 'hookFailed'
  | 'testTimeoutFailure'
  | 'cancelledByParent'
  | 'parentAlreadyFinished'
  | 'subtestsFailed'
  | 'testAborted'
  | 'multipleCallbackInvocations'
  | 'callbackAndPromisePresent'
  | 'uncaughtException'
  | 'unhandledRejection';

/** The error of a failed test. `cause` is what the code under test threw, or the reason in words. */
export interface TestFailure extends Error {
  readonly code: string;
  failureType: FailureType;
  cause: unknown;
}

export function testFailure(cause: unknown, failureType: FailureType): TestFailure {
  const given: unknown = typeof cause === 'object' && cause !== null ? Reflect.get(cause, 'message') : cause;
  const message = typeof (given ?? cause) === 'string' ? String(given) : inspect(given ?? cause);
  const error = nodeError('ERR_TEST_FAILURE', message, Error, { failureType, cause }) as TestFailure;
  const { stack } = error;
  Object.defineProperty(error, 'stack', {
    value: stack && withoutOwnFrames(stack),
    enumerable: false,
    configurable: true,
    writable: true,
  });
  return error;
}

export const isTestFailure = (error: unknown): error is TestFailure =>
  typeof error === 'object' && error !== null && Reflect.get(error, 'code') === 'ERR_TEST_FAILURE';

/** The types of failures that only wrap an error: what is reported is what the code under test threw. */
export const unwrapped: ReadonlySet<unknown> = new Set<FailureType>([
  'testCodeFailure',
  'hookFailed',
  'uncaughtException',
  'unhandledRejection',
]);

export const cancelling: ReadonlySet<unknown> = new Set<FailureType>([
  'cancelledByParent',
  'testAborted',
  'testTimeoutFailure',
]);

/** Frames inside this runtime say nothing to whoever reads a failed test. */
export function withoutOwnFrames(stack: string): string {
  return stack
    .split('\n')
    .filter((line) => !/^\s+at .*(blob:|node:internal|data:text\/javascript)/.test(line))
    .filter((line) => !/^\s+at new Promise \(<anonymous>\)$/.test(line))
    .join('\n');
}
