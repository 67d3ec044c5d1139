import { isDeepEqual, isDeepStrictEqual, isLooselyEqual, isPartiallyEqual } from '../internal/equality.ts';
import { argTypeError, nodeError } from '../internal/errors.ts';
import { inspect } from '../internal/inspect.ts';
import { isError, types } from '../util/types.ts';
import { AssertionError, raise } from './assertion-error.ts';

type Assertion = (...args: unknown[]) => void;

/** The kind of difference that the methods of each `Assert` show. Without an entry it is the simple one. */
const diffs = new WeakMap<object, string>();

export function useDiff(assertions: object, diff: string): void {
  diffs.set(assertions, diff);
}

export const diffOf = (self: unknown): string =>
  (typeof self === 'object' && self !== null && diffs.get(self)) || 'simple';

/** Returns the method of an object that has one. Its name comes from a computed key. */
function only(methods: Readonly<Record<string, Assertion>>): Assertion {
  const [method] = Object.values(methods);
  if (!method) throw new Error('there is no method');
  return method;
}

function compare(
  name: string,
  operator: string,
  holds: (actual: unknown, expected: unknown) => boolean,
): Assertion {
  const assertion = only({
    [name](this: unknown, ...args: unknown[]) {
      if (args.length < 2)
        throw nodeError(
          'ERR_MISSING_ARGS',
          'The "actual" and "expected" arguments must be specified',
          TypeError,
        );
      const [actual, expected, message] = args;
      if (holds(actual, expected)) return;
      if (isError(message)) throw message;
      const diff = diffOf(this);
      throw new AssertionError({ actual, expected, message, operator, stackStartFn: assertion, diff });
    },
  });
  return assertion;
}

function matching(name: string, wanted: boolean): Assertion {
  const assertion = only({
    [name](text: unknown, pattern: unknown, message: unknown) {
      if (!types.isRegExp(pattern)) throw argTypeError('regexp', 'RegExp', pattern);
      if (typeof text === 'string' && (pattern.exec(text) !== null) === wanted) return;
      if (isError(message)) throw message;
      raise(
        {
          actual: text,
          expected: pattern,
          message: message || mismatch(text, pattern, wanted),
          operator: name,
          stackStartFn: assertion,
        },
        !message,
      );
    },
  });
  return assertion;
}

function mismatch(text: unknown, pattern: RegExp, wanted: boolean): string {
  if (typeof text !== 'string')
    return `The "string" argument must be of type string. Received type ${typeof text} (${inspect(text)})`;
  const problem = wanted
    ? 'The input did not match the regular expression'
    : 'The input was expected to not match the regular expression';
  return `${problem} ${inspect(pattern)}. Input:\n\n${inspect(text)}\n`;
}

/** Makes the assertions that compare two values. */
export const makeComparisons = () => ({
  equal: compare('equal', '==', isLooselyEqual),
  notEqual: compare('notEqual', '!=', (one, other) => !isLooselyEqual(one, other)),
  deepEqual: compare('deepEqual', 'deepEqual', isDeepEqual),
  notDeepEqual: compare('notDeepEqual', 'notDeepEqual', (one, other) => !isDeepEqual(one, other)),
  deepStrictEqual: compare('deepStrictEqual', 'deepStrictEqual', isDeepStrictEqual),
  notDeepStrictEqual: compare(
    'notDeepStrictEqual',
    'notDeepStrictEqual',
    (one, other) => !isDeepStrictEqual(one, other),
  ),
  strictEqual: compare('strictEqual', 'strictEqual', Object.is),
  notStrictEqual: compare('notStrictEqual', 'notStrictEqual', (one, other) => !Object.is(one, other)),
  partialDeepStrictEqual: compare('partialDeepStrictEqual', 'partialDeepStrictEqual', isPartiallyEqual),
  match: matching('match', true),
  doesNotMatch: matching('doesNotMatch', false),
});
