import { Complaint } from '../command.ts';
import { escapeText, translate } from '../pattern.ts';
import { posixSource } from '../posix-regex.ts';

export type GrepDialect = 'basic' | 'extended' | 'perl' | 'fixed';

export interface GrepPattern {
  readonly dialect: GrepDialect;
  readonly ignoreCase: boolean;
  readonly wholeWord: boolean;
  readonly wholeLine: boolean;
}

/** Finds matches in text of many lines; with `text` it is nothing but that text. */
export interface Matcher {
  readonly regex: RegExp;
  readonly text?: string;
}

const WORD = '[\\p{L}\\p{N}_]';

/** One matcher for all patterns. Without patterns nothing matches. */
export function matcherOf(
  patterns: readonly string[],
  { dialect, ignoreCase, wholeWord, wholeLine }: GrepPattern,
): Matcher {
  let flags = ignoreCase ? 'i' : '';
  const sources = patterns.map((pattern) => {
    switch (dialect) {
      case 'fixed':
        return escapeText(pattern);
      case 'perl': {
        const found = translate(pattern, 'perl');
        if (found.flags.includes('i')) flags = 'i';
        return found.source;
      }
      default:
        return posixSource(pattern, { extended: dialect === 'extended', escapes: 'grep' });
    }
  });
  // The longest of several is meant where they begin alike.
  if (dialect === 'fixed') sources.sort((a, b) => b.length - a.length);
  let source = sources.length === 1 ? (sources[0] ?? '') : sources.map((one) => `(?:${one})`).join('|');
  if (patterns.length === 0) source = '(?!)';
  if (wholeWord) source = `(?<!${WORD})(?:${source})(?!${WORD})`;
  if (wholeLine) source = `^(?:${source})$`;
  const [only] = patterns;
  const isText =
    patterns.length === 1 &&
    !wholeWord &&
    !wholeLine &&
    flags === '' &&
    only !== undefined &&
    only !== '' &&
    (dialect === 'fixed' || !/[\\^$.*+?()[\]{}|]/.test(only));
  return { regex: compiled(source, flags, patterns), ...(isText && { text: only }) };
}

function compiled(source: string, flags: string, patterns: readonly string[]): RegExp {
  try {
    return new RegExp(source, `gmu${flags}`);
  } catch {
    try {
      // Without the `u` flag JavaScript takes needless escapes, as PCRE does.
      return new RegExp(source.replaceAll(WORD, '\\w'), `gm${flags}`);
    } catch (error) {
      const reason = error instanceof Error ? error.message.replace(/^.*\/: /, '') : String(error);
      throw new Complaint(`invalid pattern '${patterns.join('\n')}': ${reason}`, 2);
    }
  }
}
