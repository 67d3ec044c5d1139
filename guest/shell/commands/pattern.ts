import { Complaint } from './command.ts';

/** How a pattern is written: basic and extended POSIX, Perl's, Rust's (ripgrep), or text as it stands. */
export type Dialect = 'basic' | 'extended' | 'perl' | 'rust' | 'fixed';

export interface PatternOptions {
  readonly ignoreCase?: boolean;
  readonly wholeWord?: boolean;
  readonly wholeLine?: boolean;
}

/** One expression for all patterns, global and by line. JavaScript takes the first alternative, POSIX the longest. */
export function compilePatterns(
  patterns: readonly string[],
  dialect: Dialect,
  options: PatternOptions,
): RegExp {
  const { sources, flags } = patterns
    .map((pattern) => translate(pattern, dialect))
    .reduce((all, { source, flags }) => ({ sources: [...all.sources, source], flags: all.flags + flags }), {
      sources: [] as string[],
      flags: '',
    });
  let source = sources.length === 1 ? (sources[0] ?? '') : sources.map((one) => `(?:${one})`).join('|');
  if (options.wholeWord) source = `(?<![\\p{L}\\p{N}_])(?:${source})(?![\\p{L}\\p{N}_])`;
  if (options.wholeLine) source = `^(?:${source})$`;
  const ignoreCase = options.ignoreCase || flags.includes('i') ? 'i' : '';
  try {
    return new RegExp(source, `gmu${ignoreCase}`);
  } catch {
    return lenient(source, ignoreCase, patterns.join('\n'));
  }
}

/** Without the `u` flag JavaScript takes needless escapes, as grep does. */
function lenient(source: string, ignoreCase: string, shown: string): RegExp {
  try {
    return new RegExp(source.replaceAll('[\\p{L}\\p{N}_]', '\\w'), `gm${ignoreCase}`);
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^.*\/: /, '') : String(error);
    throw new Complaint(`invalid pattern '${shown}': ${reason}`);
  }
}

interface Translated {
  readonly source: string;
  readonly flags: string;
}

export function translate(pattern: string, dialect: Dialect): Translated {
  switch (dialect) {
    case 'fixed':
      return { source: escapeText(pattern), flags: '' };
    case 'basic':
    case 'extended':
      return { source: fromPosix(pattern, dialect === 'extended'), flags: '' };
    case 'perl':
    case 'rust':
      return fromPerl(pattern);
  }
}

export function escapeText(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** Escapes that mean the same in JavaScript; `\<` and `\>` do not exist there. */
const KEPT_ESCAPES = 'bBwWsS123456789';

function fromPosix(pattern: string, extended: boolean): string {
  let source = '';
  let atStart = true;
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern.charAt(i);
    const next = pattern.charAt(i + 1);
    const isEscape = char === '\\' && next !== '';
    const operator = isEscape ? (extended ? '' : next) : extended ? char : '';
    let startsNext = false;
    if ('(){}|+?'.includes(operator) && operator !== '') {
      if (operator === '{') {
        const close = extended ? '}' : '\\}';
        const end = pattern.indexOf(close, i);
        const counts = /^(\d*)(,?)(\d*)$/.exec(pattern.slice(i + (extended ? 1 : 2), end));
        if (end > 0 && counts && !atStart && counts[0] !== '') {
          source += `{${counts[1] || '0'}${counts[2]}${counts[3]}}`;
          i = end + close.length - 1;
          continue;
        }
        source += '\\{';
      } else if (operator === '}') source += '\\}';
      else if ((operator === '+' || operator === '?') && atStart) source += `\\${operator}`;
      else source += operator;
      startsNext = operator === '(' || operator === '|';
      if (isEscape) i++;
    } else if (isEscape) {
      if (next === '<') source += '(?<!\\w)(?=\\w)';
      else if (next === '>') source += '(?<=\\w)(?!\\w)';
      else if (next === '`') source += '^';
      else if (next === "'") source += '$';
      else source += KEPT_ESCAPES.includes(next) ? char + next : escapeText(next);
      i++;
    } else if (char === '[') {
      const [set, end] = bracket(pattern, i);
      source += set;
      i = end;
    } else if (char === '*') source += atStart ? '\\*' : '*';
    else if (char === '^') {
      source += extended || atStart ? '^' : '\\^';
      startsNext = true;
    } else if (char === '$') source += extended || endsBranch(pattern, i + 1) ? '$' : '\\$';
    else source += char === '.' ? '.' : escapeText(char);
    atStart = startsNext;
  }
  return source;
}

function endsBranch(pattern: string, at: number): boolean {
  return at === pattern.length || pattern.startsWith('\\)', at) || pattern.startsWith('\\|', at);
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

/** A bracket expression from `start` on, and where it ends. In POSIX a backslash in it is just a backslash. */
function bracket(pattern: string, start: number, escapes = false): [source: string, end: number] {
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
    } else if (escapes && char === '\\') {
      set += char + pattern.charAt(++i);
    } else set += '\\[]^/{}()|'.includes(char) ? `\\${char}` : char;
  }
  throw new Complaint('Unmatched [, [^, [:, [., or [=');
}

/** Perl's and Rust's patterns are JavaScript's but for a few things. */
function fromPerl(pattern: string): Translated {
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
      const [set, end] = bracket(rest, i, true);
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
  return { source, flags };
}
