import { inspect } from '../internal/inspect.ts';
import { types } from '../util/types.ts';
import type { Failed, FailureType } from './events.ts';

const unwrapped = new Set<FailureType>([
  'testCodeFailure',
  'hookFailed',
  'uncaughtException',
  'unhandledRejection',
]);

/** What a test throws or is ended with. `cause`: what the code under test threw, or the reason in words. */
export class TestFailure extends Error {
  readonly failureType: FailureType;
  readonly code = 'ERR_TEST_FAILURE';

  constructor(cause: unknown, failureType: FailureType) {
    super(messageOf(cause), { cause });
    this.failureType = failureType;
    this.stack = '';
  }

  report(extra: Readonly<Record<string, unknown>> = {}): Failed {
    const { cause, failureType, message } = this;
    return {
      failureType,
      message,
      shown: withoutOwnFrames(inspect(cause, { breakLength: Infinity })),
      tap:
        yaml('', 'failureType', failureType, new Set()) +
        Object.entries(extra)
          .map(([name, value]) => yaml('', name, value, new Set()))
          .join('') +
        this.#details(),
    };
  }

  #details(): string {
    const { cause, failureType } = this;
    const thrown = unwrapped.has(failureType) && typeof cause === 'object' && cause !== null ? cause : {};
    const part = (name: string): unknown => Reflect.get(thrown, name);
    const seen = new Set<object>();
    const code = part('code') ?? this.code;
    const name = part('name');
    let text = yaml('', 'error', part('message') ?? this.message, seen);
    text += yaml('', 'code', code, seen);
    if (name && name !== 'Error') text += yaml('', 'name', name, seen);
    if ('expected' in thrown && 'actual' in thrown && 'operator' in thrown) {
      text += yaml('', 'expected', part('expected'), seen);
      text += yaml('', 'actual', part('actual'), seen);
      if (part('operator')) text += yaml('', 'operator', part('operator'), seen);
    }
    const stack = part('stack');
    if (typeof stack === 'string') {
      const frames = withoutOwnFrames(stack)
        .split(/\n|\r\n/)
        .filter((line) => /^\s+at\s/.test(line))
        .map((line) => line.replace(/^\s+at\s+/, ''));
      if (frames.length > 0) text += `  stack: |-\n${frames.map((frame) => `    ${frame}\n`).join('')}`;
    }
    return text;
  }
}

function messageOf(cause: unknown): string {
  if (typeof cause === 'object' && cause !== null && 'message' in cause) return String(cause.message);
  return typeof cause === 'string' ? cause : inspect(cause);
}

/** Frames inside this runtime say nothing to whoever reads a failed test. */
function withoutOwnFrames(stack: string): string {
  return stack
    .split('\n')
    .filter((line) => !/^\s+at .*(blob:|node:internal|data:text\/javascript)/.test(line))
    .filter((line) => !/^\s+at new Promise \(<anonymous>\)$/.test(line))
    .join('\n');
}

/** A value as a line, or lines, of YAML; each ends with a line break. */
function yaml(indent: string, name: string, value: unknown, seen: Set<object>): string {
  if (value === undefined) return '';
  const prefix = `${indent}  ${name}:`;
  if (value === null) return `${prefix} ~\n`;
  if (typeof value === 'string') {
    if (!/\n|\r\n/.test(value)) return `${prefix} ${inspect(value)}\n`;
    return `${prefix} |-\n${value
      .split(/\n|\r\n/)
      .map((line) => `${indent}    ${line}\n`)
      .join('')}`;
  }
  if (typeof value !== 'object') return `${prefix} ${inspect(value)}\n`;
  if (seen.has(value)) return `${prefix} <Circular>\n`;
  seen.add(value);
  const date = types.isDate(value) ? ` ${(value as Date).toISOString()}` : '';
  return `${prefix}${date}\n${Object.entries(value)
    .map(([key, each]) => yaml(`${indent}  `, key, each, seen))
    .join('')}`;
}
