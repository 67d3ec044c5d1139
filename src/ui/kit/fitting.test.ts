import { expect, test } from 'vitest';
import { fitting } from './fitting.ts';

test('the start of a name goes before its middle, the middle before the folder, then letters in order', () => {
  const paths = [
    'add/one.ts',
    'src/x-add.ts',
    'src/a-d-d.ts',
    'lib/add.ts',
    'src/zoo.ts',
    'lib/xx/add/two.ts',
  ];
  expect(fitting(paths, 'ADD', 9)).toEqual([
    'add/one.ts',
    'lib/add.ts',
    'src/x-add.ts',
    'lib/xx/add/two.ts',
    'src/a-d-d.ts',
  ]);
  expect(fitting(paths, '', 2)).toHaveLength(2);
});

test('the first letters of the words of a name go before letters anywhere in it', () => {
  const paths = ['a/if-it.ts', 'b/FilesTab.svelte', 'b/fast.ts', 'a/file-tree.ts', 'f/tab.ts'];
  expect(fitting(paths, 'ft', 9)).toEqual([
    'a/file-tree.ts',
    'b/FilesTab.svelte',
    'b/fast.ts',
    'a/if-it.ts',
    'f/tab.ts',
  ]);
});

test('no more than the best are kept, in the order that sorting all of them gives', () => {
  const paths = Array.from({ length: 3000 }, (_, at) => `src/${(at * 7919) % 3000}/part-${at}.ts`);
  const all = fitting(paths, 'part', paths.length);
  expect(all).toHaveLength(3000);
  expect(fitting(paths, 'part', 50)).toEqual(all.slice(0, 50));
});
