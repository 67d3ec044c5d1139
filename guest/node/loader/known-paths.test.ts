import { expect, test } from 'vitest';
import { KnownPaths } from './known-paths.ts';

type Type = 'file' | 'directory' | 'symlink';

/** Files whose types are given by path, and a list of what is asked about them. */
function paths(types: Record<string, Type>, links: Record<string, string> = {}) {
  const asked: string[] = [];
  let version = 0;
  const real = (path: string): string => {
    const link = Object.keys(links).find((each) => path === each || path.startsWith(`${each}/`));
    return link === undefined ? path : real(`${links[link]}${path.slice(link.length)}`);
  };
  const known = new KnownPaths({
    version: () => version,
    look(path) {
      asked.push(`look ${path}`);
      return types[real(path)];
    },
    names(folder) {
      asked.push(`names ${folder}`);
      if (folder === '/large') return null;
      const start = folder === '/' ? '/' : `${real(folder)}/`;
      const inside = Object.keys(types).filter(
        (path) => path.startsWith(start) && path !== '/' && !path.slice(start.length).includes('/'),
      );
      return new Map(inside.map((path) => [path.slice(start.length), types[path] ?? 'file']));
    },
    realpath(path) {
      asked.push(`realpath ${path}`);
      if (types[real(path)] === undefined) throw new Error(`ENOENT ${path}`);
      return real(path);
    },
  });
  const change = (path: string, type?: Type) => {
    version++;
    if (type) types[path] = type;
    else delete types[path];
  };
  return { known, asked, change };
}

const files = (): Record<string, Type> => ({
  '/': 'directory',
  '/a': 'directory',
  '/a/x.js': 'file',
  '/a/sub': 'directory',
  '/a/link': 'symlink',
});

test('from the second look in a folder on, its names answer, also for what is not there', () => {
  const { known, asked } = paths(files());
  expect(known.look('/a/x')).toBeUndefined();
  expect(known.look('/a/x.js')).toBe('file');
  expect(known.look('/a/x.json')).toBeUndefined();
  expect(known.look('/a/sub')).toBe('directory');
  expect(asked).toEqual(['look /a/x', 'names /a']);
});

test('after a change of names everything is asked anew', () => {
  const { known, asked, change } = paths(files());
  known.look('/a/y.js');
  expect(known.look('/a/y.js')).toBeUndefined();
  change('/a/y.js', 'file');
  expect(known.look('/a/y.js')).toBe('file');
  expect(known.look('/a/y.js')).toBe('file');
  expect(known.realpath('/a/y.js')).toBe('/a/y.js');
  change('/a/y.js');
  expect(known.look('/a/y.js')).toBeUndefined();
  expect(() => known.realpath('/a/y.js')).toThrow('ENOENT');
  expect(asked.filter((each) => each === 'names /a')).toHaveLength(2);
});

test('symlinks, folders without an answer, and paths that are not plain or change by themselves are looked at', () => {
  const { known, asked } = paths({ ...files(), '/a/target.js': 'file' }, { '/a/link': '/a/target.js' });
  known.look('/a/x.js');
  expect(known.look('/a/link')).toBe('file');
  expect(known.look('/a/link')).toBe('file');
  for (let n = 0; n < 3; n++) known.look('/large/z');
  for (const path of ['/a/../a/x.js', '/a//x.js', '/a/./x.js', '/a/x.js/', '/proc/1', '/dev/null'])
    for (let n = 0; n < 2; n++) known.look(path);
  expect(asked.filter((each) => each.startsWith('names'))).toEqual(['names /a', 'names /large']);
  expect(asked.filter((each) => each === 'look /a/link')).toHaveLength(2);
  expect(asked.filter((each) => each === 'look /large/z')).toHaveLength(3);
  expect(asked.filter((each) => each === 'look /a/../a/x.js')).toHaveLength(2);
  expect(asked.filter((each) => each === 'look /dev/null')).toHaveLength(2);
});

test('real paths follow symlinks in the folder and at the end, and a folder is asked for once', () => {
  const types = {
    ...files(),
    '/b': 'symlink' as const,
    '/a/target.js': 'file' as const,
    '/a/sub/z.js': 'file' as const,
  };
  const { known, asked } = paths(types, { '/b': '/a', '/a/link': '/a/target.js' });
  known.look('/b/x.js');
  known.look('/b/link');
  expect(known.realpath('/b/x.js')).toBe('/a/x.js');
  expect(known.realpath('/b/target.js')).toBe('/a/target.js');
  expect(known.realpath('/b/link')).toBe('/a/target.js');
  expect(known.realpath('/b/x.js')).toBe('/a/x.js');
  expect(asked.filter((each) => each.startsWith('realpath'))).toEqual(['realpath /b', 'realpath /b/link']);
  expect(known.realpath('/')).toBe('/');
});
