import { expect, test } from 'vitest';
import { withoutIgnoredEntries } from './leave-out.ts';
import type { ImportEntry } from './transfer.ts';

const file = (path: string, text = ''): ImportEntry => ({
  type: 'file',
  path,
  size: text.length,
  read: async () => new TextEncoder().encode(text),
});
const left = async (entries: readonly ImportEntry[]) =>
  (await withoutIgnoredEntries(entries)).map(({ path }) => path);

test('what the ignore files of the folder name is left out, at every depth', async () => {
  expect(
    await left([
      file('app/.gitignore', '*.log\n!kept.log\n/dist/\n'),
      file('app/a.log'),
      file('app/kept.log'),
      file('app/dist/x.js'),
      file('app/src/dist/y.js'),
      file('app/src/.gitignore', 'secret\n'),
      file('app/src/secret/z'),
      file('secret/z'),
      { type: 'directory', path: 'app/node_modules' },
      file('app/node_modules/p/index.js'),
      file('app/.git/HEAD'),
    ]),
  ).toEqual(['app/.gitignore', 'app/kept.log', 'app/src/dist/y.js', 'app/src/.gitignore', 'secret/z']);
});

test('names that an import refuses stay, so that they are refused', async () => {
  expect(await left([file('.gitignore', '*\n'), file('../x'), file('/etc/passwd')])).toEqual([
    '../x',
    '/etc/passwd',
  ]);
});

test('an ignore file that cannot be read ignores nothing', async () => {
  const broken: ImportEntry = {
    type: 'file',
    path: '.gitignore',
    size: 1,
    read: () => Promise.reject(new Error('gone')),
  };
  expect(await left([broken, file('a')])).toEqual(['.gitignore', 'a']);
});
