import { expect, test } from 'vitest';
import { MemoryWorkspace } from '../../test/support/memory-workspace.ts';
import { hashText } from '../base/hash.ts';
import { MemorySink } from './contract/fixture.ts';
import { readSnapshot, restoreSnapshot, takeSnapshot } from './snapshot.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

test('a snapshot goes by one hash, the same for the same files', async () => {
  const workspace = new MemoryWorkspace({ files: { 'a/b.txt': 'one', c: 'one' } });
  const sink = new MemorySink();
  const manifest = await takeSnapshot(workspace, sink);
  expect(sink.contents.size).toBe(2);
  expect(await takeSnapshot(workspace, sink)).toBe(manifest);
  await workspace.files.write('c', bytes('two'));
  expect(await takeSnapshot(workspace, sink)).not.toBe(manifest);
  await restoreSnapshot(workspace, manifest, sink.get);
  expect(await workspace.files.read('c')).toEqual(bytes('one'));
});

test.for([
  ['another text', '[]'],
  ['a path that climbs', '[{"type":"directory","path":"../x","mode":493}]'],
  ['an unknown kind', '[{"type":"socket","path":"x"}]'],
] as const)('a list that is %s is refused', async ([what, text]) => {
  const manifest = what === 'another text' ? hashText('[1]') : hashText(text);
  await expect(readSnapshot(manifest, async () => bytes(text))).rejects.toMatchObject({
    fault: { code: 'snapshot-damaged' },
  });
});
