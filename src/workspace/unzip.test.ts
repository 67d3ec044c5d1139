import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { MemoryWorkspace } from '../../test/support/memory-workspace.ts';
import { importEntries } from './transfer.ts';
import { entriesOfZip } from './unzip.ts';

test('a zip comes in with its folders, and nothing of it leaves the place it goes to', async () => {
  const zip = zipSync({
    'site/index.html': strToU8('<p>'),
    'site/empty/': new Uint8Array(),
    '../evil.txt': strToU8('x'),
    '__MACOSX/site/._index.html': strToU8('x'),
  });
  const workspace = new MemoryWorkspace();
  const report = await importEntries(workspace, entriesOfZip(zip), { into: '/home/project/in' });
  expect(report).toMatchObject({ files: 1, stopped: null });
  expect(report.refused.map(({ where }) => where)).toEqual(['../evil.txt']);
  expect(workspace.files.text('in/site/index.html')).toBe('<p>');
  expect(await workspace.files.stat('in/site/empty')).toMatchObject({ type: 'directory' });
});

test('what is no zip says so', () => {
  expect(() => entriesOfZip(strToU8('PK nothing'))).toThrow('This zip cannot be unpacked');
});
