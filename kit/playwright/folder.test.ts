import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { filesBelow } from './folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vitrine-folder-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function write(files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
}

test('a folder that is not there is named', async () => {
  await write({ 'a.txt': 'a' });
  for (const name of ['none', 'a.txt'])
    await expect(filesBelow(path.join(folder, name))).rejects.toThrow(
      `There is no folder ${path.join(folder, name)}.`,
    );
});

test('files that are no text are read as they are', async () => {
  const picture = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0xff, 0);
  await write({ 'a.txt': 'a', 'img/logo.png': picture });
  const files = await filesBelow(folder);
  expect(Object.keys(files).sort()).toEqual(['a.txt', 'img/logo.png']);
  expect(Uint8Array.from(files['img/logo.png'] ?? [])).toEqual(picture);
});

test('what git ignores, installed packages and results are left out', async () => {
  await write({
    ...{ '.gitignore': '.env\n/build/\n', '.env': 'KEY=secret', 'build/a.js': '', 'src/build/a.js': '' },
    ...{ 'src/.gitignore': '*.tmp\n!keep.tmp\n', 'src/a.tmp': '', 'src/keep.tmp': '', 'b.tmp': '' },
    ...{ 'node_modules/m/index.js': '', '.git/HEAD': '', '.git/info/exclude': 'notes.md', 'notes.md': '' },
    'out/recording.json': '{}',
  });
  const found = await filesBelow(folder, [path.join(folder, 'out')]);
  expect(Object.keys(found).sort()).toEqual([
    ...['.gitignore', 'b.tmp', 'src/.gitignore', 'src/build/a.js', 'src/keep.tmp'],
  ]);
});

test('the rules of the repository hold for a folder in it, which is copied even if it is ignored itself', async () => {
  await write({ '.git/HEAD': '', '.gitignore': '.env\nfixtures/\n' });
  await write({ 'fixtures/one/.env': 'KEY=secret', 'fixtures/one/a.txt': 'a' });
  expect(Object.keys(await filesBelow(path.join(folder, 'fixtures/one')))).toEqual(['a.txt']);
});

test('a folder that is not there is an error', async () => {
  await expect(filesBelow(path.join(folder, 'none'))).rejects.toThrow('none');
});
