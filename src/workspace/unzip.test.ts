import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { MemoryWorkspace } from '../../test/support/memory-workspace.ts';
import { IMPORT_LIMITS, importEntries } from './transfer.ts';
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

test('an absolute name, a folder above and a file where a folder should be are refused by name, and the rest comes in', async () => {
  const zip = zipSync({
    '/etc/passwd': strToU8('x'),
    'a/../../b.txt': strToU8('x'),
    c: strToU8('file'),
    'c/d.txt': strToU8('below a file'),
    'good.txt': strToU8('good'),
  });
  const workspace = new MemoryWorkspace();
  const report = await importEntries(workspace, entriesOfZip(zip));
  expect(report.refused.map(({ where }) => where)).toEqual(['/etc/passwd', 'a/../../b.txt', 'c/d.txt']);
  expect(report).toMatchObject({ files: 2, stopped: null });
  expect(workspace.files.text('good.txt')).toBe('good');
});

test('a zip with too many files is refused before any of them is unpacked', () => {
  const files = Object.fromEntries(
    Array.from({ length: IMPORT_LIMITS.files + 1 }, (_, n) => [`f${n}`, new Uint8Array()]),
  );
  expect(() => entriesOfZip(zipSync(files, { level: 0 }))).toThrow('more than can be added at once');
});

test('a zip that states a size beyond the limit is refused, and one that lies about it holds no more than it states', async () => {
  const zip = zipSync({ 'a.txt': new Uint8Array(1_000_000) });
  const stating = (size: number) => {
    const changed = zip.slice();
    const view = new DataView(changed.buffer);
    // The record of the file in the central directory: its signature, and the field of the unpacked size.
    const record = changed.findIndex(
      (_, at) => at + 4 <= changed.length && view.getUint32(at, true) === 0x02014b50,
    );
    view.setUint32(record + 24, size, true);
    return changed;
  };
  expect(() => entriesOfZip(stating(IMPORT_LIMITS.totalBytes + 1))).toThrow('more than can be added at once');
  let unpacked = 0;
  try {
    for (const entry of entriesOfZip(stating(10)))
      if (entry.type === 'file') unpacked += (await entry.read()).length;
  } catch (error) {
    expect(String(error)).toContain('cannot be unpacked');
  }
  expect(unpacked).toBeLessThanOrEqual(10);
});
