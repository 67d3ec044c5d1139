import { expect, test } from 'vitest';
import { MemoryWorkspace } from '../../test/support/memory-workspace.ts';
import { hashText } from '../base/hash.ts';
import { MemorySink } from './contract/fixture.ts';
import { FileLists } from './file-lists.ts';
import type { SnapshotEntry } from './workspace.ts';
import { listFiles, readSnapshot, restoreEntries, takeSnapshot } from './snapshot.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

async function restore(workspace: MemoryWorkspace, manifest: string, sink: MemorySink): Promise<void> {
  const entries = await readSnapshot(manifest, sink.get);
  await restoreEntries(workspace, entries, await listFiles(workspace), sink.get);
}

test('a snapshot goes by one hash, the same for the same files', async () => {
  const workspace = new MemoryWorkspace({ files: { 'a/b.txt': 'one', c: 'one' } });
  const sink = new MemorySink();
  const manifest = (await takeSnapshot(workspace, sink)) ?? '';
  expect(sink.contents.size).toBe(2);
  expect(await takeSnapshot(workspace, sink)).toBe(manifest);
  await workspace.files.write('c', bytes('two'));
  expect(await takeSnapshot(workspace, sink)).not.toBe(manifest);
  await restore(workspace, manifest, sink);
  expect(await workspace.files.read('c')).toEqual(bytes('one'));
});

test.for([
  ['another text', '[]'],
  ['a path that climbs', '[{"type":"directory","path":"../x","mode":493}]'],
  ['changes of a path that climbs', '{"since":"0","changed":[],"gone":["../x"]}'],
  ['an unknown kind', '[{"type":"socket","path":"x"}]'],
] as const)('a list that is %s is refused', async ([what, text]) => {
  const manifest = what === 'another text' ? hashText('[1]') : hashText(text);
  await expect(readSnapshot(manifest, async () => bytes(text))).rejects.toMatchObject({
    fault: { code: 'snapshot-damaged' },
  });
});

test('what is ignored is named in a snapshot, not kept, and never lost by restoring one', async () => {
  const workspace = new MemoryWorkspace({
    files: { '.gitignore': 'dist/\n', 'a.js': 'one', 'dist/a.js': 'made', 'node_modules/p/i.js': 'package' },
  });
  const sink = new MemorySink();
  const manifest = (await takeSnapshot(workspace, sink)) ?? '';
  const entries = await readSnapshot(manifest, sink.get);
  expect(entries.filter(({ type }) => type === 'ignored').map(({ path }) => path)).toEqual([
    'dist',
    'node_modules',
  ]);
  expect(entries.map(({ path }) => path)).not.toContain('node_modules/p/i.js');
  expect([...sink.contents.keys()]).not.toContain(hashText('package'));
  await workspace.files.write('a.js', bytes('two'));
  await workspace.files.write('dist/b.js', bytes('made later'));
  await workspace.files.write('packages/x/node_modules/q/i.js', bytes('installed later'));
  await restore(workspace, manifest, sink);
  expect(workspace.files.text('a.js')).toBe('one');
  expect(workspace.files.text('dist/b.js')).toBe('made later');
  expect(workspace.files.text('node_modules/p/i.js')).toBe('package');
  expect(workspace.files.text('packages/x/node_modules/q/i.js')).toBe('installed later');
});

test('lists that follow each other are kept as what changed, and read as they were', async () => {
  const files = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`f${n}.txt`, String(n)]));
  const workspace = new MemoryWorkspace({ files });
  const sink = new MemorySink();
  const lists = new FileLists();
  const snapshots: (readonly [string, readonly SnapshotEntry[]])[] = [];
  let bytesOfLists = 0;
  for (let n = 0; n < 120; n++) {
    await workspace.files.write(`f${n}.txt`, bytes(`changed ${n}`));
    if (n % 10 === 0) await workspace.files.remove(`f${199 - n}.txt`);
    const manifest = (await takeSnapshot(workspace, sink, lists)) ?? '';
    bytesOfLists += sink.contents.get(manifest)?.length ?? 0;
    snapshots.push([manifest, await workspace.snapshot(sink)]);
  }
  const whole = JSON.stringify(await workspace.snapshot(sink)).length;
  expect(bytesOfLists).toBeLessThan(6 * whole);
  for (const [manifest, list] of snapshots) expect(await readSnapshot(manifest, sink.get)).toEqual(list);
  expect(await takeSnapshot(workspace, sink, lists)).toBeUndefined();
});
