import { showCode } from '../../errors/shown-codes.ts';
import { unsupported } from '../../unsupported.ts';
import { inspect } from './inspect.ts';

export type ErrorClass = new (message?: string) => Error;

/** An error as node's own code throws it: with a code, which the stack and the text show. */
export function nodeError<Extra extends object = object>(
  code: string,
  message: string,
  Class: ErrorClass = Error,
  extra?: Extra,
): NodeJS.ErrnoException & Extra {
  const error = new Class(message);
  Object.defineProperty(error, 'toString', {
    value(this: Error) {
      return `${this.name} [${code}]: ${this.message}`;
    },
    enumerable: false,
    configurable: true,
    writable: true,
  });
  showCode(error, code);
  return Object.assign(error, { code }, extra);
}

/** As the part of node throws it that is not JavaScript: the code is there, the text does not show it. */
export function plainError(code: string, message: string, Class: ErrorClass = Error): NodeJS.ErrnoException {
  return Object.assign(new Class(message), { code });
}

const kinds = ['string', 'function', 'number', 'object', 'Function', 'Object', 'boolean', 'bigint', 'symbol'];

/** `The "path" argument must be of type string. Received undefined` */
export function argTypeError(name: string, expected: string | readonly string[], actual: unknown): Error {
  const what = name.endsWith(' argument')
    ? `The ${name}`
    : `The "${name}" ${name.includes('.') ? 'property' : 'argument'}`;
  return nodeError(
    'ERR_INVALID_ARG_TYPE',
    `${what} must be ${expectedTypes(typeof expected === 'string' ? [expected] : expected)}.${received(actual)}`,
    TypeError,
  );
}

function expectedTypes(expected: readonly string[]): string {
  const types = expected.filter((each) => kinds.includes(each)).map((each) => each.toLowerCase());
  const classes = expected.filter((each) => !kinds.includes(each) && /^([A-Z][a-z0-9]*)+$/.test(each));
  const others = expected.filter((each) => !kinds.includes(each) && !classes.includes(each));
  if (classes.length > 0 && types.includes('object')) {
    types.splice(types.indexOf('object'), 1);
    classes.push('Object');
  }
  const parts: string[] = [];
  if (types.length > 0) parts.push(`${types.length > 1 ? 'one of type' : 'of type'} ${either(types)}`);
  if (classes.length > 0) parts.push(`an instance of ${either(classes)}`);
  if (others.length > 1) parts.push(`one of ${either(others)}`);
  else if (others[0] !== undefined)
    parts.push(others[0].toLowerCase() === others[0] ? others[0] : `an ${others[0]}`);
  return parts.join(' or ');
}

function either(words: readonly string[]): string {
  if (words.length < 3) return words.join(' or ');
  return `${words.slice(0, -1).join(', ')}, or ${words.at(-1)}`;
}

/** ` Received type number (1)` */
export function received(value: unknown): string {
  if (value === null || value === undefined) return ` Received ${value}`;
  if (typeof value === 'function') return ` Received function ${value.name}`;
  if (typeof value === 'object') {
    const { constructor } = value;
    if (constructor?.name) return ` Received an instance of ${constructor.name}`;
    return ` Received ${inspect(value, { depth: -1 })}`;
  }
  let text = inspect(value, { colors: false });
  if (text.length > 28) text = `${text.slice(0, 25)}...`;
  return ` Received type ${typeof value} (${text})`;
}

/** `The "name" and "value" arguments must be specified` */
export function missingArgs(...names: readonly string[]): Error {
  const quoted = names.map((name) => `"${name}"`).join(' and ');
  return nodeError(
    'ERR_MISSING_ARGS',
    `The ${quoted} argument${names.length > 1 ? 's' : ''} must be specified`,
    TypeError,
  );
}

export function invalidThis(kind: string): Error {
  return nodeError('ERR_INVALID_THIS', `Value of "this" must be of type ${kind}`, TypeError);
}

export function argValueError(name: string, value: unknown, reason = 'is invalid'): Error {
  let text = inspect(value);
  if (text.length > 128) text = `${text.slice(0, 128)}...`;
  const kind = name.includes('.') ? 'property' : 'argument';
  return nodeError('ERR_INVALID_ARG_VALUE', `The ${kind} '${name}' ${reason}. Received ${text}`, TypeError);
}

export function outOfRange(name: string, range: string, value: unknown): Error {
  let text: string;
  if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) > 2 ** 32)
    text = withUnderscores(String(value));
  else if (typeof value === 'bigint') {
    text = String(value);
    if (value > 2n ** 32n || value < -(2n ** 32n)) text = withUnderscores(text);
    text += 'n';
  } else text = inspect(value);
  return nodeError(
    'ERR_OUT_OF_RANGE',
    `The value of "${name}" is out of range. It must be ${range}. Received ${text}`,
    RangeError,
  );
}

// From the end by threes whatever is there, as node does it.
function withUnderscores(digits: string): string {
  const first = digits.startsWith('-') ? 1 : 0;
  let at = digits.length;
  let text = '';
  for (; at >= first + 4; at -= 3) text = `_${digits.slice(at - 3, at)}${text}`;
  return digits.slice(0, at) + text;
}

class AbortError extends Error {
  static {
    const name = { value: 'AbortError', configurable: true };
    // The bundler gives a class of this name another one where two have it.
    Object.defineProperty(this, 'name', name);
    // There before an error is made: its stack begins with it.
    Object.defineProperty(this.prototype, 'name', { ...name, writable: true });
  }
}

export function abortError(cause?: unknown): Error {
  const error = new AbortError('The operation was aborted', cause === undefined ? undefined : { cause });
  return Object.assign(error, { code: 'ABORT_ERR', name: 'AbortError' });
}

export function needString(value: unknown, name: string): asserts value is string {
  if (typeof value !== 'string') throw argTypeError(name, 'string', value);
}

export function needFunction(value: unknown, name: string): asserts value is (...args: unknown[]) => unknown {
  if (typeof value !== 'function') throw argTypeError(name, 'Function', value);
}

export function needObject(value: unknown, name: string): asserts value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw argTypeError(name, 'Object', value);
}

export function needNumber(
  value: unknown,
  name: string,
  min?: number,
  max?: number,
): asserts value is number {
  if (typeof value !== 'number') throw argTypeError(name, 'number', value);
  if ((min !== undefined && value < min) || (max !== undefined && value > max) || Number.isNaN(value)) {
    const range = [min !== undefined && `>= ${min}`, max !== undefined && `<= ${max}`].filter(Boolean);
    throw outOfRange(name, range.join(' && '), value);
  }
}

export function needInteger(
  value: unknown,
  name: string,
  min = Number.MIN_SAFE_INTEGER,
  max = Number.MAX_SAFE_INTEGER,
): asserts value is number {
  if (typeof value !== 'number') throw argTypeError(name, 'number', value);
  if (!Number.isInteger(value)) throw outOfRange(name, 'an integer', value);
  if (value < min || value > max) throw outOfRange(name, `>= ${min} && <= ${max}`, value);
}

/** Functions of a module that is loaded as programs do at their start: each says what is lacking where it is used. */
export function refusals(module: keyof typeof unsupported): Record<string, () => never> {
  const { names, why } = unsupported[module];
  return Object.fromEntries(
    names.map((name) => [
      name,
      // No arrow: what is made with `new` is refused in the same words.
      function () {
        throw unavailable(`${module}.${name}`, why);
      },
    ]),
  );
}

/** The error for something that the builtin `name` cannot do here. */
export function unavailable(name: string, why: string): Error {
  return nodeError(
    'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM',
    `${name} is not available in this workspace: ${why}`,
  );
}

/** The error for a builtin that is not there: in node, or only here. */
export function unknownBuiltin(specifier: string): Error {
  const lacks: Readonly<Record<string, { readonly why: string }>> = unsupported;
  const name = specifier.replace(/^node:/, '');
  const why = Object.hasOwn(lacks, name) ? lacks[name]?.why : undefined;
  const more = why === undefined ? '' : `. It is not available in this workspace: ${why}`;
  return nodeError('ERR_UNKNOWN_BUILTIN_MODULE', `No such built-in module: ${specifier}${more}`);
}
