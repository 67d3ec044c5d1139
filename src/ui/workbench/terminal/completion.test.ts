import { expect, test } from 'vitest';
import { complete, type CompletionSource } from './completion.ts';

const folders: Record<string, readonly string[]> = {
  '/home/project': ['src/', 'sum.js', 'sum.test.js', 'a b.txt', "it's.txt", '.env', 'x;rm -rf y'],
  '/home/project/src/': ['main.ts', 'mark.ts'],
  '/home/project/./': ['src/'],
};
const source: CompletionSource = {
  variables: () => ['HOME', 'HOSTNAME', 'PATH'],
  commands: async () => ['cat', 'cd', 'grep'],
  list: async (path) =>
    (folders[path] ?? []).map((name) => ({ name: name.replace(/\/$/, ''), directory: name.endsWith('/') })),
};

test.each([
  ['gr', 'grep '],
  ['ls | gr', 'ls | grep '],
  ['if true; then gr', 'if true; then grep '],
  ['cat sr', 'cat src/'],
  ['cat src/main', 'cat src/main.ts '],
  ['cat su', 'cat sum.'],
  ['./s', './src/'],
  ['cat a', 'cat a\\ b.txt '],
  ['cat "a b', 'cat a\\ b.txt '],
  ["cat 'a", "cat 'a b.txt' "],
  ['cat it', "cat it\\'s.txt "],
  ['cat x', 'cat x\\;rm\\ -rf\\ y '],
  ['cat .e', 'cat .env '],
  ['echo $P', 'echo $PATH'],
  ['echo ${P', 'echo ${PATH}'],
  ['echo "$HOS', 'echo "$HOSTNAME'],
  ['echo $H', 'echo $HO'],
  ['ls $HOME/$P', 'ls $HOME/$PATH'],
  ['cat <su', 'cat <sum.'],
])('%s becomes %s', async (before, after) => {
  const found = await complete(before, before.length, '/home/project', source);
  expect(found && before.slice(0, found.from) + found.text).toBe(after);
});

test('several candidates are named when nothing more is shared; hidden files only when asked for', async () => {
  expect((await complete('c', 1, '/home/project', source))?.candidates).toEqual(['cat', 'cd']);
  expect((await complete('ls ', 3, '/home/project', source))?.candidates).toEqual([
    'src/',
    'sum.js',
    'sum.test.js',
    'a b.txt',
    "it's.txt",
    'x;rm -rf y',
  ]);
});

test('only what stands before the cursor counts', async () => {
  expect(await complete('gr foo', 2, '/home/project', source)).toMatchObject({ from: 0, text: 'grep ' });
});

test('nothing fits', async () => {
  expect(await complete('cat nosuch', 10, '/home/project', source)).toBeNull();
});
