import { Fatal } from './fatal.ts';

/**
 * The options of a git command as words: `message:` takes a value, `unified?` may have one attached, `merged!` takes the next
 * word where there is one, and `n|dry-run` has a short and a long form. The name of an option is its last word.
 */
export type OptionWords = string;

interface Known {
  readonly name: string;
  readonly takes: '' | ':' | '?' | '!';
}

export interface Given {
  /** Whether an option was given, and not taken back by its `--no-` form afterwards. */
  has(name: string): boolean;
  /** The last value of an option. */
  value(name: string): string | undefined;
  values(name: string): readonly string[];
  /** The options in the order given; those of the form `--no-name` have that as their name. */
  readonly order: readonly (readonly [name: string, value: string])[];
  /** The words that are no options, and how many of them stood in front of `--`; undefined without a `--`. */
  readonly operands: readonly string[];
  readonly dashes: number | undefined;
}

interface Parsing {
  readonly command: string;
  readonly words: OptionWords;
  readonly number: string | undefined;
  readonly shorts: Map<string, Known>;
  readonly longs: Map<string, Known>;
  readonly order: [string, string][];
}

function known(command: string, words: OptionWords, number: string | undefined): Parsing {
  const shorts = new Map<string, Known>();
  const longs = new Map<string, Known>();
  for (const word of words.split(/\s+/).filter(Boolean)) {
    const last = word.at(-1);
    const takes = last === ':' || last === '?' || last === '!' ? last : '';
    const names = word.replace(/[:?!]$/, '').split('|');
    const name = names.at(-1) ?? '';
    for (const each of names) (each.length === 1 ? shorts : longs).set(each, { name, takes });
  }
  return { command, words, number, shorts, longs, order: [] };
}

/** Returns the list of a command's options, which `git COMMAND -h` prints, and which is also printed after an unknown option. */
function usage({ command, words, number }: Parsing): string {
  const options = words
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => {
      const names = word.replace(/[:?!]$/, '').split('|');
      const value = word.endsWith(':') ? ' <value>' : /[?!]$/.test(word) ? '[=<value>]' : '';
      return names.map((name) => (name.length === 1 ? `-${name}` : `--${name}`)).join('|') + value;
    });
  const all = [...(number === undefined ? [] : ['-<number>']), ...options].sort();
  const program = command.startsWith('pr ') ? 'gh' : 'git';
  return `usage: ${program} ${command} [<options>] [<arguments>]\nThe options that are there:\n${inLines(all)}`;
}

const LINE = 100;

function inLines(words: readonly string[]): string {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length + 2 > LINE) lines.push(`    ${word}`);
    else lines[lines.length - 1] = `${last}, ${word}`;
  }
  return lines.join('\n');
}

/** Native git has other words for it where revisions are read, and where things are compared. */
const WALKS = new Set(['log', 'show', 'reflog', 'stash list']);
const COMPARES = new Set(['diff', 'stash show']);

function unknown(parsing: Parsing, shown: string, isShort: boolean): Fatal {
  const { command } = parsing;
  const option = `${isShort ? '-' : '--'}${shown}`;
  const text = usage(parsing);
  if (WALKS.has(command)) return new Fatal(`unrecognized argument: ${option}\n${text}`);
  if (COMPARES.has(command)) return new Fatal(`invalid option: ${option}\n${text}`, 255, 'error: ');
  return new Fatal(`unknown ${isShort ? 'switch' : 'option'} \`${shown}'\n${text}`, 129, 'error: ');
}

/** Parses as git does: options anywhere until `--`. `number` takes a bare `-3` as the value of that option. */
export function parse(
  command: string,
  args: readonly string[],
  words: OptionWords,
  { number, stops = false }: { readonly number?: string; readonly stops?: boolean } = {},
): Given {
  const parsing = known(command, words, number);
  if (args.length === 1 && args[0] === '-h') throw new Fatal(usage(parsing), 129, '');
  const operands: string[] = [];
  let dashes: number | undefined;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '--') {
      dashes = operands.length;
      operands.push(...args.slice(at + 1));
      break;
    }
    if (arg.startsWith('--')) at += long(parsing, arg, args[at + 1]);
    else if (number !== undefined && /^-\d+$/.test(arg)) parsing.order.push([number, arg.slice(1)]);
    else if (arg.startsWith('-') && arg !== '-') at += cluster(parsing, arg, args[at + 1]);
    else {
      if (stops) {
        operands.push(...args.slice(at));
        break;
      }
      operands.push(arg);
    }
  }
  return given(parsing.order, operands, dashes);
}

/** Answers how many further words it has taken. */
function long(parsing: Parsing, arg: string, next: string | undefined): number {
  const { longs, order } = parsing;
  const equals = arg.indexOf('=');
  const name = arg.slice(2, equals < 0 ? undefined : equals);
  const value = equals < 0 ? undefined : arg.slice(equals + 1);
  const starting = [...longs].filter(([each]) => each.startsWith(name));
  const option =
    longs.get(name) ??
    (new Set(starting.map(([, { name: one }]) => one)).size === 1 ? starting[0]?.[1] : undefined);
  if (!option) {
    const positive = name.startsWith('no-') ? longs.get(name.slice(3)) : undefined;
    // Other options that are known by their negative form alone are not there.
    const negative = positive ?? (name === 'verify' ? longs.get('no-verify') : undefined);
    if (!negative) throw unknown(parsing, name, false);
    order.push([`no-${negative.name}`, '']);
    return 0;
  }
  if (option.takes === '' && value !== undefined) {
    if (WALKS.has(parsing.command)) throw unknown(parsing, arg.slice(2), false);
    throw new Fatal(`option \`${option.name}' takes no value`, 129, 'error: ');
  }
  if (option.takes === '' || option.takes === '?' || value !== undefined) {
    order.push([option.name, value ?? '']);
    return 0;
  }
  if (option.takes === '!') {
    order.push([option.name, next ?? '']);
    return next === undefined ? 0 : 1;
  }
  if (next === undefined) throw new Fatal(`option \`${name}' requires a value`, 129, 'error: ');
  order.push([option.name, next]);
  return 1;
}

function cluster(parsing: Parsing, arg: string, next: string | undefined): number {
  const { shorts, order } = parsing;
  for (let at = 1; at < arg.length; at++) {
    const letter = arg.charAt(at);
    const option = shorts.get(letter);
    if (!option) throw unknown(parsing, letter, true);
    const rest = arg.slice(at + 1);
    if (option.takes === '') order.push([option.name, '']);
    else if (rest !== '' || option.takes === '?') {
      order.push([option.name, rest]);
      return 0;
    } else {
      if (next === undefined) throw new Fatal(`switch \`${letter}' requires a value`, 129, 'error: ');
      order.push([option.name, next]);
      return 1;
    }
  }
  return 0;
}

function given(
  order: readonly (readonly [string, string])[],
  operands: string[],
  dashes: number | undefined,
): Given {
  return {
    has: (name) => order.findLast(([each]) => each === name || each === `no-${name}`)?.[0] === name,
    value: (name) => order.findLast(([each]) => each === name)?.[1],
    values: (name) => order.filter(([each]) => each === name).map(([, value]) => value),
    order,
    operands,
    dashes,
  };
}

/** The operands in front of `--` and those behind it; without `--`, all are in front. */
export function aroundDashes({
  operands,
  dashes,
}: Given): [before: readonly string[], after: readonly string[] | undefined] {
  return dashes === undefined ? [operands, undefined] : [operands.slice(0, dashes), operands.slice(dashes)];
}
