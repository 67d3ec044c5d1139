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
  readonly shorts: Map<string, Known>;
  readonly longs: Map<string, Known>;
  readonly order: [string, string][];
}

function known(words: OptionWords): Parsing {
  const shorts = new Map<string, Known>();
  const longs = new Map<string, Known>();
  for (const word of words.split(/\s+/).filter(Boolean)) {
    const last = word.at(-1);
    const takes = last === ':' || last === '?' || last === '!' ? last : '';
    const names = word.replace(/[:?!]$/, '').split('|');
    const name = names.at(-1) ?? '';
    for (const each of names) (each.length === 1 ? shorts : longs).set(each, { name, takes });
  }
  return { shorts, longs, order: [] };
}

function unknown(command: string, shown: string, isShort: boolean): Fatal {
  const kind = isShort ? 'switch' : 'option';
  return new Fatal(
    `unknown ${kind} \`${shown}'\nusage: git ${command} …; docs/git.md lists what is there`,
    129,
    'error: ',
  );
}

/** Parses as git does: options anywhere until `--`. `number` takes a bare `-3` as the value of that option. */
export function parse(
  command: string,
  args: readonly string[],
  words: OptionWords,
  { number, stops = false }: { readonly number?: string; readonly stops?: boolean } = {},
): Given {
  const parsing = known(words);
  const operands: string[] = [];
  let dashes: number | undefined;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '--') {
      dashes = operands.length;
      operands.push(...args.slice(at + 1));
      break;
    }
    if (arg.startsWith('--')) at += long(command, parsing, arg, args[at + 1]);
    else if (number !== undefined && /^-\d+$/.test(arg)) parsing.order.push([number, arg.slice(1)]);
    else if (arg.startsWith('-') && arg !== '-') at += cluster(command, parsing, arg, args[at + 1]);
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
function long(command: string, { longs, order }: Parsing, arg: string, next: string | undefined): number {
  const equals = arg.indexOf('=');
  const name = arg.slice(2, equals < 0 ? undefined : equals);
  const value = equals < 0 ? undefined : arg.slice(equals + 1);
  const starting = [...longs].filter(([each]) => each.startsWith(name));
  const option =
    longs.get(name) ??
    (new Set(starting.map(([, { name: one }]) => one)).size === 1 ? starting[0]?.[1] : undefined);
  if (!option) {
    const positive = name.startsWith('no-') ? longs.get(name.slice(3)) : undefined;
    if (!positive) throw unknown(command, name, false);
    order.push([`no-${positive.name}`, '']);
    return 0;
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

function cluster(command: string, { shorts, order }: Parsing, arg: string, next: string | undefined): number {
  for (let at = 1; at < arg.length; at++) {
    const letter = arg.charAt(at);
    const option = shorts.get(letter);
    if (!option) throw unknown(command, letter, true);
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
