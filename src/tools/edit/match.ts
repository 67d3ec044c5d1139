/** A stretch of the text: `[start, end)` in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Where `wanted` stands in `text`, not overlapping: exactly, and only where that is nowhere, ever more loosely:
 * line endings, then Unicode punctuation for its plain form, then whitespace at line ends may differ. Nothing else
 * may, so that a match is never larger than what was asked for.
 */
export function find(text: string, wanted: string): readonly Span[] {
  const exact = exactly(text, wanted);
  if (exact.length > 0) return exact;
  for (const loose of LEVELS) {
    const spans = search(simplify(text, loose), simplify(wanted, loose));
    if (spans.length > 0) return spans;
  }
  return [];
}

function exactly(text: string, wanted: string): Span[] {
  const spans: Span[] = [];
  if (wanted === '') return spans;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
    spans.push({ start: at, end: at + wanted.length });
  }
  return spans;
}

interface Loose {
  readonly punctuation: boolean;
  readonly trailing: boolean;
}

const LEVELS: readonly Loose[] = [
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

/** A text made simple, with where each of its units began and ended in the original. */
interface Simple {
  readonly text: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** Its last line lost whitespace: a match must reach to the end of a line. */
  readonly openEnd: boolean;
}

function simplify(original: string, { punctuation, trailing }: Loose): Simple {
  const units: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const add = (piece: string, start: number, end: number) => {
    for (const unit of piece.split('')) {
      units.push(unit);
      starts.push(start);
      ends.push(end);
    }
  };
  const trim = () => {
    const before = units.length;
    while (units.at(-1) === ' ' || units.at(-1) === '\t') units.pop();
    starts.length = ends.length = units.length;
    return units.length < before;
  };
  for (let at = 0; at < original.length; at++) {
    const char = original.charAt(at);
    if (char === '\r' && original[at + 1] === '\n') {
      if (trailing) trim();
      add('\n', at, at + 2);
      at++;
      continue;
    }
    if (trailing && char === '\n') trim();
    add((punctuation && PLAIN[char]) || char, at, at + 1);
  }
  const openEnd = trailing && trim();
  return { text: units.join(''), starts, ends, openEnd };
}

function search(where: Simple, what: Simple): Span[] {
  const spans: Span[] = [];
  if (what.text === '') return spans;
  let at = where.text.indexOf(what.text);
  while (at >= 0) {
    const last = at + what.text.length;
    // Half of a character that became several is no place to cut.
    const whole = where.starts[at] !== where.starts[at - 1] && where.starts[last] !== where.starts[last - 1];
    const closed = !what.openEnd || last === where.text.length || where.text[last] === '\n';
    if (whole && closed) {
      spans.push({ start: where.starts[at] ?? 0, end: where.ends[last - 1] ?? 0 });
      at = where.text.indexOf(what.text, last);
    } else at = where.text.indexOf(what.text, at + 1);
  }
  return spans;
}
