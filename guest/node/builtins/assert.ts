import { AssertionError, raise } from './assert/assertion-error.ts';
import { expectsError, expectsNoError, rejectionOf, thrownBy } from './assert/errors.ts';
import { CallTracker } from './assert/call-tracker.ts';
import { callText } from './assert/source.ts';
import type { MakeBuiltin } from './builtin.ts';
import { isDeepEqual, isDeepStrictEqual, isLooselyEqual, isPartiallyEqual } from './internal/equality.ts';
import { argTypeError, argValueError, nodeError } from './internal/errors.ts';
import { inspect } from './internal/inspect.ts';
import { isError, types } from './util/types.ts';

type Assertion = (...args: unknown[]) => void;

interface Failure {
  readonly actual?: unknown;
  readonly expected?: unknown;
  readonly message?: unknown;
  readonly operator: string;
  readonly stackStartFn: unknown;
  readonly diff: string;
}

/** The kind of difference that the methods of each `Assert` show. Without an entry it is the simple one. */
const diffs = new WeakMap<object, string>();
const diffOf = (self: unknown): string =>
  (typeof self === 'object' && self !== null && diffs.get(self)) || 'simple';

function fail(failure: Failure): never {
  if (isError(failure.message)) throw failure.message;
  throw new AssertionError(failure);
}

export const makeAssert: MakeBuiltin = ({ process }, load) => {
  const read = (path: string) => {
    try {
      return load('fs').readFileSync(path, 'utf8');
    } catch {
      return undefined;
    }
  };

  function truthy(start: Assertion, name: string, args: unknown[]): void {
    const [value, message] = args;
    if (value) return;
    if (isError(message)) throw message;
    let text = message;
    const generated = message === undefined || message === null;
    if (args.length === 0) text = `No value argument passed to \`${name}()\``;
    else if (generated) {
      const at = new Error();
      Error.captureStackTrace(at, start);
      const call = callText(at.stack ?? '', read);
      text =
        call === undefined
          ? `${inspect(value)} == true`
          : `The expression evaluated to a falsy value:\n\n  ${call.replaceAll('\n', '\n  ')}\n`;
    }
    raise({ actual: value, expected: true, message: text, operator: '==', stackStartFn: start }, generated);
  }

  function compare(
    name: string,
    operator: string,
    holds: (actual: unknown, expected: unknown) => boolean,
  ): Assertion {
    const named: Record<string, Assertion> = {
      [name](this: unknown, ...args: unknown[]) {
        if (args.length < 2)
          throw nodeError(
            'ERR_MISSING_ARGS',
            'The "actual" and "expected" arguments must be specified',
            TypeError,
          );
        const [actual, expected, message] = args;
        if (!holds(actual, expected))
          fail({ actual, expected, message, operator, stackStartFn: named[name], diff: diffOf(this) });
      },
    };
    return named[name] as Assertion;
  }

  function matching(name: string, wanted: boolean): Assertion {
    const named: Record<string, Assertion> = {
      [name](text: unknown, pattern: unknown, message: unknown) {
        if (!types.isRegExp(pattern)) throw argTypeError('regexp', 'RegExp', pattern);
        if (typeof text === 'string' && ((pattern as RegExp).exec(text) !== null) === wanted) return;
        if (isError(message)) throw message;
        const said =
          message ||
          (typeof text !== 'string'
            ? `The "string" argument must be of type string. Received type ${typeof text} (${inspect(text)})`
            : `${wanted ? 'The input did not match the regular expression' : 'The input was expected to not match the regular expression'} ${inspect(pattern)}. Input:\n\n${inspect(text)}\n`);
        raise(
          {
            actual: text,
            expected: pattern,
            message: said,
            operator: name,
            stackStartFn: named[name],
          },
          !message,
        );
      },
    };
    return named[name] as Assertion;
  }

  let warned = false;
  function warnOfValues(): void {
    if (warned) return;
    warned = true;
    process.emitWarning(
      'assert.fail() with more than one argument is deprecated. Please use assert.strictEqual() instead or only pass a message.',
      'DeprecationWarning',
      'DEP0094',
    );
  }

  const equal = compare('equal', '==', isLooselyEqual);
  const notEqual = compare('notEqual', '!=', (one, other) => !isLooselyEqual(one, other));
  const strictEqual = compare('strictEqual', 'strictEqual', Object.is);
  const notStrictEqual = compare('notStrictEqual', 'notStrictEqual', (one, other) => !Object.is(one, other));
  const deepEqual = compare('deepEqual', 'deepEqual', isDeepEqual);
  const notDeepEqual = compare('notDeepEqual', 'notDeepEqual', (one, other) => !isDeepEqual(one, other));
  const deepStrictEqual = compare('deepStrictEqual', 'deepStrictEqual', isDeepStrictEqual);
  const notDeepStrictEqual = compare(
    'notDeepStrictEqual',
    'notDeepStrictEqual',
    (one, other) => !isDeepStrictEqual(one, other),
  );

  function assert(...args: unknown[]): void {
    truthy(assert, 'assert.ok', args);
  }

  const methods = {
    AssertionError,
    CallTracker: load('util').deprecate(CallTracker, 'assert.CallTracker is deprecated.', 'DEP0173'),
    ok(...args: unknown[]): void {
      truthy(methods.ok, 'assert.ok', args);
    },
    fail(this: unknown, ...args: unknown[]): never {
      const [actual, expected, given, operator, start] = args;
      const message = args.length > 1 ? given : (args[0] ?? 'Failed');
      if (args.length > 1) warnOfValues();
      if (isError(message)) throw message;
      const values = args.length > 1 ? { actual, expected } : {};
      return raise(
        {
          ...values,
          message,
          operator: (operator as string | undefined) ?? (args.length === 2 ? '!=' : 'fail'),
          stackStartFn: start ?? methods.fail,
          diff: diffOf(this),
        },
        args.length > 1 ? !given : args[0] === undefined || args[0] === null,
      );
    },
    equal,
    notEqual,
    deepEqual,
    notDeepEqual,
    deepStrictEqual,
    notDeepStrictEqual,
    strictEqual,
    notStrictEqual,
    partialDeepStrictEqual: compare('partialDeepStrictEqual', 'partialDeepStrictEqual', isPartiallyEqual),
    match: matching('match', true),
    doesNotMatch: matching('doesNotMatch', false),
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
      let message = 'ifError got unwanted exception: ';
      const said: unknown = typeof error === 'object' && 'message' in error ? error.message : undefined;
      if (typeof said === 'string')
        message += said.length === 0 ? ((Object(error) as Partial<object>).constructor?.name ?? '') : said;
      else message += inspect(error);
      throw new AssertionError({
        actual: error,
        expected: null,
        operator: 'ifError',
        message,
        stackStartFn: methods.ifError,
        diff: diffOf(this),
      });
    },
  };
  Object.assign(assert, methods);
  function strict(...args: unknown[]): void {
    truthy(strict, 'assert.ok', args);
  }
  const ownStrict = {
    equal: strictEqual,
    deepEqual: deepStrictEqual,
    notEqual: notStrictEqual,
    notDeepEqual: notDeepStrictEqual,
  };
  Object.assign(strict, methods, ownStrict, { strict });
  /** Assertions with options of their own, strict by default. */
  class Assert {
    constructor(options: { strict?: boolean; diff?: unknown } = {}) {
      const { diff = 'simple', strict: isStrict = true } = options;
      if (diff !== 'simple' && diff !== 'full')
        throw argValueError('options.diff', diff, `must be one of: 'simple', 'full'`);
      diffs.set(this, diff);
      Object.assign(this, { AssertionError }, isStrict && ownStrict);
    }
  }
  const { AssertionError: _class, CallTracker: _tracker, ...shared } = methods;
  Object.assign(Assert.prototype, shared);
  Object.assign(strict, { Assert });
  return Object.assign(assert, { strict, Assert });
};
