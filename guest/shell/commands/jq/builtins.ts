import { strftime } from '../../kit/strftime.ts';
import type { JqMachine, Native, Natives } from './evaluate.ts';
import { BadJson, brief, byText, compare, JqError, kind, parseJson, printed, type Json } from './json.ts';
import { operate } from './operators.ts';
import { withoutPaths, withPath } from './paths.ts';
import { matches, regexOf } from './regex.ts';
import { brokenDown, parsedTime, secondsOf } from './times.ts';
import { listOf, numberOf, stringOf, wrong } from './typed.ts';

const one =
  (f: (input: Json, args: readonly Json[], machine: JqMachine) => Json): Native =>
  (machine, input, args) => [f(input, args, machine)];

function keysOf(value: Json, sorted: boolean): Json[] {
  if (Array.isArray(value)) return value.map((_item, at) => at);
  if (value instanceof Map) return sorted ? [...value.keys()].sort(byText) : [...value.keys()];
  throw wrong(value, 'has no keys');
}

function contains(a: Json, b: Json): boolean {
  if (a instanceof Map && b instanceof Map)
    return [...b].every(([key, value]) => a.has(key) && contains(a.get(key) ?? null, value));
  if (Array.isArray(a) && Array.isArray(b))
    return b.every((item) => a.some((other) => contains(other, item)));
  if (typeof a === 'string' && typeof b === 'string') return a.includes(b);
  if (kind(a) === kind(b)) return compare(a, b) === 0;
  throw new JqError(
    `${kind(a)} (${brief(a)}) and ${kind(b)} (${brief(b)}) cannot have their containment checked`,
  );
}

function flattened(value: Json, depth: number): Json[] {
  return listOf(value, 'cannot be flattened').flatMap((item) =>
    Array.isArray(item) && depth > 0 ? flattened(item, depth - 1) : [item],
  );
}

function lengthOf(value: Json): Json {
  if (value === null) return 0;
  if (typeof value === 'number') return Math.abs(value);
  if (typeof value === 'string') return [...value].length;
  if (Array.isArray(value)) return value.length;
  if (value instanceof Map) return value.size;
  throw wrong(value, 'has no length');
}

/** Reads the `{k, v}` pairs that the prelude makes. */
function pairs(value: Json): { readonly key: Json; readonly value: Json }[] {
  return listOf(value, 'cannot be sorted, as it is not an array').map((pair) => {
    const map = pair instanceof Map ? pair : new Map<string, Json>();
    return { key: map.get('k') ?? null, value: map.get('v') ?? null };
  });
}

function sortedPairs(value: Json) {
  return pairs(value).sort((a, b) => compare(a.key, b.key));
}

function grouped(value: Json): Json[] {
  const groups: { readonly key: Json; readonly items: Json[] }[] = [];
  for (const { key, value: item } of sortedPairs(value)) {
    const last = groups.at(-1);
    if (last && compare(last.key, key) === 0) last.items.push(item);
    else groups.push({ key, items: [item] });
  }
  return groups.map(({ items }) => items);
}

function parsed(text: string): Json {
  try {
    const [value, more] = [...parseJson(text)];
    if (value === undefined || more !== undefined) throw new BadJson('Unexpected extra JSON values');
    return value;
  } catch (error) {
    throw error instanceof BadJson ? new JqError(`${error.message} (while parsing '${text}')`) : error;
  }
}

const MATH = [
  'floor',
  'ceil',
  'round',
  'sqrt',
  'sin',
  'cos',
  'tan',
  'asin',
  'acos',
  'atan',
  'exp',
  'log',
  'log2',
  'log10',
  'cbrt',
  'trunc',
  'sinh',
  'cosh',
  'tanh',
] as const;

export const NATIVES: Natives = new Map<string, Native>([
  ...MATH.map((name): [string, Native] => [`${name}/0`, one((input) => Math[name](numberOf(input)))]),
  ['fabs/0', one((input) => Math.abs(numberOf(input)))],
  ['exp2/0', one((input) => 2 ** numberOf(input))],
  ['exp10/0', one((input) => 10 ** numberOf(input))],
  ['pow/2', one((_input, [a = 0, b = 0]) => numberOf(a) ** numberOf(b))],
  ['atan2/2', one((_input, [a = 0, b = 0]) => Math.atan2(numberOf(a), numberOf(b)))],
  ['log/0', one((input) => Math.log(numberOf(input)))],
  ['infinite/0', one(() => Infinity)],
  ['nan/0', one(() => NaN)],
  ['isinfinite/0', one((input) => Math.abs(numberOf(input)) === Infinity)],
  ['isnan/0', one((input) => Number.isNaN(numberOf(input)))],
  ['isnormal/0', one((input) => Number.isFinite(numberOf(input)) && input !== 0)],
  ['length/0', one(lengthOf)],
  ['utf8bytelength/0', one((input) => new TextEncoder().encode(stringOf(input)).length)],
  ['keys/0', one((input) => keysOf(input, true))],
  ['keys_unsorted/0', one((input) => keysOf(input, false))],
  [
    'has/1',
    one((input, [key = null]) => {
      if (input instanceof Map && typeof key === 'string') return input.has(key);
      if (Array.isArray(input) && typeof key === 'number') return key >= 0 && key < input.length;
      throw new JqError(
        `Cannot check whether ${kind(input)} has a ${typeof key === 'string' ? 'string' : kind(key)} key`,
      );
    }),
  ],
  ['contains/1', one((input, [other = null]) => contains(input, other))],
  [
    'add/0',
    one((input) =>
      [...(input instanceof Map ? input.values() : listOf(input, 'cannot be added'))].reduce<Json>(
        (sum, item) => operate('+', sum, item),
        null,
      ),
    ),
  ],
  [
    'range/2',
    function* (_machine, _input, [from = 0, to = 0]) {
      for (let at = numberOf(from); at < numberOf(to); at++) yield at;
    },
  ],
  [
    'range/3',
    function* (_machine, _input, [from = 0, to = 0, by = 1]) {
      const [start, end, step] = [numberOf(from), numberOf(to), numberOf(by)];
      if (step === 0) return;
      for (let at = start; step > 0 ? at < end : at > end; at += step) yield at;
    },
  ],
  ['type/0', one(kind)],
  ['tostring/0', one((input) => (typeof input === 'string' ? input : printed(input)))],
  ['tojson/0', one((input) => printed(input))],
  ['fromjson/0', one((input) => parsed(stringOf(input)))],
  [
    'tonumber/0',
    one((input) => {
      if (typeof input === 'number') return input;
      const text = stringOf(input, 'cannot be parsed as a number');
      if (!/^\s*-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\s*$/.test(text))
        throw new JqError(`Cannot parse '${text}' as JSON`);
      return Number(text);
    }),
  ],
  ['sort/0', one((input) => [...listOf(input, 'cannot be sorted, as it is not an array')].sort(compare))],
  ['_sorted/0', one((input) => sortedPairs(input).map(({ value }) => value))],
  ['_grouped/0', one((input) => grouped(input))],
  [
    '_least/0',
    one(
      (input) =>
        pairs(input).reduce<{ key: Json; value: Json } | undefined>(
          (least, pair) => (least && compare(least.key, pair.key) <= 0 ? least : pair),
          undefined,
        )?.value ?? null,
    ),
  ],
  [
    '_most/0',
    one(
      (input) =>
        pairs(input).reduce<{ key: Json; value: Json } | undefined>(
          (most, pair) => (most && compare(most.key, pair.key) > 0 ? most : pair),
          undefined,
        )?.value ?? null,
    ),
  ],
  [
    'reverse/0',
    one((input) =>
      input === null
        ? []
        : typeof input === 'string'
          ? [...input].reverse().join('')
          : [...listOf(input, 'cannot be reversed, as it is not an array')].reverse(),
    ),
  ],
  ['flatten/1', one((input, [depth = 0]) => flattened(input, numberOf(depth)))],
  [
    'transpose/0',
    one((input) => {
      const rows = listOf(input, 'cannot be transposed').map((row) => listOf(row, 'cannot be transposed'));
      const width = Math.max(0, ...rows.map((row) => row.length));
      return Array.from({ length: width }, (_, at) => rows.map((row) => row[at] ?? null));
    }),
  ],
  [
    'explode/0',
    one((input) => [...stringOf(input, 'cannot be exploded')].map((char) => char.codePointAt(0) ?? 0)),
  ],
  [
    'implode/0',
    one((input) =>
      String.fromCodePoint(...listOf(input, 'implode input must be an array').map((code) => numberOf(code))),
    ),
  ],
  [
    'ascii_downcase/0',
    one((input) => stringOf(input, 'cannot be converted').replace(/[A-Z]/g, (char) => char.toLowerCase())),
  ],
  [
    'ascii_upcase/0',
    one((input) => stringOf(input, 'cannot be converted').replace(/[a-z]/g, (char) => char.toUpperCase())),
  ],
  [
    '_ltrimstr/1',
    one((input, [start = null]) =>
      typeof input === 'string' && typeof start === 'string' && input.startsWith(start)
        ? input.slice(start.length)
        : input,
    ),
  ],
  [
    '_rtrimstr/1',
    one((input, [end = null]) =>
      typeof input === 'string' && typeof end === 'string' && end !== '' && input.endsWith(end)
        ? input.slice(0, -end.length)
        : input,
    ),
  ],
  [
    'startswith/1',
    one((input, [start = null]) =>
      stringOf(input, 'startswith() requires string inputs').startsWith(
        stringOf(start, 'startswith() requires string inputs'),
      ),
    ),
  ],
  [
    'endswith/1',
    one((input, [end = null]) =>
      stringOf(input, 'endswith() requires string inputs').endsWith(
        stringOf(end, 'endswith() requires string inputs'),
      ),
    ),
  ],
  ['trim/0', one((input) => stringOf(input, 'trim input must be a string').trim())],
  ['ltrim/0', one((input) => stringOf(input, 'trim input must be a string').trimStart())],
  ['rtrim/0', one((input) => stringOf(input, 'trim input must be a string').trimEnd())],
  [
    'split/1',
    one((input, [by = null]) =>
      operate(
        '/',
        stringOf(input, 'split input and separator must be strings'),
        stringOf(by, 'split input and separator must be strings'),
      ),
    ),
  ],
  [
    'split/2',
    one((input, [pattern = null, flags = null]) => {
      const text = stringOf(input, 'cannot be matched, as it is not a string');
      const { regex } = regexOf(pattern, flags);
      const pieces: string[] = [];
      let from = 0;
      for (const hit of text.matchAll(regex)) {
        pieces.push(text.slice(from, hit.index));
        from = hit.index + hit[0].length;
      }
      return [...pieces, text.slice(from)];
    }),
  ],
  ['match/2', (_machine, input, [pattern = null, flags = null]) => matches(input, pattern, flags)],
  [
    'test/2',
    one((input, [pattern = null, flags = null]) => matches(input, pattern, flags).next().done !== true),
  ],
  [
    'setpath/2',
    one((input, [path = null, value = null]) =>
      withPath(input, listOf(path, 'Path must be specified as an array'), value),
    ),
  ],
  [
    'delpaths/1',
    one((input, [paths = null]) =>
      withoutPaths(
        input,
        listOf(paths, 'Paths must be specified as an array').map((path) =>
          listOf(path, 'Path must be specified as an array'),
        ),
      ),
    ),
  ],
  ['indices/1', one((input, [what = null]) => indices(input, what))],
  ['index/1', one((input, [what = null]) => indices(input, what)[0] ?? null)],
  ['rindex/1', one((input, [what = null]) => indices(input, what).at(-1) ?? null)],
  ['input/0', one((_input, _args, machine) => nextInput(machine))],
  [
    'inputs/0',
    function* (machine) {
      for (let next = machine.inputs.next(); next.done !== true; next = machine.inputs.next())
        yield next.value;
    },
  ],
  ['debug/0', one((input) => input)],
  ['stderr/0', one((input) => input)],
  ['now/0', one(() => Date.now() / 1000)],
  ['gmtime/0', one((input) => brokenDown(numberOf(input)))],
  ['localtime/0', one((input) => brokenDown(numberOf(input)))],
  ['mktime/0', one((input) => secondsOf(input))],
  [
    'strftime/1',
    one((input, [format = null]) =>
      strftime(stringOf(format), { seconds: Math.floor(secondsOf(input)), nanoseconds: 0 }, 'UTC'),
    ),
  ],
  [
    'strflocaltime/1',
    one((input, [format = null], machine) =>
      strftime(stringOf(format), { seconds: Math.floor(secondsOf(input)), nanoseconds: 0 }, machine.zone),
    ),
  ],
  ['strptime/1', one((input, [format = null]) => parsedTime(input, stringOf(format)))],
  ['builtins/0', one(() => [...NATIVES.keys()].filter((name) => !name.startsWith('_')))],
  [
    'halt/0',
    () => {
      throw new Halt(0, undefined);
    },
  ],
  [
    'halt_error/1',
    (_machine, input, [code = 5]) => {
      throw new Halt(numberOf(code), input);
    },
  ],
  ['ascii/0', one((input) => String.fromCharCode(numberOf(input)))],
  ['bsearch/1', one((input, [wanted = null]) => bsearch(listOf(input, 'cannot be searched from'), wanted))],
]);

/** Thrown to end the program with an exit code and a message. */
export class Halt extends Error {
  readonly code: number;
  readonly said: Json | undefined;

  constructor(code: number, said: Json | undefined) {
    super('halt');
    this.code = code;
    this.said = said;
  }
}

function bsearch(list: readonly Json[], wanted: Json): number {
  const at = list.findIndex((item) => compare(item, wanted) >= 0);
  if (at >= 0 && compare(list[at] ?? null, wanted) === 0) return at;
  return -1 - (at < 0 ? list.length : at);
}

function nextInput(machine: JqMachine): Json {
  const next = machine.inputs.next();
  if (next.done === true) throw new JqError('No more inputs');
  return next.value;
}

function indices(input: Json, what: Json): Json[] {
  if (input === null) return [];
  if (typeof input === 'string' && typeof what === 'string') {
    const found: number[] = [];
    if (what === '') return found;
    for (let at = input.indexOf(what); at >= 0; at = input.indexOf(what, at + 1))
      found.push([...input.slice(0, at)].length);
    return found;
  }
  const list = listOf(input, 'cannot be searched');
  const wanted = what;
  if (!Array.isArray(wanted)) return list.flatMap((item, at) => (compare(item, wanted) === 0 ? [at] : []));
  if (wanted.length === 0) return [];
  return list.flatMap((_item, at) => (compare(list.slice(at, at + wanted.length), wanted) === 0 ? [at] : []));
}
