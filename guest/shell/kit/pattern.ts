import { Complaint } from './complaint.ts';

interface PatternOptions {
  readonly ignoreCase?: boolean;
  readonly wholeWord?: boolean;
  readonly wholeLine?: boolean;
  /** With it, a dot also matches a line break. */
  readonly dotAll?: boolean;
}

const WORD = '[\\p{L}\\p{N}_]';

/**
 * Compiles one global, multi-line expression for all sources; without sources it matches nothing. `shown` is
 * the pattern that complaints print.
 */
export function compilePatterns(sources: readonly string[], options: PatternOptions, shown: string): RegExp {
  let source = sources.length === 1 ? (sources[0] ?? '') : sources.map((one) => `(?:${one})`).join('|');
  if (sources.length === 0) source = '(?!)';
  if (options.wholeWord) source = `(?<!${WORD})(?:${source})(?!${WORD})`;
  if (options.wholeLine) source = `^(?:${source})$`;
  const flags = (options.ignoreCase ? 'i' : '') + (options.dotAll ? 's' : '');
  try {
    return new RegExp(source, `gmu${flags}`);
  } catch {
    return lenient(source, flags, shown);
  }
}

/** Compiles without the `u` flag, because JavaScript then accepts needless escapes, as PCRE does. */
function lenient(source: string, flags: string, shown: string): RegExp {
  try {
    return new RegExp(source.replaceAll(WORD, '\\w'), `gm${flags}`);
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^.*\/: /, '') : String(error);
    throw new Complaint(`invalid pattern '${shown}': ${reason}`);
  }
}

export function escapeText(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

const CLASSES: Readonly<Record<string, string>> = {
  alpha: '\\p{L}',
  digit: '0-9',
  alnum: '\\p{L}\\p{N}',
  upper: '\\p{Lu}',
  lower: '\\p{Ll}',
  space: '\\s',
  blank: ' \\t',
  punct: '!-\\/:-@\\[-`\\{-~',
  print: '\\x20-\\x7e\\u00a0-\\u{10ffff}',
  graph: '\\x21-\\x7e\\u00a1-\\u{10ffff}',
  cntrl: '\\x00-\\x1f\\x7f',
  xdigit: '0-9A-Fa-f',
  word: '\\w',
};

/** Translates the bracket expression that begins at `start`, and returns where it ends. */
function bracket(pattern: string, start: number): [source: string, end: number] {
  let i = start + 1;
  let set = '[';
  if (pattern.charAt(i) === '^') {
    set += '^';
    i++;
  }
  for (let first = true; i < pattern.length; first = false, i++) {
    const char = pattern.charAt(i);
    if (char === ']' && !first) return [`${set}]`, i];
    const named = /^\[:(\w+):\]/.exec(pattern.slice(i, i + 12));
    if (named) {
      const members = CLASSES[named[1] ?? ''];
      if (members === undefined) throw new Complaint(`invalid character class '${named[0]}'`);
      set += members;
      i += named[0].length - 1;
    } else if (char === '\\') {
      set += char + pattern.charAt(++i);
    } else set += '[]^/{}()|'.includes(char) ? `\\${char}` : char;
  }
  throw new Complaint('Unmatched [, [^, [:, [., or [=');
}

/** Translates a pattern of Perl or Rust, which differs from JavaScript's in a few points. */
export function fromPerl(pattern: string): {
  readonly source: string;
  readonly ignoreCase: boolean;
  readonly dotAll: boolean;
} {
  let flags = '';
  let rest = pattern.replace(/^\(\?([a-z]+)\)/, (_all, letters: string) => {
    flags = letters;
    return '';
  });
  const keep = rest.lastIndexOf('\\K');
  if (keep >= 0) rest = `(?<=${rest.slice(0, keep)})${rest.slice(keep + 2)}`;
  let source = '';
  for (let i = 0; i < rest.length; i++) {
    const char = rest.charAt(i);
    if (char === '[') {
      const [set, end] = bracket(rest, i);
      source += set;
      i = end;
    } else if (char === '\\') {
      const next = rest.charAt(++i);
      if (next === 'Q') {
        const end = rest.indexOf('\\E', i);
        source += escapeText(rest.slice(i + 1, end < 0 ? undefined : end));
        i = end < 0 ? rest.length : end + 1;
      } else if (next === 'h') source += '[ \\t]';
      else if (next === 'A') source += '^';
      else if (next === 'z' || next === 'Z') source += '$';
      else source += /[\w^$.*+?()[\]{}|/\\]/.test(next) ? char + next : next;
    } else if (rest.startsWith('(?P<', i)) {
      source += '(?<';
      i += 3;
    } else source += char;
  }
  return { source, ignoreCase: flags.includes('i'), dotAll: flags.includes('s') };
}
