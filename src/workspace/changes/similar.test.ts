import { expect, test } from 'vitest';
import type { ChangedPath, FileVersion } from './compare.ts';
import { sharedPart, withEditedRenames } from './similar.ts';

const contents = new Map<string, string>();

function file(path: string, text: string): FileVersion {
  contents.set(path, text);
  return { path, type: 'file', hash: path, size: text.length, mode: 0o644, modified: 0 };
}
const removed = (path: string, text: string): ChangedPath => ({
  path,
  before: file(path, text),
  after: null,
});
const added = (path: string, text: string): ChangedPath => ({ path, before: null, after: file(path, text) });
const read = async ({ path }: FileVersion) => new TextEncoder().encode(contents.get(path));
const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `line ${from + at}\n`).join('');
const names = (changes: readonly ChangedPath[]) => changes.map(({ path, from }) => [path, from]);

test('a file that moved and was edited is one rename', async () => {
  const changes = [removed('a.ts', lines(10, 30)), added('b/a.ts', lines(10, 28))];
  expect(names(await withEditedRenames(changes, read))).toEqual([['b/a.ts', 'a.ts']]);
});

test('files that share less than half stay removed and added', async () => {
  const changes = [removed('a.ts', lines(10, 30)), added('b.ts', lines(21, 41))];
  expect(await withEditedRenames(changes, read)).toEqual(changes);
});

test('the file that is most alike is the origin, and the same name decides between equals', async () => {
  const changes = [
    removed('one.ts', lines(10, 26)),
    removed('two.ts', lines(10, 30)),
    added('src/three.ts', lines(10, 29)),
  ];
  expect(names(await withEditedRenames(changes, read))).toEqual([
    ['one.ts', undefined],
    ['src/three.ts', 'two.ts'],
  ]);
  const equals = [
    removed('one.ts', lines(10, 30)),
    removed('two.ts', lines(10, 30)),
    added('src/two.ts', lines(10, 29)),
  ];
  expect(names(await withEditedRenames(equals, read))).toEqual([
    ['one.ts', undefined],
    ['src/two.ts', 'two.ts'],
  ]);
});

test('binary files, empty files and files that cannot be read are left as they are', async () => {
  const changes = [
    removed('a.bin', 'a\0b'),
    removed('gone.txt', lines(10, 30)),
    removed('empty', ''),
    added('b.bin', 'a\0b'),
    added('b', ''),
    added('c.txt', lines(10, 30)),
  ];
  const result = await withEditedRenames(changes, async (version) => {
    if (version.path === 'gone.txt') throw new Error('gone');
    return read(version);
  });
  expect(result).toEqual(changes);
});

test('many files are not compared with each other', async () => {
  const changes = Array.from({ length: 60 }, (_, at) => [
    removed(`old${at}`, lines(at, at + 20)),
    added(`new${at}`, lines(at, at + 19)),
  ]).flat();
  const reads: string[] = [];
  await withEditedRenames(changes, async (version) => {
    reads.push(version.path);
    return read(version);
  });
  expect(reads).toEqual([]);
});

test('the shared part is the same in both directions', () => {
  expect(sharedPart('a\nb\n', 'a\nc\n')).toBe(0.5);
  expect(sharedPart('a\nb\n', 'b\na\n')).toBe(1);
  expect(sharedPart('', '')).toBe(0);
});
