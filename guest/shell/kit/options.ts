import { Complaint } from './complaint.ts';

/**
 * The options of a command: short letters with `:` after those that need a value, and long names with `:`
 * after those that need a value and `?` after those that may have one after `=`. A long name can stand for a
 * short one: `'ignore-case=i'`.
 */
export interface OptionSpec {
  readonly short: string;
  readonly long?: readonly string[];
}

export interface Options {
  /** `has` contains the options that were given; `values` has their values in the order given. */
  readonly has: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** All options with their values in the order given, for cases in which the last one wins. */
  readonly order: readonly (readonly [name: string, value: string])[];
  readonly operands: readonly string[];
}

/** Thrown for `--help`: the program prints its usage and ends with exit code 0. */
export class Usage extends Error {
  readonly #spec: OptionSpec;

  constructor(spec: OptionSpec) {
    super('--help');
    this.#spec = spec;
  }

  /** Writes a usage text for the program from its list of options; `summary` says what the program does. */
  text(name: string, summary = ''): string {
    const { short, long = [] } = this.#spec;
    const names = new Map<string, string[]>();
    for (const [, letter = '', colon = ''] of short.matchAll(/(.)(:?)/g))
      names.set(letter, [`-${letter}${colon && ' VALUE'}`]);
    for (const spec of long) {
      const [written = '', letter] = spec.split('=');
      const bare = written.replace(/[:?]$/, '');
      const value = written.endsWith(':') ? '=VALUE' : written.endsWith('?') ? '[=VALUE]' : '';
      const known = letter === undefined ? undefined : names.get(letter);
      if (known) known.push(`--${bare}`);
      else names.set(bare, [`    --${bare}${value}`]);
    }
    const lines = [...names.values()].map((options) => `  ${options.join(', ')}\n`);
    return `Usage: ${name} [OPTION]... [ARGUMENT]...\n${summary && `${summary}\n`}\nThese options are known:\n${lines.join('')}`;
  }
}

/**
 * Parses options like GNU getopt: anywhere among the operands until `--`. With `stopAtOperand` it stops at
 * the first operand.
 */
export function parseOptions(args: readonly string[], spec: OptionSpec, stopAtOperand = false): Options {
  const has = new Set<string>();
  const values = new Map<string, string[]>();
  const order: [string, string][] = [];
  const operands: string[] = [];
  const shorts = shortOptions(spec.short);
  const longs = longOptions(spec.long ?? [], shorts);

  const add = (name: string, value: string) => {
    has.add(name);
    order.push([name, value]);
    const list = values.get(name);
    if (list) list.push(value);
    else values.set(name, [value]);
  };

  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? '';
    if (arg === '--') {
      operands.push(...args.slice(i + 1));
      break;
    }
    if (arg.startsWith('--')) {
      const [, name = '', given] = /^--([^=]*)(?:=([\s\S]*))?$/.exec(arg) ?? [];
      if (arg === '--help' && !longs.has(name)) throw new Usage(spec);
      const option = longs.get(name) ?? onlyOneStartingWith(longs, name);
      if (!option) throw new Complaint(`unrecognized option '--${name}'`);
      if (!option.takesValue) add(option.name, option.mayHaveValue ? (given ?? '') : '');
      else if (given !== undefined) add(option.name, given);
      else if (++i < args.length) add(option.name, args[i] ?? '');
      else throw new Complaint(`option '--${name}' requires an argument`);
    } else if (arg.startsWith('-') && arg.length > 1) {
      for (let j = 1; j < arg.length; j++) {
        const letter = arg.charAt(j);
        const takesValue = shorts.get(letter);
        if (takesValue === undefined) throw new Complaint(`invalid option -- '${letter}'`);
        if (!takesValue) add(letter, '');
        else if (j + 1 < arg.length) add(letter, arg.slice(j + 1));
        else if (++i < args.length) add(letter, args[i] ?? '');
        else throw new Complaint(`option requires an argument -- '${letter}'`);
        if (takesValue) break;
      }
    } else {
      operands.push(...(stopAtOperand ? args.slice(i) : [arg]));
      if (stopAtOperand) break;
    }
  }
  return { has, values, order, operands };
}

function shortOptions(spec: string): Map<string, boolean> {
  const found = new Map<string, boolean>();
  for (const [, letter = '', colon] of spec.matchAll(/(.)(:?)/g)) found.set(letter, colon === ':');
  return found;
}

interface Long {
  readonly name: string;
  readonly takesValue: boolean;
  readonly mayHaveValue: boolean;
}

function longOptions(specs: readonly string[], shorts: ReadonlyMap<string, boolean>): Map<string, Long> {
  const found = new Map<string, Long>();
  for (const spec of specs) {
    const [name = '', short] = spec.split('=');
    const bare = name.replace(/[:?]$/, '');
    const takesValue = short ? shorts.get(short) === true : name.endsWith(':');
    found.set(bare, { name: short ?? bare, takesValue, mayHaveValue: name.endsWith('?') });
  }
  return found;
}

function onlyOneStartingWith(longs: ReadonlyMap<string, Long>, start: string): Long | undefined {
  const fitting = [...longs].filter(([name]) => start !== '' && name.startsWith(start));
  return fitting.length === 1 ? fitting[0]?.[1] : undefined;
}

/** The last value given for an option, or undefined. */
export function valueOf(options: Options, name: string): string | undefined {
  return options.values.get(name)?.at(-1);
}

/** The one of several options that was given last. */
export function lastOf(options: Pick<Options, 'order'>, ...names: readonly string[]): string | undefined {
  return options.order.findLast(([name]) => names.includes(name))?.[0];
}

/** Reads the value of an option as a whole number ≥ 0. */
export function countOf(options: Options, name: string): number | undefined {
  const value = valueOf(options, name);
  if (value === undefined) return undefined;
  if (!/^\d+$/.test(value)) throw new Complaint(`invalid number '${value}'`);
  return Number(value);
}
