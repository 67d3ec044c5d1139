import { expect, test } from 'vitest';
import { MemoryWorkspace } from '../../../../test/support/memory-workspace.ts';
import { changesSince } from '../../../workspace/changes/since.ts';
import { OPENING_LIMITS, openingFiles } from './opening-files.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

test('the files are those of the first call, also in an empty workspace', async () => {
  for (const files of [{ 'a.txt': 'one\n' }, {}]) {
    const workspace = new MemoryWorkspace({ files });
    const first = await openingFiles(workspace);
    await workspace.files.write('a.txt', bytes('two\n'));
    expect(await openingFiles(workspace)).toBe(first);
    const content = async (hash: string) => first?.contents.get(hash) ?? new Uint8Array();
    const changes = await changesSince(workspace, first?.manifest ?? '', content);
    expect(changes.map(({ path }) => path)).toEqual(['a.txt']);
  }
});

test('too much is not held in memory', async () => {
  const many = Object.fromEntries(
    Array.from({ length: OPENING_LIMITS.files + 1 }, (_, at) => [`f${at}`, `${at}`]),
  );
  expect(await openingFiles(new MemoryWorkspace({ files: many }))).toBeNull();
  const large = { a: new Uint8Array(OPENING_LIMITS.bytes + 1) };
  expect(await openingFiles(new MemoryWorkspace({ files: large }))).toBeNull();
});
