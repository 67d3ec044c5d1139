import type { Picomatch } from '../../patterns/main.ts';
import { needString } from '../internal/errors.ts';
import { extensionOf, formatWith, withoutDots, withoutSuffix, type Parsed } from './posix.ts';

interface Rooted {
  /** `C:` or `\\server\share`, with single kinds of slashes. */
  readonly device: string;
  readonly absolute: boolean;
  /** The length of the device and the slash after it, in the original text. */
  readonly length: number;
}

const slash = /[\\/]/;
const lastSlash = (path: string) => Math.max(path.lastIndexOf('\\'), path.lastIndexOf('/'));

function rootOf(path: string): Rooted {
  const share = /^[\\/]{2}([^\\/]+)[\\/]+([^\\/]+)([\\/]?)/.exec(path);
  if (share) {
    const [whole, server = '', name = ''] = share;
    return { device: `\\\\${server}\\${name}`, absolute: true, length: whole.length };
  }
  const drive = /^[A-Za-z]:/.exec(path);
  if (drive) {
    const absolute = slash.test(path.charAt(2));
    return { device: path.slice(0, 2), absolute, length: absolute ? 3 : 2 };
  }
  const absolute = slash.test(path.charAt(0));
  return { device: '', absolute, length: absolute ? 1 : 0 };
}

function normalize(path: unknown): string {
  needString(path, 'path');
  if (path === '') return '.';
  const { device, absolute, length } = rootOf(path);
  const rest = path.slice(length);
  const inner = withoutDots(rest, !absolute, slash, '\\');
  const trailing = slash.test(rest.slice(-1));
  if (inner === '') {
    if (absolute) return `${device}\\`;
    return `${device}${trailing ? '.\\' : '.'}`;
  }
  return `${device}${absolute ? '\\' : ''}${inner}${trailing ? '\\' : ''}`;
}

function parse(path: unknown): Parsed {
  needString(path, 'path');
  const { length } = rootOf(path);
  const root = path.slice(0, length);
  const rest = path.slice(length).replace(/[\\/]+$/, '');
  const at = lastSlash(rest);
  const base = rest.slice(at + 1);
  const ext = extensionOf(base);
  const dir = at > 0 ? root + rest.slice(0, at) : root;
  return { root, dir, base, ext, name: ext ? base.slice(0, -ext.length) : base };
}

/** Windows' paths, for programs that handle them as text. `patterns` fetches a part of node, for `matchesGlob`. */
export function makeWin32(cwd: () => string, patterns: () => Picomatch) {
  const resolve = resolveFrom(cwd);

  return {
    resolve,
    normalize,
    isAbsolute(path: unknown): boolean {
      needString(path, 'path');
      return rootOf(path).absolute;
    },
    join(...parts: unknown[]): string {
      const given: string[] = [];
      for (const part of parts) {
        needString(part, 'path');
        if (part !== '') given.push(part);
      }
      if (given.length === 0) return '.';
      const joined = given.join('\\');
      // Only a first part that has them itself makes a share of two slashes.
      const share = /^[\\/]{2}[^\\/]/.test(given[0] ?? '');
      return normalize(share ? joined : joined.replace(/^[\\/]{2,}/, '\\'));
    },
    relative(from: unknown, to: unknown): string {
      needString(from, 'from');
      needString(to, 'to');
      const [start, end] = [resolve(from), resolve(to)];
      if (start.toLowerCase() === end.toLowerCase()) return '';
      const here = start.split('\\').filter(Boolean);
      const there = end.split('\\').filter(Boolean);
      let common = 0;
      while (common < here.length && here[common]?.toLowerCase() === there[common]?.toLowerCase()) common++;
      if (common === 0) return end;
      return [...here.slice(common).map(() => '..'), ...there.slice(common)].join('\\');
    },
    toNamespacedPath(path: unknown): unknown {
      if (typeof path !== 'string' || path === '') return path;
      const full = resolve(path);
      if (/^[A-Za-z]:\\/.test(full)) return `\\\\?\\${full}`;
      return /^\\\\[^?.]/.test(full) ? `\\\\?\\UNC\\${full.slice(2)}` : path;
    },
    dirname(path: unknown): string {
      return parse(path).dir || '.';
    },
    basename(path: unknown, suffix?: unknown): string {
      if (suffix !== undefined) needString(suffix, 'suffix');
      needString(path, 'path');
      const rest = path.replace(/^[A-Za-z]:/, '').replace(/[\\/]+$/, '');
      const at = lastSlash(rest);
      return withoutSuffix(rest.slice(at + 1), suffix);
    },
    extname(path: unknown): string {
      return parse(path).ext;
    },
    format: formatWith('\\'),
    parse,
    matchesGlob(path: unknown, pattern: unknown): boolean {
      needString(path, 'path');
      needString(pattern, 'pattern');
      return patterns()(pattern, { windows: true })(path);
    },
    sep: '\\',
    delimiter: ';',
    _makeLong: (path: unknown) => path,
  };
}

/** `path.resolve` for a process whose current folder `cwd` gives. */
function resolveFrom(cwd: () => string) {
  return (...parts: unknown[]): string => {
    let device = '';
    let tail = '';
    let absolute = false;
    for (let at = parts.length - 1; at >= -1; at--) {
      const part = at >= 0 ? parts[at] : cwd();
      needString(part, `paths[${at}]`);
      if (part === '') continue;
      const root = rootOf(part);
      if (root.device) {
        if (device && root.device.toLowerCase() !== device.toLowerCase()) continue;
        device ||= root.device;
      }
      if (absolute) {
        if (device) break;
        continue;
      }
      tail = `${part.slice(root.length)}\\${tail}`;
      absolute = root.absolute;
      if (absolute && device) break;
    }
    const inner = withoutDots(tail, !absolute, slash, '\\');
    return absolute ? `${device}\\${inner}` : `${device}${inner}` || '.';
  };
}
