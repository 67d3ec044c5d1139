import { compilePatterns, escapeText, fromPerl } from '../../kit/pattern.ts';
import { posixSource } from '../../kit/posix-regex.ts';

export type GrepDialect = 'basic' | 'extended' | 'perl' | 'fixed';

interface GrepPattern {
  readonly dialect: GrepDialect;
  readonly ignoreCase: boolean;
  readonly wholeWord: boolean;
  readonly wholeLine: boolean;
  /** True where the input is not split at line breaks, so that a line break is an ordinary character. */
  readonly overLines: boolean;
}

/** Finds matches in a text of many lines; `text` is present where the pattern is plain text. */
export interface Matcher {
  readonly regex: RegExp;
  readonly text?: string;
}

/** Makes one matcher for all patterns. Without patterns it matches nothing. */
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
  // Where several texts begin alike, the longest one has to match first.
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
