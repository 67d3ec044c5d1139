import { linesIn } from './io.ts';

export interface Line {
  /** Counts from 1. */
  readonly number: number;
  readonly text: string;
  readonly matched: boolean;
}

/** Yields the lines of a text that match, or with `invert` those that do not, at most `limit` of them. */
export function* matchingLines(
  text: string,
  regexp: RegExp,
  invert: boolean,
  limit: number,
): Generator<Line> {
  if (invert || matchesEmpty(regexp)) yield* oneByOne(text, regexp, invert, limit);
  else yield* byHits(text, regexp, limit);
}

function matchesEmpty(regexp: RegExp): boolean {
  regexp.lastIndex = 0;
  return regexp.test('');
}

function* oneByOne(text: string, regexp: RegExp, invert: boolean, limit: number): Generator<Line> {
  let number = 0;
  let left = limit;
  for (let start = 0; start < text.length && left > 0;) {
    const end = lineEnd(text, start);
    const line = text.slice(start, end);
    number++;
    regexp.lastIndex = 0;
    if (regexp.test(line) !== invert) {
      left--;
      yield { number, text: line, matched: true };
    }
    start = end + 1;
  }
}

/** Searches the whole text at once, because most lines are never looked at where hits are rare. */
function* byHits(text: string, regexp: RegExp, limit: number): Generator<Line> {
  let number = 1;
  let counted = 0;
  let left = limit;
  for (let from = 0; from < text.length && left > 0;) {
    regexp.lastIndex = from;
    const hit = regexp.exec(text);
    if (!hit) return;
    const start = text.lastIndexOf('\n', hit.index - 1) + 1;
    const end = lineEnd(text, hit.index);
    const line = text.slice(start, end);
    // A hit that spans several lines may not match within the one line, so that line is tested alone.
    const isWithin = start >= from && hit.index + hit[0].length <= end;
    regexp.lastIndex = 0;
    if (isWithin || regexp.test(line)) {
      for (let at = text.indexOf('\n', counted); at >= 0 && at < start; at = text.indexOf('\n', at + 1)) {
        number++;
        counted = at + 1;
      }
      left--;
      yield { number, text: line, matched: true };
    }
    from = end + 1;
  }
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

/** Adds the lines around the matching ones; `null` marks a gap between two groups. */
export function* withContext(
  text: string,
  matches: Iterable<Line>,
  before: number,
  after: number,
): Generator<Line | null> {
  const { lines } = linesIn(text);
  let printed = 0;
  let trailing = 0;
  const around = function* (to: number): Generator<Line> {
    for (; printed < to; printed++) yield { number: printed + 1, text: lines[printed] ?? '', matched: false };
  };
  for (const match of matches) {
    yield* around(Math.min(trailing, match.number - 1));
    const from = Math.max(printed, match.number - 1 - before);
    if (printed > 0 && from > printed) yield null;
    printed = Math.max(printed, from);
    yield* around(match.number - 1);
    yield match;
    printed = match.number;
    trailing = match.number + after;
  }
  yield* around(Math.min(trailing, lines.length));
}
