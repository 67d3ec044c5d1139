import { compilePatterns, escapeText, fromPerl } from '../pattern.ts';
import { posixSource } from '../posix-regex.ts';

export type GrepDialect = 'basic' | 'extended' | 'perl' | 'fixed';

interface GrepPattern {
  readonly dialect: GrepDialect;
  readonly ignoreCase: boolean;
  readonly wholeWord: boolean;
  readonly wholeLine: boolean;
  /** What is searched are not lines: a line break is a character as others are. */
  readonly overLines: boolean;
}

/** Finds matches in text of many lines; with `text` it is nothing but that text. */
export interface Matcher {
  readonly regex: RegExp;
  readonly text?: string;
}

/** One matcher for all patterns. Without patterns nothing matches. */
export function matcherOf(
  patterns: readonly string[],
  { dialect, ignoreCase, wholeWord, wholeLine, overLines }: GrepPattern,
): Matcher {
  let ignoresCase = ignoreCase;
  let dotAll = overLines && dialect !== 'perl';
  const sources = patterns.map((pattern) => {
    switch (dialect) {
      case 'fixed':
        return escapeText(pattern);
      case 'perl': {
        const found = fromPerl(pattern);
        ignoresCase ||= found.ignoreCase;
        dotAll ||= found.dotAll;
        return found.source;
      }
      default:
        return posixSource(pattern, { extended: dialect === 'extended', escapes: 'grep', overLines });
    }
  });
  // The longest of several is meant where they begin alike.
  if (dialect === 'fixed') sources.sort((a, b) => b.length - a.length);
  const [only] = patterns;
  const isText =
    patterns.length === 1 &&
    !wholeWord &&
    !wholeLine &&
    !ignoresCase &&
    only !== undefined &&
    only !== '' &&
    (dialect === 'fixed' || !/[\\^$.*+?()[\]{}|]/.test(only));
  const regex = compilePatterns(
    sources,
    { ignoreCase: ignoresCase, wholeWord, wholeLine, dotAll },
    patterns.join('\n'),
  );
  return { regex, ...(isText && { text: only }) };
}
