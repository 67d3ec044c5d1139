import { expect, test } from 'vitest';
import { exec, WorkspaceError } from '../../src/workspace/workspace.ts';
import { MemoryWorkspace } from './memory-workspace.ts';

test('files leave the root by no path and no symlink', async () => {
  const { files } = new MemoryWorkspace({ files: { 'a.txt': 'a' } });
  files.link('out', '/etc');
  files.link('up', '../..');
  files.link('loop', 'loop');
  for (const path of ['../x', '/etc/passwd', 'out/passwd', 'up/x', 'a/../../../x']) {
    await expect(files.read(path), path).rejects.toMatchObject({ code: 'EACCES' });
    await expect(files.write(path, new Uint8Array()), path).rejects.toBeInstanceOf(WorkspaceError);
  }
  await expect(files.read('loop')).rejects.toMatchObject({ code: 'ELOOP' });
  expect(await files.resolve('b/../a.txt')).toBe('/home/project/a.txt');
});

test('a write with a wrong expectation fails and changes nothing', async () => {
  const { files } = new MemoryWorkspace({ files: { 'a.txt': 'a' } });
  await expect(files.write('a.txt', new Uint8Array(), { expect: null })).rejects.toMatchObject({
    code: 'ECHANGED',
  });
  expect(files.text('a.txt')).toBe('a');
});

test('a process prints, ends, and can be stopped', async () => {
  const workspace = new MemoryWorkspace({
    shell: async ({ command, print, signal }) => {
      print(`ran ${command}`);
      if (command === 'hang') await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return 3;
    },
  });
  expect(await exec(workspace, 'x')).toMatchObject({ output: 'ran x', exitCode: 3, reason: 'exit' });
  expect(await exec(workspace, 'hang', { timeoutMs: 5 })).toMatchObject({ exitCode: 124, reason: 'timeout' });
  const hanging = workspace.spawn('hang');
  hanging.kill();
  expect(await hanging.exited).toMatchObject({ exitCode: 137, reason: 'killed' });
});

test('a snapshot restores the tree', async () => {
  const workspace = new MemoryWorkspace({ files: { 'd/a.txt': 'one' } });
  const stored = new Map<string, Uint8Array>();
  const entries = await workspace.snapshot({
    missing: async (hashes) => hashes.filter((hash) => !stored.has(hash)),
    put: async (hash, bytes) => void stored.set(hash, bytes),
  });
  workspace.files.put('d/a.txt', 'two');
  workspace.files.put('b.txt', 'new');
  await workspace.restore(entries, async (hash) => stored.get(hash) ?? new Uint8Array());
  expect(workspace.files.text('d/a.txt')).toBe('one');
  expect(await workspace.files.stat('b.txt')).toBeNull();
});
