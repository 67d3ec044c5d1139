import { inspect } from '../internal/inspect.ts';
import { types } from '../util/types.ts';
import { isTestFailure, unwrapped, withoutOwnFrames } from './failure.ts';

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isError = (value: unknown): value is Error =>
  value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';
const saysWhatItWanted = (
  value: unknown,
): value is { expected: unknown; actual: unknown; operator?: unknown } =>
  isObject(value) && 'expected' in value && 'actual' in value;

/** A value as a line, or lines, of YAML; each ends with a line break. Without a name: the lines of what it holds. */
export function yaml(indent: string, name: string | null, value: unknown, seen: Set<unknown>): string {
  if (value === undefined) return '';
  const prefix = `${indent}  ${name}:`;
  if (value === null) return `${prefix} ~\n`;
  if (typeof value === 'string') {
    const lines = value.split(/\n|\r\n/);
    if (lines.length === 1) return `${prefix} ${shown(value)}\n`;
    return `${prefix} |-\n${lines.map((line) => `${indent}    ${line}\n`).join('')}`;
  }
  if (!isObject(value)) return `${prefix} ${shown(value)}\n`;
  seen.add(value);
  const inner = name === null ? indent : `${indent}  `;
  let text = '';
  if (name !== null) text = `${prefix}${types.isDate(value) ? ` ${(value as Date).toISOString()}` : ''}\n`;
  for (const [key, each] of Object.entries(value)) {
    if (isError(value) && (key === 'cause' || key === 'code')) continue;
    text += seen.has(each) ? `${inner}  ${key}: <Circular>\n` : yaml(inner, key, each, seen);
  }
  return isError(value) ? text + errorLines(indent, value, seen) : text;
}

const shown = (value: unknown) => inspect(value, { colors: false, breakLength: Infinity });

function errorLines(indent: string, error: Error, seen: Set<unknown>): string {
  const given: unknown = isTestFailure(error) && unwrapped.has(error.failureType) ? error.cause : undefined;
  const part = (name: string): unknown =>
    (isObject(given) ? Reflect.get(given, name) : undefined) ?? Reflect.get(error, name);
  let text = yaml(indent, 'error', part('message') ?? '<unknown error>', seen);
  const [code, name, stack] = [part('code'), part('name'), part('stack')];
  if (code) text += yaml(indent, 'code', code, seen);
  if (name && name !== 'Error') text += yaml(indent, 'name', name, seen);
  const wanted = [given, error].find(saysWhatItWanted);
  if (wanted) {
    text += yaml(indent, 'expected', wanted.expected, new Set(seen));
    text += yaml(indent, 'actual', wanted.actual, new Set(seen));
    if (wanted.operator) text += yaml(indent, 'operator', wanted.operator, seen);
  }
  if (typeof stack !== 'string') return text;
  const frames = withoutOwnFrames(stack)
    .split(/\n|\r\n/)
    .filter((line) => /^ {4}at ./.test(line))
    .map((line) => `${indent}    ${line.slice('    at '.length)}\n`);
  return frames.length > 0 ? `${text}${indent}  stack: |-\n${frames.join('')}` : text;
}
