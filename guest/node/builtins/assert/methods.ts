import type { LoadBuiltin } from '../builtin.ts';
import { inspect } from '../internal/inspect.ts';
import { isError } from '../util/types.ts';
import { AssertionError, raise, type AssertionOptions } from './assertion-error.ts';
import { CallTracker } from './call-tracker.ts';
import { diffOf, makeComparisons } from './comparisons.ts';
import { expectsError, expectsNoError, rejectionOf, thrownBy } from './errors.ts';
import type { makeTruthy } from './truthy.ts';

/** Makes the methods of `assert`. */
export function makeMethods(
  process: NodeJS.Process,
  load: LoadBuiltin,
  truthy: ReturnType<typeof makeTruthy>,
) {
  const { match, doesNotMatch, partialDeepStrictEqual, ...comparisons } = makeComparisons();
  const warnOfValues = makeValuesWarning(process);
  const methods = {
    AssertionError,
    CallTracker: load('util').deprecate(CallTracker, 'assert.CallTracker is deprecated.', 'DEP0173'),
    ok(...args: unknown[]): void {
      truthy(methods.ok, args);
    },
    fail(this: unknown, ...args: unknown[]): never {
      if (args.length > 1) warnOfValues();
      const { options, generated } = failure(args, methods.fail);
      if (isError(options.message)) throw options.message;
      return raise({ ...options, diff: diffOf(this) }, generated);
    },
    ...comparisons,
    partialDeepStrictEqual,
    match,
    doesNotMatch,
    throws(run: unknown, ...args: unknown[]): void {
      expectsError(methods.throws, thrownBy(run), args);
    },
    async rejects(run: unknown, ...args: unknown[]): Promise<void> {
      expectsError(methods.rejects, await rejectionOf(run), args);
    },
    doesNotThrow(run: unknown, ...args: unknown[]): void {
      expectsNoError(methods.doesNotThrow, thrownBy(run), args);
    },
    async doesNotReject(run: unknown, ...args: unknown[]): Promise<void> {
      expectsNoError(methods.doesNotReject, await rejectionOf(run), args);
    },
    ifError(this: unknown, error: unknown): void {
      if (error === null || error === undefined) return;
      throw new AssertionError({
        actual: error,
        expected: null,
        operator: 'ifError',
        message: `ifError got unwanted exception: ${describe(error)}`,
        stackStartFn: methods.ifError,
        diff: diffOf(this),
      });
    },
  };
  return methods;
}

/** Returns a function that warns once of `assert.fail` with the values that were compared. */
function makeValuesWarning(process: NodeJS.Process): () => void {
  let warned = false;
  return () => {
    if (warned) return;
    warned = true;
    process.emitWarning(
      'assert.fail() with more than one argument is deprecated. Please use assert.strictEqual() instead or only pass a message.',
      'DeprecationWarning',
      'DEP0094',
    );
  };
}

/** Reads the arguments of `assert.fail`: a message, or two values with a message, an operator and a function. */
function failure(
  args: readonly unknown[],
  fail: unknown,
): { readonly options: AssertionOptions; readonly generated: boolean } {
  const [actual, expected, message, operator, start] = args;
  if (args.length < 2) {
    const options = { message: actual ?? 'Failed', operator: 'fail', stackStartFn: fail };
    return { options, generated: actual === undefined || actual === null };
  }
  const usual = args.length === 2 ? '!=' : 'fail';
  const options = {
    actual,
    expected,
    message,
    operator: (operator as string | undefined) ?? usual,
    stackStartFn: start ?? fail,
  };
  return { options, generated: !message };
}

function describe(error: unknown): string {
  const message: unknown =
    typeof error === 'object' && error && 'message' in error ? error.message : undefined;
  if (typeof message !== 'string') return inspect(error);
  return message.length === 0 ? (Object(error).constructor?.name ?? '') : message;
}
