import type { Picomatch } from '../../patterns/main.ts';
import { needObject, needString } from '../internal/errors.ts';

export interface Parsed {
  root: string;
  dir: string;
  base: string;
  ext: string;
  name: string;
}

/** Resolves `.` and `..`; `above`: whether a relative path may climb out. */
export function withoutDots(path: string, above: boolean, separator: RegExp, joined: string): string {
  const kept: string[] = [];
  for (const part of path.split(separator)) {
    if (part === '' || part === '.') continue;
    if (part !== '..') kept.push(part);
    else if (kept.length > 0 && kept.at(-1) !== '..') kept.pop();
    else if (above) kept.push('..');
  }
  return kept.join(joined);
}

function basename(path: unknown, suffix?: unknown): string {
  if (suffix !== undefined) needString(suffix, 'suffix');
  needString(path, 'path');
  if (path === suffix) return '';
  const trimmed = path.replace(/\/+$/, '');
  const base = trimmed.slice(trimmed.lastIndexOf('/') + 1);
  if (base === suffix) return base;
  return withoutSuffix(base, suffix);
}

export function withoutSuffix(base: string, suffix: string | undefined): string {
  if (!suffix || !base.endsWith(suffix)) return base;
  return base.slice(0, -suffix.length);
}

function dirname(path: unknown): string {
  needString(path, 'path');
  if (path === '') return '.';
  const trimmed = path.replace(/\/+$/, '');
  if (trimmed === '') return '/';
  const end = trimmed.lastIndexOf('/');
  if (end < 0) return '.';
  const dir = trimmed.slice(0, end);
  if (dir === '') return '/';
  // Exactly two slashes at the start are kept as they are.
  return end === 1 && trimmed.startsWith('//') ? '//' : dir;
}

export function extensionOf(base: string): string {
  const at = base.lastIndexOf('.');
  if (at <= 0 || base === '..') return '';
  return base.slice(at);
}

function extname(path: unknown): string {
  needString(path, 'path');
  return extensionOf(basename(path));
}

function normalize(path: unknown): string {
  needString(path, 'path');
  if (path === '') return '.';
  const absolute = path.startsWith('/');
  const trailing = path.endsWith('/');
  const inner = withoutDots(path, !absolute, /\//, '/');
  if (inner === '') return absolute ? '/' : trailing ? './' : '.';
  return `${absolute ? '/' : ''}${inner}${trailing ? '/' : ''}`;
}

function join(...parts: unknown[]): string {
  const given: string[] = [];
  for (const part of parts) {
    needString(part, 'path');
    if (part !== '') given.push(part);
  }
  return given.length === 0 ? '.' : normalize(given.join('/'));
}

function parse(path: unknown): Parsed {
  needString(path, 'path');
  const root = path.startsWith('/') ? '/' : '';
  if (path === '') return { root: '', dir: '', base: '', ext: '', name: '' };
  const trimmed = path.replace(/\/+$/, '');
  const at = trimmed.lastIndexOf('/');
  const base = trimmed.slice(at + 1);
  const dir = at > 0 ? trimmed.slice(0, at) : root;
  const ext = extensionOf(base);
  return { root, dir, base, ext, name: ext ? base.slice(0, -ext.length) : base };
}

export const formatWith =
  (separator: string) =>
  (parts: unknown): string => {
    needObject(parts, 'pathObject');
    const { dir, root, base, name, ext } = parts;
    const folder = dir || root;
    const extension = ext ? `${String(ext).startsWith('.') ? '' : '.'}${String(ext)}` : '';
    const file = base || `${String(name || '')}${extension}`;
    if (!folder) return String(file);
    return folder === root
      ? `${String(folder)}${String(file)}`
      : `${String(folder)}${separator}${String(file)}`;
  };

/** `patterns` fetches a part of node, for `matchesGlob`. */
export function makePosix(cwd: () => string, patterns: () => Picomatch) {
  function resolve(...parts: unknown[]): string {
    let path = '';
    let absolute = false;
    for (let at = parts.length - 1; at >= -1 && !absolute; at--) {
      const part = at >= 0 ? parts[at] : cwd();
      needString(part, at >= 0 ? `paths[${at}]` : 'cwd');
      if (part === '') continue;
      path = `${part}/${path}`;
      absolute = part.startsWith('/');
    }
    const inner = withoutDots(path, !absolute, /\//, '/');
    return absolute ? `/${inner}` : inner || '.';
  }

  function relative(from: unknown, to: unknown): string {
    needString(from, 'from');
    needString(to, 'to');
    const [start, end] = [resolve(from), resolve(to)];
    if (start === end) return '';
    const [here, there] = [start, end].map((each) => each.split('/').filter(Boolean));
    const shared = (here ?? []).findIndex((part, at) => part !== there?.[at]);
    const common = shared < 0 ? (here ?? []).length : shared;
    return [...(here ?? []).slice(common).map(() => '..'), ...(there ?? []).slice(common)].join('/');
  }

  return {
    resolve,
    normalize,
    isAbsolute(path: unknown): boolean {
      needString(path, 'path');
      return path.startsWith('/');
    },
    join,
    relative,
    toNamespacedPath: (path: unknown) => path,
    dirname,
    basename,
    extname,
    format: formatWith('/'),
    parse,
    matchesGlob(path: unknown, pattern: unknown): boolean {
      needString(path, 'path');
      needString(pattern, 'pattern');
      return patterns()(pattern, { dot: false })(path);
    },
    sep: '/',
    delimiter: ':',
    _makeLong: (path: unknown) => path,
  };
}
