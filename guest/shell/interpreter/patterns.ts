import { CLASSES as POSIX_CLASSES } from '../kit/posix-regex.ts';

const KNOWN_MOST = 1000;
const known = new Map<string, RegExp>();

const CLASSES: Readonly<Record<string, string>> = { ...POSIX_CLASSES, word: '\\w' };

export interface PatternForm {
  readonly ignoreCase?: boolean;
  /** For file names: `*` and `?` do not match a slash. */
  readonly path?: boolean;
  /** Matches as few characters as possible instead of as many. */
  readonly lazy?: boolean;
  /** Whether `@(a|b)` and the like are operators; the default is true. */
  readonly extended?: boolean;
}

/**
 * Translates a shell pattern into the source of a regular expression. A backslash quotes the next character.
 */
export function patternSource(pattern: string, form: PatternForm = {}): string {
  return convert([...pattern], 0, pattern.length, form, '');
}

/**
 * Translates everything from `at` on, to be followed by `after`: what follows a negation decides how much the
 * negation may match.
 */
function convert(
  chars: readonly string[],
  from: number,
  end: number,
  form: PatternForm,
  after: string,
): string {
  const any = form.path ? '[^/]' : '[^]';
  const few = form.lazy ? '?' : '';
  const extended = form.extended !== false;
  let source = '';
  for (let at = from; at < Math.min(end, chars.length); at++) {
    const char = chars[at] ?? '';
    if (extended && '?*+@!'.includes(char) && chars[at + 1] === '(') {
      const close = closing(chars, at + 1);
      if (close > 0) {
        const inner = alternatives(chars, at + 2, close)
          .map(([start, stop]) => convert(chars.slice(0, stop), start, stop, form, ''))
          .join('|');
        if (char === '!') {
          const rest = convert(chars, close + 1, end, form, after);
          return `${source}(?!(?:${inner})${rest}$)${any}*${few}${rest}`;
        }
        source += `(?:${inner})${char === '@' ? '' : char + few}`;
        at = close;
        continue;
      }
    }
    if (char === '\\') {
      source += escaped(chars[++at] ?? '\\');
    } else if (char === '*') {
      while (chars[at + 1] === '*') at++;
      source += `${any}*${few}`;
    } else if (char === '?') source += any;
    else if (char === '[') {
      const set = bracket(chars, at, form.path);
      source += set?.source ?? '\\[';
      at = set?.end ?? at;
    } else source += escaped(char);
  }
  return source + after;
}

function escaped(char: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(char) ? `\\${char}` : char;
}

function closing(chars: readonly string[], open: number): number {
  let level = 0;
  for (let at = open; at < chars.length; at++) {
    const char = chars[at];
    if (char === '\\') at++;
    else if (char === '[') at = bracket(chars, at)?.end ?? at;
    else if (char === '(') level++;
    else if (char === ')' && --level === 0) return at;
  }
  return -1;
}

function alternatives(chars: readonly string[], from: number, end: number): [number, number][] {
  const found: [number, number][] = [];
  let level = 0;
  let start = from;
  for (let at = from; at < end; at++) {
    const char = chars[at];
    if (char === '\\') at++;
    else if (char === '[') at = Math.min(bracket(chars, at)?.end ?? at, end - 1);
    else if (char === '(') level++;
    else if (char === ')') level--;
    else if (char === '|' && level === 0) {
      found.push([start, at]);
      start = at + 1;
    }
  }
  found.push([start, end]);
  return found;
}

function bracket(
  chars: readonly string[],
  open: number,
  isPath = false,
): { source: string; end: number } | undefined {
  let at = open + 1;
  const negated = chars[at] === '!' || chars[at] === '^';
  if (negated) at++;
  let source = '';
  for (let first = true; ; first = false, at++) {
    const char = chars[at];
    if (char === undefined || (isPath && char === '/' && first)) return undefined;
    if (char === ']' && !first) break;
    if (char === '[' && (chars[at + 1] === ':' || chars[at + 1] === '.' || chars[at + 1] === '=')) {
      const mark = chars[at + 1] ?? ':';
      const rest = chars.slice(at + 2).join('');
      const stop = rest.indexOf(`${mark}]`);
      if (stop >= 0) {
        const name = rest.slice(0, stop);
        source += mark === ':' ? (CLASSES[name] ?? '') : inClass(name);
        at += 3 + [...name].length;
        continue;
      }
    }
    if (char === '\\' && chars[at + 1] !== undefined) source += inClass(chars[++at] ?? '');
    else if (char === '-' && source !== '' && chars[at + 1] !== ']' && !source.endsWith('}')) source += '-';
    else source += inClass(char);
  }
  if (source === '') return { source: negated ? '[^]' : '(?!)', end: at };
  return { source: `[${negated ? '^' : ''}${source}]`, end: at };
}

function inClass(char: string): string {
  return /[\\\]^[&~!#%,:;<=>@`{}()|/.*+?$-]/.test(char)
    ? /[\\\]^[()|/.*+?${}-]/.test(char)
      ? `\\${char}`
      : char
    : char;
}

/** Compiles `source`, and keeps the result for the next time. */
export function regexOf(source: string, ignoreCase = false): RegExp {
  const key = ignoreCase ? `i${source}` : `s${source}`;
  let regex = known.get(key);
  if (!regex) {
    regex = compile(source, ignoreCase ? 'iu' : 'u');
    if (known.size > KNOWN_MOST) known.clear();
    known.set(key, regex);
  }
  return regex;
}

function compile(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch {
    // A range in the wrong order matches nothing.
    return /(?!)/;
  }
}

/** Whether all of `text` matches. */
export function matches(text: string, pattern: string, ignoreCase = false): boolean {
  if (!ignoreCase && !/[\\*?[(]/.test(pattern)) return text === pattern;
  return regexOf(`^${patternSource(pattern)}$`, ignoreCase).test(text);
}

/** Quotes a text so that every character matches itself. */
export function quotePattern(text: string): string {
  return text.replace(/[\\*?[\]!+@()|^-]/g, '\\$&');
}

/** Whether an unquoted text contains operators of file name patterns. */
export function isMagic(pattern: string): boolean {
  return /(?<!\\)(?:\\\\)*(?:[*?]|\[[^]*\]|[+@!]\()/.test(pattern);
}
