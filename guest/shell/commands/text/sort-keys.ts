export interface Ordering {
  readonly blanks: boolean;
  readonly dictionary: boolean;
  readonly fold: boolean;
  readonly printing: boolean;
  readonly reverse: boolean;
  readonly kind: 'n' | 'g' | 'h' | 'M' | 'V' | 'R' | undefined;
}

/**
 * A sort key. Fields and characters count from 0; without `endField` the key extends to the end of the line.
 */
export interface Key {
  readonly field: number;
  readonly char: number;
  readonly endField: number | undefined;
  /** The value 0 means the whole field. */
  readonly endChar: number;
  readonly startBlanks: boolean;
  readonly endBlanks: boolean;
  readonly ordering: Ordering;
}

export interface Sorting {
  readonly keys: readonly Key[];
  readonly global: Ordering;
  readonly separator: string | undefined;
  /** Compares lines with equal keys as a whole. */
  readonly lastResort: boolean;
}

/** Compares lines by their index. Keys are extracted once. */
export function comparisonOf(lines: readonly string[], sorting: Sorting): (a: number, b: number) => number {
  const { keys, global, separator, lastResort } = sorting;
  const comparisons =
    keys.length > 0
      ? keys.map((key) =>
          ofKey(
            lines.map((line) => extract(line, key, separator)),
            key.ordering,
          ),
        )
      : [
          ofKey(
            lines.map((line) => (global.blanks ? line.trimStart() : line)),
            global,
          ),
        ];
  const isPlain = keys.length === 0 && !global.kind && !global.fold && !global.dictionary && !global.printing;
  const sign = global.reverse ? -1 : 1;
  return (a, b) => {
    for (const comparison of comparisons) {
      const order = comparison(a, b);
      if (order !== 0) return order;
    }
    return lastResort && !(isPlain && !global.blanks) ? sign * byText(lines[a] ?? '', lines[b] ?? '') : 0;
  };
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function ofKey(texts: readonly string[], ordering: Ordering): (a: number, b: number) => number {
  const sign = ordering.reverse ? -1 : 1;
  const numbers = (of: (text: string) => number) => {
    const values = Float64Array.from(texts, of);
    return (a: number, b: number) => sign * ((values[a] ?? 0) - (values[b] ?? 0) || 0);
  };
  switch (ordering.kind) {
    case 'n':
      return numbers((text) =>
        Number(/^\s*(-?\d*(?:\.\d*)?)/.exec(text)?.[1]?.replace(/^(-?)\.?$/, '0') ?? 0),
      );
    case 'g': {
      const compare = numbers((text) => {
        const found = /^\s*[-+]?(?:inf(?:inity)?|nan|0x[0-9a-f]+|(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)/i.exec(
          text,
        )?.[0];
        if (found === undefined) return Number.NEGATIVE_INFINITY;
        return /inf/i.test(found) ? (found.includes('-') ? -1e308 : 1e308) : Number(found);
      });
      return (a, b) => compare(a, b) || 0;
    }
    case 'h':
      return numbers(humanSize);
    case 'M':
      return numbers((text) => MONTHS.indexOf(text.trimStart().slice(0, 3).toUpperCase()));
    case 'V':
      return (a, b) => sign * byVersion(texts[a] ?? '', texts[b] ?? '');
    case 'R': {
      const seed = Math.random();
      return numbers((text) => hash(text, seed));
    }
    case undefined: {
      const made = texts.map((text) => {
        let key = text;
        if (ordering.dictionary) key = key.replace(/[^\p{L}\p{N}\s]/gu, '');
        if (ordering.printing) key = key.replace(/[^\x20-\x7e]/g, '');
        return ordering.fold ? key.toUpperCase() : key;
      });
      return (a, b) => sign * byText(made[a] ?? '', made[b] ?? '');
    }
  }
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** Reads a size so that larger units outrank larger numbers, as for `du -h`. */
function humanSize(text: string): number {
  const [, sign = '', digits = '', unit = ''] = /^\s*(-?)(\d*\.?\d*)([KkMGTPEZY]?)/.exec(text) ?? [];
  const amount = Number(digits || 0);
  if (amount === 0) return 0;
  const power = unit === '' ? 0 : 'KMGTPEZY'.indexOf(unit.toUpperCase()) + 1;
  return (sign === '-' ? -1 : 1) * (power * 1e15 + amount);
}

function hash(text: string, seed: number): number {
  let value = Math.floor(seed * 2 ** 32);
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 16777619);
  return value >>> 0;
}

/**
 * Compares versions: runs of digits as numbers, the rest as text with `~` before everything and letters
 * before other characters.
 */
export function byVersion(a: string, b: string): number {
  const [x, y] = [a, b].map((text) => text.match(/\d+|\D+/g) ?? []);
  if (!x || !y) return 0;
  for (let at = 0; at < Math.max(x.length, y.length); at++) {
    const [s = '', t = ''] = [x[at], y[at]];
    if (s === t) continue;
    const bothNumbers = /^\d/.test(s) && /^\d/.test(t);
    if (bothNumbers) {
      const order = Number(s) - Number(t);
      if (order !== 0) return order;
      continue;
    }
    const [left, right] = [/^\d/.test(s) ? '' : s, /^\d/.test(t) ? '' : t];
    for (let i = 0; i < Math.max(left.length, right.length); i++) {
      const order = rank(left.charAt(i)) - rank(right.charAt(i));
      if (order !== 0) return order;
    }
  }
  return byText(a, b);
}

function rank(char: string): number {
  if (char === '') return 0;
  if (char === '~') return -1;
  const code = char.codePointAt(0) ?? 0;
  return /[A-Za-z]/.test(char) ? code : code + 1000;
}

/** The positions of the fields. Without a separator, leading blanks belong to a field. */
function fieldsOf(line: string, separator: string | undefined): [start: number, end: number][] {
  const fields: [number, number][] = [];
  if (separator !== undefined) {
    let from = 0;
    for (let at = line.indexOf(separator); at >= 0; at = line.indexOf(separator, from)) {
      fields.push([from, at]);
      from = at + separator.length;
    }
    fields.push([from, line.length]);
    return fields;
  }
  for (const hit of line.matchAll(/[ \t]*[^ \t]+|[ \t]+$/g))
    fields.push([hit.index, hit.index + hit[0].length]);
  return fields;
}

function extract(line: string, key: Key, separator: string | undefined): string {
  const fields = fieldsOf(line, separator);
  const first = fields[key.field];
  if (!first) return '';
  let start = first[0];
  if (key.startBlanks) while (start < line.length && /[ \t]/.test(line.charAt(start))) start++;
  start = Math.min(start + key.char, line.length);
  let end = line.length;
  if (key.endField !== undefined) {
    const last = fields[key.endField];
    if (last) {
      if (key.endChar === 0) end = last[1];
      else {
        let from = last[0];
        if (key.endBlanks) while (from < line.length && /[ \t]/.test(line.charAt(from))) from++;
        end = Math.min(from + key.endChar, line.length);
      }
    }
  }
  return end > start ? line.slice(start, end) : '';
}
