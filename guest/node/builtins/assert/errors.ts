import { isDeepStrictEqual } from '../internal/equality.ts';
import { argTypeError, argValueError, needFunction, nodeError, received } from '../internal/errors.ts';
import { inspect } from '../internal/inspect.ts';
import { isError, types } from '../util/types.ts';
import { AssertionError, raise } from './assertion-error.ts';

const nothing = Symbol('nothing was thrown');
type Start = (...args: never[]) => unknown;

export function thrownBy(run: unknown): unknown {
  needFunction(run, 'fn');
  try {
    run();
  } catch (error) {
    return error;
  }
  return nothing;
}

const isPromise = (value: unknown): value is Promise<unknown> =>
  types.isPromise(value) ||
  (typeof value === 'object' &&
    value !== null &&
    'then' in value &&
    typeof value.then === 'function' &&
    'catch' in value &&
    typeof value.catch === 'function');

export async function rejectionOf(run: unknown): Promise<unknown> {
  let promise: unknown = run;
  if (typeof run === 'function') {
    promise = run();
    if (!isPromise(promise))
      throw nodeError(
        'ERR_INVALID_RETURN_VALUE',
        `Expected instance of Promise to be returned from the "promiseFn" function but got${received(promise).slice(9)}.`,
        TypeError,
      );
  } else if (!isPromise(run)) throw argTypeError('promiseFn', ['Function', 'Promise'], run);
  try {
    await promise;
  } catch (error) {
    return error;
  }
  return nothing;
}

export function expectsError(start: Start, actual: unknown, args: readonly unknown[]): void {
  let [error, message] = args;
  if (typeof error === 'string') {
    if (args.length === 2) throw argTypeError('error', ['Object', 'Error', 'Function', 'RegExp'], error);
    const said = isError(actual) ? actual.message : actual;
    if (actual !== nothing && said === error)
      throw nodeError(
        'ERR_AMBIGUOUS_ARGUMENT',
        `The "error/message" argument is ambiguous. The error ${isError(actual) ? `message "${String(said)}"` : `"${String(said)}"`} is identical to the message.`,
        TypeError,
      );
    message = error;
    error = undefined;
  } else if (
    error !== null &&
    error !== undefined &&
    typeof error !== 'object' &&
    typeof error !== 'function'
  ) {
    throw argTypeError('error', ['Object', 'Error', 'Function', 'RegExp'], error);
  }
  if (actual === nothing) {
    const name: unknown = error ? Reflect.get(Object(error), 'name') : undefined;
    const details = `${name ? ` (${String(name)})` : ''}${message ? `: ${String(message)}` : '.'}`;
    const what = start.name === 'rejects' ? 'rejection' : 'exception';
    if (isError(message)) throw message;
    throw new AssertionError({
      actual: undefined,
      expected: error,
      operator: start.name,
      message: `Missing expected ${what}${details}`,
      stackStartFn: start,
    });
  }
  check(actual, error, message, start);
}

export function expectsNoError(start: Start, actual: unknown, args: readonly unknown[]): void {
  if (actual === nothing) return;
  const [first, second] = args;
  const [expected, message] = typeof first === 'string' ? [undefined, first] : [first, second];
  if (expected && !matches(actual, expected)) throw actual;
  const what = start.name === 'doesNotReject' ? 'rejection' : 'exception';
  const said: unknown = actual ? Reflect.get(Object(actual), 'message') : actual;
  throw new AssertionError({
    actual,
    expected,
    operator: start.name,
    message: `Got unwanted ${what}${message ? `: ${String(message)}` : '.'}\nActual message: "${String(said)}"`,
    stackStartFn: start,
  });
}

function matches(actual: unknown, expected: unknown): boolean {
  if (typeof expected !== 'function') return types.isRegExp(expected) && expected.test(String(actual));
  if (expected.prototype !== undefined && actual instanceof expected) return true;
  if (Error.isPrototypeOf(expected)) return false;
  return Reflect.apply(expected, {}, [actual]) === true;
}

function check(actual: unknown, expected: unknown, message: unknown, start: Start): void {
  if (expected === undefined || expected === null) return;
  if (typeof expected !== 'function' && !types.isRegExp(expected))
    return checkProperties(actual, Object(expected), message, start);
  const complaint = complaintOf(actual, expected);
  if (!complaint) return;
  const said = message || complaint();
  if (isError(said)) throw said;
  raise({ actual, expected, message: said, operator: start.name, stackStartFn: start }, !message);
}

/** Nothing where it is what was expected; else what is said where the caller has no words for it. */
function complaintOf(actual: unknown, expected: object): (() => string) | undefined {
  if (types.isRegExp(expected)) {
    const text = String(actual);
    if (expected.exec(text) !== null) return undefined;
    return () =>
      `The input did not match the regular expression ${inspect(expected)}. Input:\n\n${inspect(text)}\n`;
  }
  if (typeof expected !== 'function') return undefined;
  if (expected.prototype !== undefined && actual instanceof expected) return undefined;
  if (Error.isPrototypeOf(expected))
    return () => {
      const said = `The error is expected to be an instance of "${expected.name}". Received `;
      return isError(actual)
        ? `${said}"${actual.name}"\n\nError message:\n\n${actual.message}`
        : `${said}"${inspect(actual, { depth: -1 })}"`;
    };
  const result: unknown = Reflect.apply(expected, {}, [actual]);
  if (result === true) return undefined;
  return () => {
    const name = expected.name ? `"${expected.name}" ` : '';
    const said = `The ${name}validation function is expected to return "true". Received ${inspect(result)}`;
    return isError(actual) ? `${said}\n\nCaught error:\n\n${String(actual)}` : said;
  };
}

function checkProperties(actual: unknown, expected: object, message: unknown, start: Start): void {
  if (typeof actual !== 'object' || actual === null) {
    const error = new AssertionError({
      actual,
      expected,
      message,
      operator: 'deepStrictEqual',
      stackStartFn: start,
    });
    error.operator = start.name;
    throw error;
  }
  const keys = Object.keys(expected);
  if (isError(expected)) keys.push('name', 'message');
  else if (keys.length === 0) throw argValueError('error', expected, 'may not be an empty object');
  for (const key of keys) {
    const [value, wanted]: unknown[] = [Reflect.get(actual, key), Reflect.get(expected, key)];
    if (matchesText(wanted, value)) continue;
    if (!(key in actual) || !isDeepStrictEqual(value, wanted))
      compareKeys(actual, expected, message, keys, start);
  }
}

const matchesText = (pattern: unknown, text: unknown): text is string =>
  typeof text === 'string' && types.isRegExp(pattern) && pattern.exec(text) !== null;

/** The compared properties of an object, in a form that shows the difference from the other object. */
class Comparison {
  constructor(object: object, keys: readonly string[], actual?: object) {
    for (const key of keys) {
      if (!(key in object)) continue;
      const value: unknown = Reflect.get(object, key);
      const other: unknown = actual && Reflect.get(actual, key);
      Reflect.set(this, key, matchesText(value, other) ? other : value);
    }
  }
}

function compareKeys(
  actual: object,
  expected: object,
  message: unknown,
  keys: string[],
  start: Start,
): never {
  if (isError(message)) throw message;
  if (!message) {
    const error = new AssertionError({
      actual: new Comparison(actual, keys),
      expected: new Comparison(expected, keys, actual),
      operator: 'deepStrictEqual',
      stackStartFn: start,
    });
    error.actual = actual;
    error.expected = expected;
    error.operator = start.name;
    throw error;
  }
  throw new AssertionError({ actual, expected, message, operator: start.name, stackStartFn: start });
}
