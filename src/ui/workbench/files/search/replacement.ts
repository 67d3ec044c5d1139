import { expressionOf, spansIn, type SearchOptions, type Span } from './expression.ts';

/** A search with its replacement: a text or, for a regular expression, one with `$1` and `\\n`. */
export interface Replacement extends SearchOptions {
  readonly by: string;
}

/** A line with the matches in it that are replaced, by their numbers from 0. */
export interface ChosenLine {
  /** The line as the person saw it. */
  readonly text: string;
  readonly matches: ReadonlySet<number>;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', '\\': '\\' };

/** The text that goes in the place of one match. */
export function replacementOf(line: string, { from, to }: Span, replacement: Replacement): string {
  if (!replacement.regexp) return replacement.by;
  const by = replacement.by.replace(/\\([nt\\])/g, (all, letter: string) => ESCAPES[letter] ?? all);
  const sticky = expressionOf(replacement, 'y');
  sticky.lastIndex = from;
  // The whole line is needed for what looks around the match.
  const whole = line.replace(sticky, by);
  return whole.slice(from, whole.length - (line.length - to));
}

/**
 * A text with the chosen matches replaced, by the numbers of their lines from 1. Line ends and a byte order mark stay.
 * Null if one of the lines is not what the person saw.
 */
export function replacedText(
  text: string,
  chosen: ReadonlyMap<number, ChosenLine>,
  replacement: Replacement,
): string | null {
  const start = text.startsWith('\ufeff') ? 1 : 0;
  const lines = text.slice(start).split('\n');
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  for (const [number, { text: seen, matches }] of chosen) {
    const whole = lines[number - 1];
    const line = whole?.endsWith('\r') ? whole.slice(0, -1) : whole;
    if (whole === undefined || line === undefined || line !== seen) return null;
    const changed = replacedLine(line, matches, replacement).replaceAll('\n', lineEnd);
    lines[number - 1] = changed + whole.slice(line.length);
  }
  return text.slice(0, start) + lines.join('\n');
}

function replacedLine(line: string, matches: ReadonlySet<number>, replacement: Replacement): string {
  let result = '';
  let at = 0;
  spansIn(line, replacement).forEach((span, index) => {
    if (!matches.has(index)) return;
    result += line.slice(at, span.from) + replacementOf(line, span, replacement);
    at = span.to;
  });
  return result + line.slice(at);
}
