import { Fatal } from './fatal.ts';

interface Pattern {
  readonly text: string;
  readonly excludes: boolean;
  readonly matches: (path: string) => boolean;
  /** Without wildcards; the path itself and everything below it. */
  readonly literal: string | undefined;
  /** Whether something below a folder may match. */
  readonly mayMatchBelow: (folder: string) => boolean;
}

/** Which paths a command is about. Paths are relative to the top of the working tree. */
export class Pathspec {
  readonly patterns: readonly Pattern[];

  /** `prefix` is the folder in which the command runs, relative to the top, empty or with a slash at its end. */
  constructor(words: readonly string[], prefix: string, isLiteral = false) {
    this.patterns = words.map((word) => pattern(word, prefix, isLiteral));
  }

  get isEmpty(): boolean {
    return this.patterns.length === 0;
  }

  matches(path: string): boolean {
    if (this.isEmpty) return true;
    const wanted = this.patterns.filter(({ excludes }) => !excludes);
    if (wanted.length > 0 && !wanted.some(({ matches }) => matches(path))) return false;
    return !this.patterns.some(({ excludes, matches }) => excludes && matches(path));
  }

  /** Whether something below this folder may match. */
  mayMatchBelow(folder: string): boolean {
    if (this.isEmpty) return true;
    const wanted = this.patterns.filter(({ excludes }) => !excludes);
    return wanted.length === 0 || wanted.some(({ mayMatchBelow }) => mayMatchBelow(folder));
  }

  /** Whether a pattern names exactly this path, or a folder at or above it. */
  names(path: string): boolean {
    return this.patterns.some(
      ({ literal, excludes, matches }) =>
        !excludes && literal !== undefined && literal !== '' && matches(path),
    );
  }

  /** The first pattern that matches none of these paths. */
  unmatched(paths: Iterable<string>): string | undefined {
    const left = new Set(this.patterns.filter(({ excludes }) => !excludes));
    for (const path of paths) {
      for (const each of left) if (each.matches(path)) left.delete(each);
      if (left.size === 0) return undefined;
    }
    return [...left][0]?.text;
  }
}

function pattern(word: string, prefix: string, isLiteral: boolean): Pattern {
  let text = word;
  let base = prefix;
  const magic = new Set<string>();
  const long = /^:\(([a-z,]*)\)/.exec(word);
  const short = /^:([!^/]+):?/.exec(word);
  if (isLiteral) magic.add('literal');
  else if (long) {
    for (const each of (long[1] ?? '').split(',')) magic.add(each);
    text = word.slice(long[0].length);
  } else if (short) {
    if (/[!^]/.test(short[1] ?? '')) magic.add('exclude');
    if (short[1]?.includes('/')) magic.add('top');
    text = word.slice(short[0].length);
  }
  if (magic.has('top')) base = '';
  const full = normalPath(base, text);
  const excludes = magic.has('exclude');
  if (magic.has('literal') || !/[*?[\\]/.test(text)) {
    const same = magic.has('icase') ? (path: string) => path.toLowerCase() : (path: string) => path;
    const wanted = same(full);
    const matches = (path: string) =>
      wanted === '' || same(path) === wanted || same(path).startsWith(`${wanted}/`);
    const mayMatchBelow = (folder: string) => matches(folder) || wanted.startsWith(`${same(folder)}/`);
    return { text: word, excludes, literal: full, matches, mayMatchBelow };
  }
  const regex = new RegExp(
    `^${globSource(full, magic.has('glob'))}(?:/.*)?$`,
    magic.has('icase') ? 'is' : 's',
  );
  return {
    ...{ text: word, excludes, literal: undefined },
    ...{ matches: (path) => regex.test(path), mayMatchBelow: () => true },
  };
}

/** Joins a path to a folder and resolves `.` and `..`. Fails for what lies outside of the repository. */
export function normalPath(base: string, path: string): string {
  const names: string[] = [];
  for (const part of `${base}${path}`.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') names.push(part);
    else if (names.pop() === undefined) throw new Fatal(`${path}: '${path}' is outside repository`);
  }
  return names.join('/');
}

/** The source of a regular expression for a pattern in which `*` matches slashes too, unless `isPath` is set. */
export function globSource(glob: string, isPath: boolean): string {
  let source = '';
  for (let at = 0; at < glob.length; at++) {
    const char = glob.charAt(at);
    if (char === '*') {
      if (isPath && glob.startsWith('**/', at)) {
        source += '(?:.*/)?';
        at += 2;
      } else if (isPath && glob.startsWith('**', at)) {
        source += '.*';
        at++;
      } else source += isPath ? '[^/]*' : '.*';
    } else if (char === '?') source += isPath ? '[^/]' : '.';
    else if (char === '[' && glob.indexOf(']', at + 2) > 0) {
      const end = glob.indexOf(']', at + 2);
      source += `[${glob
        .slice(at + 1, end)
        .replace(/^!/, '^')
        .replaceAll('\\', '\\\\')}]`;
      at = end;
    } else if (char === '\\' && at + 1 < glob.length) source += escaped(glob.charAt(++at));
    else source += escaped(char);
  }
  return source;
}

export function escaped(text: string): string {
  return text.replace(/[$()*+./?[\\\]^{|}-]/g, '\\$&');
}
