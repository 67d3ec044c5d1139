/** A search as the person typed it, with its options. */
export interface SearchOptions {
  readonly text: string;
  /** Whether the text is a regular expression. */
  readonly regexp: boolean;
  readonly matchCase: boolean;
  readonly words: boolean;
}

/** A part of a line, end exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The search as a regular expression that the workspace understands. */
export function patternOf({ text, regexp, words }: SearchOptions): string {
  const pattern = regexp ? text : text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  if (!words) return pattern;
  if (regexp) return `\\b(?:${pattern})\\b`;
  // A sign at the edge of the text has no word that could go on there.
  return `${/^\w/.test(text) ? '\\b' : ''}${pattern}${/\w$/.test(text) ? '\\b' : ''}`;
}

/** The same expression for use on single lines. Throws a SyntaxError if it is none. */
export function expressionOf(options: SearchOptions, flag: 'g' | 'y'): RegExp {
  const pattern = patternOf(options);
  // The workspace reads a pattern as Unicode in the same cases.
  const unicode = /\\p\{|\\u\{|[\ud800-\udfff]/i.test(pattern) ? 'u' : '';
  return new RegExp(pattern, flag + (options.matchCase ? '' : 'i') + unicode);
}

/** The matches in a line. Empty ones do not count, because there is nothing to see or to replace. */
export function spansIn(line: string, options: SearchOptions): readonly Span[] {
  const spans: Span[] = [];
  for (const { 0: found, index } of line.matchAll(expressionOf(options, 'g')))
    if (found !== '') spans.push({ from: index, to: index + found.length });
  return spans;
}
