import { expect, test } from 'vitest';
import { MemoryWorkspace } from '../../../../test/support/memory-workspace.ts';
import { create, move, removeWithUndo, rename } from './changes.ts';

const ROOT = '/home/project';

test('a new file never takes the place of another', async () => {
  const workspace = new MemoryWorkspace({ files: { 'a.txt': 'mine' } });
  await expect(create(workspace, ROOT, 'a.txt')).rejects.toThrow('a.txt already exists');
  expect(await create(workspace, ROOT, 'deep/b.txt')).toBe(`${ROOT}/deep/b.txt`);
  expect(await create(workspace, ROOT, 'folder/')).toBe(`${ROOT}/folder`);
  expect(await workspace.files.stat('folder')).toMatchObject({ type: 'directory' });
  expect(workspace.files.text('a.txt')).toBe('mine');
});

test.each(['', '  ', '..', '../x', 'a//b', './a', 'nul\0'])(
  'a name that cannot be used: %j',
  async (name) => {
    const workspace = new MemoryWorkspace({ files: { 'a.txt': '' } });
    await expect(create(workspace, ROOT, name)).rejects.toThrow(/name/i);
    await expect(rename(workspace, `${ROOT}/a.txt`, name)).rejects.toThrow(/name/i);
  },
);

test('renaming can be undone and takes nothing’s place', async () => {
  const workspace = new MemoryWorkspace({ files: { 'a.txt': 'a', 'b.txt': 'b' } });
  await expect(rename(workspace, `${ROOT}/a.txt`, 'b.txt')).rejects.toThrow('b.txt already exists');
  const { path, undo } = await rename(workspace, `${ROOT}/a.txt`, 'c.txt');
  expect(path).toBe(`${ROOT}/c.txt`);
  await undo();
  expect(workspace.files.text('a.txt')).toBe('a');
});

test('a deleted folder comes back whole, what must run still runs', async () => {
  const workspace = new MemoryWorkspace({
    files: { "dir/it's.sh": '#!/bin/bash', 'dir/sub/b.bin': Uint8Array.of(0, 255) },
    shell: () => 0,
  });
  await workspace.files.makeDirectory('dir/empty');
  const script = workspace.files.nodes.get(`${ROOT}/dir/it's.sh`);
  if (script) script.mode = 0o755;
  const undo = await removeWithUndo(workspace, `${ROOT}/dir`);
  expect(await workspace.files.stat('dir')).toBeNull();
  await undo?.();
  expect(await workspace.files.read('dir/sub/b.bin')).toEqual(Uint8Array.of(0, 255));
  expect(await workspace.files.stat('dir/empty')).toMatchObject({ type: 'directory' });
  expect(workspace.spawned.map(({ command }) => command)).toEqual([`chmod +x -- '${ROOT}/dir/it'\\''s.sh'`]);
});

test('bringing back does not overwrite what was made meanwhile', async () => {
  const workspace = new MemoryWorkspace({ files: { 'a.txt': 'old' } });
  const undo = await removeWithUndo(workspace, `${ROOT}/a.txt`);
  workspace.files.put('a.txt', 'new');
  await expect(undo?.()).rejects.toThrow('ECHANGED');
  expect(workspace.files.text('a.txt')).toBe('new');
});

test('what could not come back is not deleted', async () => {
  const many = Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`many/${at}`, '']));
  const workspace = new MemoryWorkspace({
    files: { ...many, 'links/a': '', 'big/b': new Uint8Array(20_000_001) },
  });
  workspace.files.link('links/b', 'a');
  for (const folder of ['many', 'links', 'big']) {
    expect(await removeWithUndo(workspace, `${ROOT}/${folder}`)).toBeNull();
    expect(await workspace.files.stat(folder)).not.toBeNull();
  }
});

test('moving keeps the name, takes nothing’s place, and can be undone while the old place is free', async () => {
  const workspace = new MemoryWorkspace({ files: { 'a/x.txt': 'x', 'b/x.txt': 'other', 'c/y.txt': '' } });
  const from = `${ROOT}/a/x.txt`;
  await expect(move(workspace, from, `${ROOT}/b`)).rejects.toThrow('b/x.txt already exists');
  await expect(move(workspace, `${ROOT}/a`, `${ROOT}/a`)).rejects.toThrow('into itself');
  const { path, undo } = await move(workspace, from, `${ROOT}/c`);
  expect(path).toBe(`${ROOT}/c/x.txt`);
  workspace.files.put('a/x.txt', 'new');
  await expect(undo()).rejects.toThrow('a/x.txt already exists');
  await workspace.files.remove('a/x.txt');
  await undo();
  expect(workspace.files.text('a/x.txt')).toBe('x');
});
