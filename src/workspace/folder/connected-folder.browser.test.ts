import { afterEach, expect, test } from 'vitest';
import { MemoryWorkspace } from '../../../test/support/memory-workspace.ts';
import { ConnectedFolder } from './connected-folder.ts';
import { DiskFolder } from './disk-folder.ts';
import type { SideChange } from './sides.ts';

/** The browser's private file system has the same handles as folders of the disk. */
const NAME = 'vitrine-folder-test';
const bytes = (text: string) => new TextEncoder().encode(text);

afterEach(async () => {
  const root = await navigator.storage.getDirectory();
  await root.removeEntry(NAME, { recursive: true }).catch(() => {});
});

async function opened(disk: Readonly<Record<string, string>>, files: Record<string, string> = {}) {
  const root = await navigator.storage.getDirectory();
  const folder = new DiskFolder(await root.getDirectoryHandle(NAME, { create: true }));
  for (const [path, text] of Object.entries(disk)) await folder.write(path, bytes(text));
  const workspace = new MemoryWorkspace({ files });
  const connected = new ConnectedFolder(workspace, folder, new Map(), async () => {});
  const onDisk = async (path: string) => {
    const content = await folder.read(path);
    return content && new TextDecoder().decode(content);
  };
  return { folder, workspace, connected, onDisk };
}

const of = (changes: readonly SideChange[], kind: SideChange['kind']) =>
  changes.filter((change) => change.kind === kind);
const names = (changes: readonly SideChange[]) => changes.map(({ path, kind }) => `${path} ${kind}`);

test('the files of a folder come in, an edit goes back, and nothing else is touched', async () => {
  const { connected, workspace, onDisk, folder } = await opened({
    'src/a.ts': 'a',
    'src/b.ts': 'b',
    '.gitignore': 'dist\n',
    'dist/made.js': 'made',
    'node_modules/p/index.js': 'p',
  });
  const found = await connected.compare();
  expect(names(found)).toEqual(['.gitignore in', 'src/a.ts in', 'src/b.ts in']);
  expect(await connected.fromDisk(found)).toEqual({ done: 3, refused: [] });
  expect(workspace.files.text('src/a.ts')).toBe('a');
  expect(workspace.durables).toBe(1);
  expect(await connected.changedHere()).toBe(0);

  await workspace.files.write('src/a.ts', bytes('edited'));
  await workspace.files.write('deep/new.ts', bytes('new'));
  await workspace.files.remove('src/b.ts');
  await workspace.files.write('dist/other.js', bytes('other'));
  expect(await connected.changedHere()).toBe(3);
  const out = await connected.compare();
  expect(names(out)).toEqual(['deep/new.ts out', 'src/a.ts out', 'src/b.ts out']);
  expect(await connected.toDisk(out)).toEqual({ done: 3, refused: [] });
  expect(await onDisk('src/a.ts')).toBe('edited');
  expect(await onDisk('deep/new.ts')).toBe('new');
  expect(await onDisk('src/b.ts')).toBeNull();
  expect(await onDisk('dist/made.js')).toBe('made');
  expect(await onDisk('node_modules/p/index.js')).toBe('p');
  expect([...(await folder.list()).leftOut].sort()).toEqual(['dist', 'node_modules']);
  expect(await connected.compare()).toEqual([]);
  expect(await connected.changedHere()).toBe(0);
});

test('what both have changed is a conflict, and goes the way that is chosen', async () => {
  const { connected, workspace, onDisk, folder } = await opened({ 'a.txt': 'a', 'b.txt': 'b' });
  await connected.fromDisk(await connected.compare());
  for (const path of ['a.txt', 'b.txt']) {
    await workspace.files.write(path, bytes('mine'));
    await folder.write(path, bytes('theirs'));
  }
  const conflicts = of(await connected.compare(), 'both');
  expect(conflicts.map(({ path }) => path)).toEqual(['a.txt', 'b.txt']);
  await connected.toDisk(conflicts.slice(0, 1));
  await connected.fromDisk(conflicts.slice(1));
  expect(await onDisk('a.txt')).toBe('mine');
  expect(workspace.files.text('b.txt')).toBe('theirs');
  expect(await connected.compare()).toEqual([]);
});

test('a file that changes after the comparison is left as it is, in both directions', async () => {
  const { connected, workspace, onDisk, folder } = await opened({ 'a.txt': 'a', 'b.txt': 'b' });
  await connected.fromDisk(await connected.compare());
  await workspace.files.write('a.txt', bytes('mine'));
  await folder.write('b.txt', bytes('theirs'));
  const changes = await connected.compare();
  await folder.write('a.txt', bytes('newer'));
  await workspace.files.write('b.txt', bytes('newer'));
  expect((await connected.toDisk(of(changes, 'out'))).refused).toMatchObject([
    { code: 'changed-since', where: 'a.txt' },
  ]);
  expect((await connected.fromDisk(of(changes, 'in'))).refused).toMatchObject([
    { code: 'changed-since', where: 'b.txt' },
  ]);
  expect(await onDisk('a.txt')).toBe('newer');
  expect(workspace.files.text('b.txt')).toBe('newer');
});

test('a file that becomes ignored in the workspace is not deleted on the disk', async () => {
  const { connected, workspace, onDisk } = await opened({ 'keep.log': 'log' });
  await connected.fromDisk(await connected.compare());
  await workspace.files.write('.gitignore', bytes('*.log\n'));
  const out = await connected.compare();
  expect(names(out)).toEqual(['.gitignore out']);
  await connected.toDisk(out);
  expect(await onDisk('keep.log')).toBe('log');
  expect(await connected.compare()).toEqual([]);
});

test('a folder where the file should be is refused by name, and the rest is written', async () => {
  const { connected, workspace, onDisk } = await opened({ 'a/b.txt': 'x' });
  await workspace.files.write('a', bytes('a file'));
  await workspace.files.write('c.txt', bytes('c'));
  const report = await connected.toDisk(of(await connected.compare(), 'out'));
  expect(report.done).toBe(1);
  expect(report.refused).toMatchObject([{ where: 'a' }]);
  expect(await onDisk('a/b.txt')).toBe('x');
  expect(await onDisk('c.txt')).toBe('c');
});
