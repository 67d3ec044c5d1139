import { parseDate } from '../date-text.ts';
import { strftime } from '../strftime.ts';
import type { JqMachine, Native, Natives } from './evaluate.ts';
import { BadJson, brief, byText, compare, JqError, kind, parseJson, printed, type Json } from './json.ts';
import { operate } from './operators.ts';
import { withoutPaths, withPath } from './paths.ts';

/** What jq defines in its own language. */
export const PRELUDE = `
def not: if . then false else true end;
def map(f): [.[] | f];
def map_values(f): .[] |= f;
def recurse(f): def r: ., (f | r); r;
def recurse(f; cond): def r: ., (f | select(cond) | r); r;
def values: select(. != null);
def nulls: select(. == null);
def booleans: select(type == "boolean");
def numbers: select(type == "number");
def strings: select(type == "string");
def arrays: select(type == "array");
def objects: select(type == "object");
def iterables: select(type | . == "array" or . == "object");
def scalars: select(type | . != "array" and . != "object");
def error(m): m | error;
def add(f): reduce f as $x (null; . + $x);
def range($x): range(0; $x);
def while(cond; update): def w: if cond then ., (update | w) else empty end; w;
def until(cond; update): def u: if cond then . else (update | u) end; u;
def repeat(f): def r: ., (f | r); r;
def to_entries: [keys_unsorted[] as $k | {key: $k, value: .[$k]}];
def from_entries: reduce .[] as $x ({}; . + {($x | if type == "object" then (if has("key") then .key elif has("k") then .k elif has("name") then .name elif has("Name") then .Name elif has("Key") then .Key else .K end) else . end | if type == "string" then . elif type == "null" then "null" else tojson end): ($x | if type == "object" then (if has("value") then .value elif has("v") then .v elif has("Value") then .Value else .V end) else null end)});
def with_entries(f): to_entries | map(f) | from_entries;
def paths: path(..) | select(length > 0);
def paths(f): path(.. | select(f)) | select(length > 0);
def leaf_paths: paths(scalars);
def del(f): delpaths([path(f)]);
def any: reduce .[] as $x (false; . or $x);
def all: reduce .[] as $x (true; . and $x);
def any(f): isempty(first(.[] | f | select(.))) | not;
def all(f): isempty(first(.[] | f | select(. | not)));
def any(g; f): isempty(first(g | f | select(.))) | not;
def all(g; f): isempty(first(g | f | select(. | not)));
def in(o): . as $k | o | has($k);
def inside(o): . as $x | o | contains($x);
def first: .[0];
def last: .[-1];
def last(f): reduce f as $x (null; $x);
def nth($n): .[$n];
def nth($n; f): last(limit($n + 1; f));
def combinations: if length == 0 then [] else .[0][] as $x | (.[1:] | combinations) as $w | [$x] + $w end;
def combinations(n): . as $dot | [range(n)] | map($dot) | combinations;
def walk(f): def w: if type == "object" then map_values(w) elif type == "array" then map(w) else . end | f; w;
def env: $ENV;
def input_filename: null;
def sort_by(f): [.[] | {k: [f], v: .}] | _sorted;
def group_by(f): [.[] | {k: [f], v: .}] | _grouped;
def unique_by(f): [.[] | {k: [f], v: .}] | _grouped | map(.[0]);
def min_by(f): [.[] | {k: [f], v: .}] | _least;
def max_by(f): [.[] | {k: [f], v: .}] | _most;
def unique: unique_by(.);
def match(re): match(re; null);
def test(re): test(re; null);
def capture(re; flags): match(re; flags) | [.captures | .[] | select(.name != null) | {key: .name, value: .string}] | from_entries;
def scan(re; flags): match(re; "g" + (flags // "")) | if (.captures | length) > 0 then [.captures[].string] else .string end;
def splits(re; flags): split(re; flags) | .[];
def sub(re; str; flags): . as $in | [match(re; flags)] as $ms | (reduce $ms[] as $m ({at: 0, out: [""]}; . as $s | .out = [.out[] as $o | ([$m.captures[] | select(.name != null) | {key: .name, value: .string}] | from_entries | str) as $r | $o + $in[$s.at:$m.offset] + $r] | .at = $m.offset + $m.length)) as $end | $end.out[] + $in[$end.at:];
def todate: strftime("%Y-%m-%dT%H:%M:%SZ");
def fromdateiso8601: strptime("%Y-%m-%dT%H:%M:%SZ") | mktime;
def todateiso8601: strftime("%Y-%m-%dT%H:%M:%SZ");
def fromdate: fromdateiso8601;
def date: todate;
def dateadd(u; n): . + n;
def datesub(u; n): . - n;
def finites: select(isinfinite or isnan | not);
def normals: select(isnormal);
def tostream: path(def r: (.[]? | r), .; r) as $p | getpath($p) | reduce path(.[]?) as $q ([$p, .]; [$p + $q]);
def fromstream(f): {x: null, e: false} as $init | foreach f as $i ($init; if .e then $init else . end | if $i | length == 2 then setpath(["e"]; $i[0] | length == 0) | setpath(["x"] + $i[0]; $i[1]) else setpath(["e"]; $i[0] | length == 1) end; if .e then .x else empty end);
def INDEX(stream; f): reduce stream as $row ({}; .[$row | f | tostring] |= $row);
def INDEX(f): INDEX(.[]; f);
def IN(s): any(s == .; .);
def IN(src; s): any(src == s; .);
def ltrimstr($x): _ltrimstr($x);
def rtrimstr($x): _rtrimstr($x);
def pick(f): . as $top | reduce path(f) as $p (null; setpath($p; $top | getpath($p)));
def debug(m): (m | debug | empty), .;
def abs: if type == "number" and . < 0 then -. else . end;
def toarray: if type == "array" then . else [.] end;
def have_literal_numbers: true;
def halt_error: halt_error(5);
def join($x): reduce .[] as $i (null; (if . == null then "" else . + $x end) + ($i | if . == null then "" elif type == "string" then . else tojson end)) // "";
def flatten: flatten(1e9);
def min: min_by(.);
def max: max_by(.);
def capture(re): capture(re; null);
def scan(re): scan(re; null);
def splits(re): splits(re; null);
def sub(re; str): sub(re; str; "");
def gsub(re; str): sub(re; str; "g");
def gsub(re; str; flags): sub(re; str; flags + "g");
`;

function wrong(value: Json, what: string): JqError {
  return new JqError(`${kind(value)} (${brief(value)}) ${what}`);
}

function listOf(value: Json, what: string): Json[] {
  if (Array.isArray(value)) return value;
  throw wrong(value, what);
}

function stringOf(value: Json, what = 'is not a string'): string {
  if (typeof value === 'string') return value;
  throw wrong(value, what);
}

function numberOf(value: Json, what = 'number required'): number {
  if (typeof value === 'number') return value;
  throw wrong(value, what);
}

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

/** `{k, v}` pairs, as the prelude makes them. */
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

function regexOf(pattern: Json, flags: Json): { readonly regex: RegExp; readonly global: boolean } {
  const [source, given] = Array.isArray(pattern)
    ? [pattern[0] ?? null, pattern[1] ?? null]
    : [pattern, flags];
  const letters = given === null ? '' : stringOf(given);
  let text = stringOf(source, 'cannot be matched, as it is not a string').replace(
    /\(\?<([A-Za-z_]\w*)>/g,
    '(?<$1>',
  );
  if (letters.includes('x'))
    text = text.replace(/\\[^]|\[[^\]]*\]|\s+|#.*/g, (part) => (/^(\s|#)/.test(part) ? '' : part));
  const all = letters.includes('g');
  try {
    return {
      regex: new RegExp(text, `gu${letters.includes('i') ? 'i' : ''}${letters.includes('s') ? 's' : ''}`),
      global: all,
    };
  } catch {
    throw new JqError(`${text} (at offset 0) is not a valid regex`);
  }
}

function* matches(input: Json, pattern: Json, flags: Json): Generator<Json, void, undefined> {
  const text = stringOf(input, 'cannot be matched, as it is not a string');
  const { regex, global } = regexOf(pattern, flags);
  const place = (at: number) => [...text.slice(0, at)].length;
  for (const hit of text.matchAll(new RegExp(regex.source, `${regex.flags}d`))) {
    const indices = hit.indices;
    const names = Object.entries(indices?.groups ?? {});
    const captures = hit.slice(1).map((group: string | undefined, at): Json => {
      const span = indices?.[at + 1];
      const name =
        names.find(([, other]) => other !== undefined && other === span)?.[0] ?? groupName(regex.source, at);
      return new Map<string, Json>([
        ['offset', span ? place(span[0]) : -1],
        ['length', [...(group ?? '')].length],
        ['string', group ?? null],
        ['name', name ?? null],
      ]);
    });
    yield new Map<string, Json>([
      ['offset', place(hit.index)],
      ['length', [...hit[0]].length],
      ['string', hit[0]],
      ['captures', captures],
    ]);
    if (!global) return;
  }
}

/** The name of the group with this number, counted from 0. */
function groupName(source: string, wanted: number): string | undefined {
  let at = -1;
  for (const [, name] of source
    .replace(/\\[^]|\[(?:\\[^]|[^\]])*\]/g, '')
    .matchAll(/\((?!\?(?!<[A-Za-z_]))(?:\?<(\w+)>)?/g))
    if (++at === wanted) return name;
  return undefined;
}

function brokenDown(seconds: number): Json[] {
  const at = new Date(seconds * 1000);
  const start = Date.UTC(at.getUTCFullYear(), 0, 1);
  return [
    at.getUTCFullYear(),
    at.getUTCMonth(),
    at.getUTCDate(),
    at.getUTCHours(),
    at.getUTCMinutes(),
    at.getUTCSeconds() + (seconds - Math.floor(seconds)),
    at.getUTCDay(),
    Math.floor((at.getTime() - start) / 86_400_000),
  ];
}

function secondsOf(value: Json): number {
  if (typeof value === 'number') return value;
  const [year = 1970, month = 0, day = 1, hour = 0, minute = 0, second = 0] = listOf(
    value,
    'mktime requires array of 6 numbers',
  ).map((part) => numberOf(part));
  return Math.floor(Date.UTC(year, month, day, hour, minute, Math.floor(second)) / 1000);
}

function parsedTime(text: Json, format: string): Json {
  const written = stringOf(text, 'strptime/1 requires string inputs and arguments');
  const moment = parseDate(written.replace(/Z$/, ' UTC'), { seconds: 0, nanoseconds: 0 }, 'UTC');
  if (!moment) throw new JqError(`date "${written}" does not match format "${format}"`);
  return brokenDown(moment.seconds);
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

/** The program ends here, with something to say. */
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
