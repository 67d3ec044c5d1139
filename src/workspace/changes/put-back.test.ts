import { expect, test } from 'vitest';
import { MemoryWorkspace } from '../../../test/support/memory-workspace.ts';
import { MemorySink } from '../contract/fixture.ts';
import { takeSnapshot } from '../snapshot.ts';
import type { ChangedPath, FileVersion } from './compare.ts';
import { putBack } from './put-back.ts';
import { changesSince } from './since.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

/** A workspace whose files were changed after a snapshot of it. */
async function changed(before: Record<string, string>, edit: (workspace: MemoryWorkspace) => Promise<void>) {
  const workspace = new MemoryWorkspace({ files: before });
  const sink = new MemorySink();
  const manifest = (await takeSnapshot(workspace, sink)) ?? '';
  await edit(workspace);
  const changes = () => changesSince(workspace, manifest, sink.get);
  const read = (version: FileVersion) =>
    version.type === 'file' ? sink.get(version.hash) : Promise.resolve(bytes(version.target));
  const back = (change: ChangedPath) => putBack(workspace, change, read);
  return { workspace, changes, back };
}

test('every kind of change is put back, one path at a time', async () => {
  const { workspace, changes, back } = await changed(
    { 'edited.txt': 'old', 'gone.txt': 'gone', 'dir/moved.txt': 'moved' },
    async ({ files }) => {
      await files.write('edited.txt', bytes('new'));
      await files.remove('gone.txt');
      await files.rename('dir/moved.txt', 'elsewhere.txt');
      await files.write('added/new.txt', bytes('added'));
    },
  );
  const all = await changes();
  expect(all.map(({ path }) => path)).toEqual(['added/new.txt', 'edited.txt', 'elsewhere.txt', 'gone.txt']);
  for (const [index, change] of all.entries()) {
    await back(change);
    expect(await changes()).toHaveLength(all.length - index - 1);
  }
  expect(workspace.durables).toBeGreaterThan(0);
});

test('a file that was changed again is left as it is, and the fault says so', async () => {
  const { workspace, changes, back } = await changed({ 'a.txt': 'old', 'b.txt': 'b' }, async ({ files }) => {
    await files.write('a.txt', bytes('new'));
    await files.remove('b.txt');
    await files.write('c.txt', bytes('c'));
  });
  const all = await changes();
  await workspace.files.write('a.txt', bytes('newer'));
  await workspace.files.write('b.txt', bytes('another b'));
  await workspace.files.write('c.txt', bytes('another c'));
  for (const change of all)
    await expect(back(change)).rejects.toMatchObject({
      fault: { code: 'changed-since', where: change.path },
    });
  expect(await workspace.files.read('a.txt')).toEqual(bytes('newer'));
  expect(await workspace.files.read('b.txt')).toEqual(bytes('another b'));
  expect(await workspace.files.read('c.txt')).toEqual(bytes('another c'));
});
