import { needObject } from '../internal/errors.ts';
import { inspect } from '../internal/inspect.ts';
import { customInspect } from '../internal/symbols.ts';
import { difference, noPaint, statement, type Paint } from './message.ts';

export interface AssertionOptions {
  readonly message?: unknown;
  readonly actual?: unknown;
  readonly expected?: unknown;
  readonly operator?: string | undefined;
  readonly stackStartFn?: unknown;
  readonly stackStartFunction?: unknown;
  readonly diff?: string;
}

const painted: Paint = { blue: '\u001b[34m', green: '\u001b[32m', red: '\u001b[31m', plain: '\u001b[39m' };

function paint(): Paint {
  const stderr: unknown = globalThis.process?.stderr;
  const able: unknown = stderr ? Reflect.get(stderr, 'isTTY') && Reflect.get(stderr, 'hasColors') : false;
  return typeof able === 'function' && able.call(stderr) ? painted : noPaint;
}

const lineByLine = new Set(['deepStrictEqual', 'strictEqual', 'partialDeepStrictEqual']);

function messageOf(options: AssertionOptions): string {
  const { message, operator = '', diff } = options;
  const errors = options.actual instanceof Error && options.expected instanceof Error;
  const [actual, expected] = [options.actual, options.expected].map((each) =>
    errors ? withoutStack(each) : each,
  );
  if (message !== undefined && message !== null)
    return operator === 'deepStrictEqual' || operator === 'strictEqual'
      ? difference(actual, expected, operator, String(message), paint(), diff)
      : String(message);
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return lineByLine.has(operator)
      ? difference(actual, expected, operator, undefined, paint(), diff)
      : statement(actual, expected, operator, diff);
  } finally {
    Error.stackTraceLimit = before;
  }
}

// An error is compared by what it says: its stack is another in every run.
function withoutStack(value: unknown): unknown {
  if (!(value instanceof Error) || !('stack' in value)) return value;
  const copy: object = Object.assign(Object.create(Object.getPrototypeOf(value)), value);
  Object.defineProperty(copy, 'message', { value: value.message });
  if (Object.hasOwn(value, 'cause'))
    Object.defineProperty(copy, 'cause', { value: withoutStack(value.cause) });
  return copy;
}

function needed(options: AssertionOptions): AssertionOptions {
  needObject(options, 'options');
  return options;
}

/** The error that a failed assertion throws. */
export class AssertionError extends Error {
  generatedMessage: boolean;
  code = 'ERR_ASSERTION';
  actual: unknown;
  expected: unknown;
  operator: string | undefined;
  diff: string;

  constructor(options: AssertionOptions) {
    super(messageOf(needed(options)));
    const { message, actual, expected, operator, diff = 'simple' } = options;
    this.generatedMessage = !message;
    Object.defineProperty(this, 'name', {
      value: 'AssertionError [ERR_ASSERTION]',
      enumerable: false,
      writable: true,
      configurable: true,
    });
    this.actual = actual;
    this.expected = expected;
    this.operator = operator;
    this.diff = diff;
    const start: unknown = options.stackStartFn ?? options.stackStartFunction;
    if (typeof start === 'function') Error.captureStackTrace(this, start);
    else Error.captureStackTrace(this);
    // The name is taken into the stack when that is first looked at.
    void this.stack;
    this.name = 'AssertionError';
  }

  override toString(): string {
    return `${this.name} [${this.code}]: ${this.message}`;
  }

  [customInspect](_depth: unknown, options: object): string {
    const { actual, expected } = this;
    const shortened = (value: unknown): unknown =>
      this.diff === 'simple' && typeof value === 'string' && value.split('\n').length > 10
        ? `${value.split('\n', 10).join('\n')}\n...`
        : value;
    this.actual = shortened(actual);
    this.expected = shortened(expected);
    const text = inspect(this, { ...options, customInspect: false, depth: 0 });
    this.actual = actual;
    this.expected = expected;
    return text;
  }
}

/** `generated`: the message is ours, and not of whoever asserts. */
export function raise(options: AssertionOptions, generated: boolean): never {
  const error = new AssertionError(options);
  error.generatedMessage = generated;
  throw error;
}
