/** A range of the text: `[start, end)` in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds `wanted` in `text`. If there is no exact match, line endings may differ, then typographic punctuation, then
 * whitespace at line ends. Nothing else may, so that a match is never larger than what was asked for. With `apart`
 * matches do not overlap; without it every match is returned.
 */
export function find(text: string, wanted: string, apart: boolean): readonly Span[] {
  const exact = findExact(text, wanted, apart);
  if (exact.length > 0) return exact;
  for (const tolerance of LEVELS) {
    const spans = findSimplified(simplify(text, tolerance), simplify(wanted, tolerance), apart);
    if (spans.length > 0) return spans;
  }
  return [];
}

function findExact(text: string, wanted: string, apart: boolean): Span[] {
  const spans: Span[] = [];
  if (wanted === '') return spans;
  const step = apart ? wanted.length : 1;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + step)) {
    spans.push({ start: at, end: at + wanted.length });
  }
  return spans;
}

interface Tolerance {
  readonly punctuation: boolean;
  readonly trailing: boolean;
}

const LEVELS: readonly Tolerance[] = [
  { punctuation: false, trailing: false },
  { punctuation: true, trailing: false },
  { punctuation: true, trailing: true },
];

const PLAIN: Readonly<Record<string, string>> = {
  '\u2018': "'",
  '\u2019': "'",
  '\u201a': "'",
  '\u201b': "'",
  '\u2032': "'",
  '\u201c': '"',
  '\u201d': '"',
  '\u201e': '"',
  '\u201f': '"',
  '\u2033': '"',
  '\u2010': '-',
  '\u2011': '-',
  '\u2012': '-',
  '\u2013': '-',
  '\u2014': '-',
  '\u2015': '-',
  '\u2212': '-',
  '\u2026': '...',
  '\u00a0': ' ',
  '\u2002': ' ',
  '\u2003': ' ',
  '\u2007': ' ',
  '\u2009': ' ',
  '\u202f': ' ',
  '\u3000': ' ',
};

/** A simplified text, with the start and end of each of its units in the original. */
interface Simplified {
  readonly text: string;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** Whether trailing whitespace was removed from the last line: a match must then end at the end of a line. */
  readonly openEnd: boolean;
}

const [TAB, NEWLINE, RETURN, SPACE] = [0x09, 0x0a, 0x0d, 0x20];
const LONGEST = Math.max(...Object.values(PLAIN).map((plain) => plain.length));

function simplify(original: string, { punctuation, trailing }: Tolerance): Simplified {
  const capacity = punctuation && /\u2026/.test(original) ? original.length * LONGEST : original.length;
  const units = new Uint16Array(capacity);
  const starts = new Int32Array(capacity);
  const ends = new Int32Array(capacity);
  let length = 0;
  const add = (unit: number, start: number, end: number) => {
    units[length] = unit;
    starts[length] = start;
    ends[length++] = end;
  };
  const trim = () => {
    const before = length;
    while (length > 0 && (units[length - 1] === SPACE || units[length - 1] === TAB)) length--;
    return length < before;
  };
  for (let at = 0; at < original.length; at++) {
    const unit = original.charCodeAt(at);
    const isBreak = unit === NEWLINE || (unit === RETURN && original.charCodeAt(at + 1) === NEWLINE);
    if (isBreak) {
      if (trailing) trim();
      const start = at;
      if (unit === RETURN) at++;
      add(NEWLINE, start, at + 1);
      continue;
    }
    const plain = punctuation && unit > 0x7f ? PLAIN[original.charAt(at)] : undefined;
    if (plain === undefined) add(unit, at, at + 1);
    else for (let index = 0; index < plain.length; index++) add(plain.charCodeAt(index), at, at + 1);
  }
  const openEnd = trailing && trim();
  return { text: textOf(units.subarray(0, length)), starts, ends, openEnd };
}

/** Converts in pieces, as the number of arguments of a call is limited. */
function textOf(units: Uint16Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < units.length; at += 8192) {
    pieces.push(String.fromCharCode(...units.subarray(at, at + 8192)));
  }
  return pieces.join('');
}

function findSimplified(where: Simplified, what: Simplified, apart: boolean): Span[] {
  const spans: Span[] = [];
  if (what.text === '') return spans;
  let at = where.text.indexOf(what.text);
  while (at >= 0) {
    const last = at + what.text.length;
    // A match must not start or end within a character that was replaced by several.
    const whole = isCharacterBorder(where, at) && isCharacterBorder(where, last);
    const closed = !what.openEnd || last === where.text.length || where.text[last] === '\n';
    if (whole && closed) {
      spans.push({ start: where.starts[at] ?? 0, end: where.ends[last - 1] ?? 0 });
      at = where.text.indexOf(what.text, apart ? last : at + 1);
    } else at = where.text.indexOf(what.text, at + 1);
  }
  return spans;
}

function isCharacterBorder({ text, starts }: Simplified, at: number): boolean {
  return at === 0 || at === text.length || starts[at] !== starts[at - 1];
}
