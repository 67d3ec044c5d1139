import { argTypeError } from '../builtins/internal/errors.ts';
import { pathOf } from './arguments.ts';
import type { Picomatch } from '../patterns/main.ts';
import type { Dirent } from './shape.ts';

interface GlobOptions {
  readonly cwd?: unknown;
  /** A function that is called with each path or entry, or patterns of paths. */
  readonly exclude?: ((entry: string | Dirent) => boolean) | readonly string[];
  readonly withFileTypes?: boolean;
}

/** The file operations that `glob` needs. Paths are absolute. */
export interface GlobFiles {
  /** The entries of a folder, with `shown` as their parent path. Empty where it is not a folder. */
  list(folder: string, shown: string): readonly Dirent[];
  /** Whether the path exists. A symlink without a target does. */
  exists(path: string): boolean;
  isFolder(path: string): boolean;
  absolute(path: string): string;
  /** Loads picomatch, which is fetched on first use. */
  patterns(): Picomatch;
}

type Segment = typeof ANY_DEPTH | string | ((name: string) => boolean);
const ANY_DEPTH = Symbol('**');

/** The paths that match, relative to the folder that is searched. */
export function globbed(files: GlobFiles, given: unknown, options: GlobOptions = {}): unknown[] {
  const patterns = Array.isArray(given) ? given : [given];
  for (const pattern of patterns)
    if (typeof pattern !== 'string') throw argTypeError('patterns', 'string', pattern);
  const { exclude, withFileTypes = false } = options;
  const isExcluded = exclusion(exclude, withFileTypes, files);
  const cwd = files.absolute(options.cwd === undefined ? '.' : pathOf(options.cwd, 'options.cwd'));
  const found = new Map<string, unknown>();

  /** Matches `segments` against the contents of `folder`. `path` is its path in the results. */
  function visit(folder: string, path: string, segments: readonly Segment[], entry?: Dirent): void {
    const [segment, ...rest] = segments;
    if (segment === undefined) return add(folder, path, entry);
    if (segment === '') {
      // A pattern with a slash at its end matches only folders.
      if (entry ? entry.isDirectory() : files.isFolder(folder)) add(folder, path, entry);
    } else if (segment === '..') visit(files.absolute(`${folder}/..`), below(path, '..'), rest);
    else if (typeof segment === 'string') {
      const next = `${folder === '/' ? '' : folder}/${segment}`;
      if (rest.length > 0 ? files.isFolder(next) : files.exists(next))
        visit(next, below(path, segment), rest);
    } else if (segment === ANY_DEPTH) {
      visit(folder, path, rest, entry);
      for (const each of files.list(folder, path)) {
        if (String(each.name).startsWith('.') || left(each, path)) continue;
        if (each.isDirectory())
          visit(`${folder}/${String(each.name)}`, below(path, String(each.name)), segments, each);
        else if (rest.length === 0)
          add(`${folder}/${String(each.name)}`, below(path, String(each.name)), each);
      }
    } else
      for (const each of files.list(folder, path)) {
        const name = String(each.name);
        if (!segment(name) || left(each, path)) continue;
        if (rest.length === 0) add(`${folder}/${name}`, below(path, name), each);
        else if (
          each.isDirectory() ||
          (each.isSymbolicLink() && rest[0] !== '' && files.isFolder(`${folder}/${name}`))
        )
          visit(`${folder}/${name}`, below(path, name), rest, each);
      }
  }

  const left = (entry: Dirent, parent: string) => isExcluded(entry, below(parent, String(entry.name)));

  function add(full: string, path: string, entry: Dirent | undefined): void {
    const shown = path === '' ? '.' : path;
    if (found.has(shown)) return;
    if (!withFileTypes) return void found.set(shown, shown);
    const slash = full.lastIndexOf('/');
    const parent = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.';
    const same = (each: Dirent) => each.name === full.slice(slash + 1);
    found.set(shown, entry ?? files.list(full.slice(0, slash) || '/', parent).find(same));
  }

  for (const pattern of patterns as string[])
    for (const one of braced(pattern)) {
      const isAbsolute = one.startsWith('/');
      const segments = segmentsOf(one, files);
      if (segments.length > 0) visit(isAbsolute ? '/' : cwd, isAbsolute ? '/' : '', segments);
    }
  return [...found.values()].filter((each) => each !== undefined);
}

function below(path: string, name: string): string {
  return path === '' ? name : path === '/' ? `/${name}` : `${path}/${name}`;
}

function exclusion(exclude: GlobOptions['exclude'], withFileTypes: boolean, files: GlobFiles) {
  if (exclude === undefined) return () => false;
  if (typeof exclude === 'function')
    return (entry: Dirent) => exclude(withFileTypes ? entry : String(entry.name));
  if (!Array.isArray(exclude) || !exclude.every((each) => typeof each === 'string'))
    throw argTypeError('options.exclude', ['function', 'string[]'], exclude);
  const picomatch = files.patterns();
  const tests = exclude.map((pattern: string) => picomatch(pattern, { dot: true }));
  return (_entry: Dirent, path: string) => tests.some((test) => test(path));
}

function segmentsOf(pattern: string, files: GlobFiles): Segment[] {
  const segments: Segment[] = [];
  const parts = pattern.replaceAll('\\', '/').split('/');
  for (const [index, part] of parts.entries()) {
    if (part === '**') {
      if (segments.at(-1) !== ANY_DEPTH) segments.push(ANY_DEPTH);
    } else if (part === '' ? index === parts.length - 1 && index > 0 : part !== '.') {
      const before = segments.at(-1);
      if (part === '..' && typeof before === 'string' && before !== '..') segments.pop();
      else segments.push(segmentOf(part, files));
    }
  }
  return segments;
}

function segmentOf(part: string, files: GlobFiles): Segment {
  if (!/[*?[\]()\\]/.test(part)) return part;
  const matches = files.patterns()(part, { nonegate: true, nobrace: true, posix: true, dot: true });
  return part.startsWith('.') ? matches : (name) => !name.startsWith('.') && matches(name);
}

/** Expands braces: returns one pattern for each choice. */
export function braced(pattern: string): string[] {
  const open = pattern.indexOf('{');
  if (open < 0) return [pattern];
  let depth = 0;
  const cuts = [open];
  for (let at = open; at < pattern.length; at++) {
    const char = pattern[at];
    if (char === '{') depth++;
    else if (char === '}' && --depth === 0) {
      const [head, tail] = [pattern.slice(0, open), braced(pattern.slice(at + 1))];
      cuts.push(at);
      const inside = pattern.slice(open + 1, at);
      const choices =
        cuts.length > 2
          ? cuts.slice(1).map((cut, n) => pattern.slice((cuts[n] ?? 0) + 1, cut))
          : rangeOf(inside);
      const bodies = choices ? choices.flatMap(braced) : braced(inside).map((each) => `{${each}}`);
      return bodies.flatMap((body) => tail.map((end) => head + body + end));
    } else if (char === ',' && depth === 1) cuts.push(at);
  }
  return [pattern];
}

function rangeOf(text: string): string[] | undefined {
  const [, from, to] = /^(-?\d{1,9})\.\.(-?\d{1,9})$/.exec(text) ?? [];
  if (from === undefined || to === undefined) return undefined;
  const step = Number(to) < Number(from) ? -1 : 1;
  const length = Math.abs(Number(to) - Number(from)) + 1;
  if (length > 10_000) return undefined;
  return Array.from({ length }, (_, n) => String(Number(from) + n * step));
}
