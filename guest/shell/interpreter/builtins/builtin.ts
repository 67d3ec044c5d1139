import { ShellError } from '../errors.ts';
import type { Argument } from '../shell.ts';

export type { Builtin } from '../shell.ts';

export function words(args: readonly Argument[]): string[] {
  return args.map((arg) => (typeof arg === 'string' ? arg : arg.text));
}

export interface Flags {
  readonly on: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
  readonly rest: string[];
}

/** Parses the options before the first operand; `spec` has `:` after letters that take a value. */
export function flagsOf(args: readonly string[], spec: string, usage: string): Flags {
  const on = new Set<string>();
  const values = new Map<string, string>();
  let at = 0;
  for (; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '--') {
      at++;
      break;
    }
    if (!/^-[^-]/.test(arg)) break;
    for (let index = 1; index < arg.length; index++) {
      const letter = arg.charAt(index);
      const found = letter === ':' ? -1 : spec.indexOf(letter);
      if (found < 0) throw new UsageError(`-${letter}: invalid option`, usage);
      if (spec.charAt(found + 1) !== ':') {
        on.add(letter);
        continue;
      }
      const value = index + 1 < arg.length ? arg.slice(index + 1) : args[++at];
      if (value === undefined) throw new UsageError(`-${letter}: option requires an argument`, usage);
      on.add(letter);
      values.set(letter, value);
      break;
    }
  }
  return { on, values, rest: args.slice(at) };
}

/** Printed with the usage of the builtin on a line of its own; the status is 2. */
export class UsageError extends ShellError {
  readonly usage: string;

  constructor(message: string, usage: string) {
    super(message, 2);
    this.usage = usage;
  }
}

export function number(text: string): number {
  if (!/^\s*[-+]?\d+\s*$/.test(text)) throw new ShellError(`${text}: numeric argument required`, 2);
  return Number(text);
}
