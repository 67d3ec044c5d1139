import * as fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { FaultError } from '../base/fault.ts';
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
  const report = await importEntries(workspace, await entriesOfZip(zip), { into: '/home/project/in' });
  expect(report).toMatchObject({ files: 1, stopped: null });
  expect(report.refused.map(({ where }) => where)).toEqual(['../evil.txt']);
  expect(workspace.files.text('in/site/index.html')).toBe('<p>');
  expect(await workspace.files.stat('in/site/empty')).toMatchObject({ type: 'directory' });
});

test('what is no zip says so', async () => {
  await expect(entriesOfZip(strToU8('PK nothing'))).rejects.toThrow('This zip cannot be unpacked');
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
  const report = await importEntries(workspace, await entriesOfZip(zip));
  expect(report.refused.map(({ where }) => where)).toEqual(['/etc/passwd', 'a/../../b.txt', 'c/d.txt']);
  expect(report).toMatchObject({ files: 2, stopped: null });
  expect(workspace.files.text('good.txt')).toBe('good');
});

test('a zip with too many files is refused before any of them is unpacked', async () => {
  const files = Object.fromEntries(
    Array.from({ length: IMPORT_LIMITS.files + 1 }, (_, n) => [`f${n}`, new Uint8Array()]),
  );
  await expect(entriesOfZip(zipSync(files, { level: 0 }))).rejects.toThrow('more than can be added at once');
});

test('a zip of 100,000 files that are mostly ignored is cut to the rest', async () => {
  const files: Record<string, Uint8Array> = {
    'app/.gitignore': strToU8('out/\n'),
    'app/main.js': strToU8('main'),
    'app/out/made.js': strToU8('made'),
    '../evil.txt': strToU8('x'),
  };
  for (let n = 0; n < 100_000; n += 1) files[`app/node_modules/p/f${n}`] = new Uint8Array();
  const zip = zipSync(files, { level: 0 });
  let code = '';
  try {
    await entriesOfZip(zip);
  } catch (error) {
    code = error instanceof FaultError ? error.fault.code : '';
  }
  expect(code).toBe('zip-too-large');
  const workspace = new MemoryWorkspace();
  const report = await importEntries(workspace, await entriesOfZip(zip, { leaveOutIgnored: true }));
  expect(report).toMatchObject({ files: 2, stopped: null });
  expect(report.refused.map(({ where }) => where)).toEqual(['../evil.txt']);
  expect(workspace.files.text('app/main.js')).toBe('main');
  expect(await workspace.files.stat('app/out')).toBeNull();
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
  await expect(entriesOfZip(stating(IMPORT_LIMITS.totalBytes + 1))).rejects.toThrow(
    'more than can be added at once',
  );
  for (const size of [10, 1_000_001]) {
    const [entry] = await entriesOfZip(stating(size));
    await expect(entry?.type === 'file' && entry.read()).rejects.toThrow('a.txt is damaged');
  }
});

test('a zip of which a file is damaged is not added by halves', async () => {
  const text = strToU8(Array.from({ length: 9_000 }, (_, n) => `line ${n}\n`).join(''));
  const zip = zipSync({ 'a.txt': text, 'b.txt': text, 'c.txt': text });
  const damaged = zip.slice();
  const [, second] = await entriesOfZip(damaged);
  expect(second?.type === 'file' && (await second.read())).toEqual(text);
  const middle = Math.floor(damaged.length / 2);
  damaged.fill(0xff, middle, middle + 20);
  const workspace = new MemoryWorkspace();
  const report = await importEntries(workspace, await entriesOfZip(damaged));
  expect(report).toMatchObject({ files: 0, stopped: { code: 'zip-unreadable' } });
  expect(report.stopped?.what).toBe('This zip cannot be unpacked: b.txt is damaged. Nothing was added.');
  expect([...workspace.files.nodes.keys()]).toEqual(['/home/project']);
});

test('names are read as UTF-8 also where the zip does not say so, and else as Latin', async () => {
  const zip = zipSync({ 'Ä.txt': strToU8('a'), 'xx.txt': strToU8('b') }, { level: 0 });
  const view = new DataView(zip.buffer);
  for (let at = 0; at + 4 <= zip.length; at++) {
    if (view.getUint32(at, true) === 0x02014b50) view.setUint16(at + 8, 0, true);
    if (zip[at] === 0x78 && zip[at + 1] === 0x78) zip.set([0xc4, 0x78], at);
  }
  expect((await entriesOfZip(zip)).map(({ path }) => path)).toEqual(['Ä.txt', 'Äx.txt']);
});

/** A zip as other programs make them: with modes, and maybe entries that need a password. */
function made(
  entries: Record<string, { readonly content: string; readonly mode?: number; readonly flags?: number }>,
) {
  const zip = zipSync(
    Object.fromEntries(
      Object.entries(entries).map(([path, { content, mode = 0o100644 }]) => [
        path,
        [strToU8(content), { os: 3, attrs: mode * 0x10000, level: 0 }] as const,
      ]),
    ),
  );
  const view = new DataView(zip.buffer);
  const flags = Object.values(entries).map((each) => each.flags ?? 0);
  let record = 0;
  for (let at = 0; at + 4 <= zip.length; at++)
    if (view.getUint32(at, true) === 0x02014b50) view.setUint16(at + 8, flags[record++] ?? 0, true);
  return zip;
}

test('links come in as links, with a target that is packed as well', async () => {
  const zip = zipSync({
    'a/b.txt': strToU8('b'),
    'to-b': [strToU8('a/b.txt'), { os: 3, attrs: 0o120777 * 0x10000, level: 9 }],
    long: [strToU8('x'.repeat(5000)), { os: 3, attrs: 0o120777 * 0x10000, level: 9 }],
    latin: [Uint8Array.of(0xe4), { os: 3, attrs: 0o120777 * 0x10000, level: 0 }],
  });
  const workspace = new MemoryWorkspace();
  const report = await importEntries(workspace, await entriesOfZip(zip));
  expect(await workspace.files.readLink('to-b')).toBe('a/b.txt');
  expect(report).toMatchObject({
    files: 2,
    refused: [
      { code: 'import-link', where: 'long' },
      { code: 'import-link', where: 'latin' },
    ],
  });
});

test('links that lead out, and what needs a password, are refused by name, and the rest comes in', async () => {
  const zip = made({
    out: { content: '/etc/passwd', mode: 0o120777 },
    'locked.txt': { content: 'x?y', flags: 1 },
    'run.sh': { content: '#!', mode: 0o100755 },
  });
  const workspace = new MemoryWorkspace();
  const report = await importEntries(workspace, await entriesOfZip(zip));
  expect(report.refused).toMatchObject([
    { code: 'import-encrypted', where: 'locked.txt' },
    { code: 'import-link', where: 'out' },
  ]);
  expect(report).toMatchObject({ files: 1, stopped: null });
  expect([...workspace.files.nodes.keys()]).toEqual(['/home/project', '/home/project/run.sh']);
});

test('what could be run can be run, also where it replaces a file', async () => {
  const zip = made({
    'run.sh': { content: '#!', mode: 0o100755 },
    'read.txt': { content: 'x' },
  });
  const workspace = new MemoryWorkspace({ files: { 'run.sh': 'other' } });
  await importEntries(workspace, await entriesOfZip(zip), { existing: 'replace' });
  expect(await workspace.files.stat('run.sh')).toMatchObject({ mode: 0o755 });
  expect(await workspace.files.stat('read.txt')).toMatchObject({ mode: 0o644 });
});

test('a zip whose entries all name the same bytes is counted by what it would unpack to', async () => {
  const entries = Object.fromEntries(
    Array.from({ length: 500 }, (_, n) => [`f${n}`, { content: n === 0 ? 'x'.repeat(1_000_000) : '' }]),
  );
  const zip = made(entries);
  const view = new DataView(zip.buffer);
  for (let at = 0; at + 4 <= zip.length; at++) {
    if (view.getUint32(at, true) !== 0x02014b50) continue;
    // Each is not packed, lies at the beginning, and says that it is empty once it is unpacked.
    view.setUint32(at + 20, 1_000_000, true);
    view.setUint32(at + 24, 0, true);
    view.setUint32(at + 42, 0, true);
  }
  await expect(entriesOfZip(zip)).rejects.toThrow('more than can be added at once');
});

test('whatever the bytes of a zip are, it is refused or comes in below its folder, and never by halves', async () => {
  const zip = made({ 'a.txt': { content: 'a' }, 'b/c.txt': { content: 'c' }, 'd/': { content: '' } });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(zip.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }),
      async (edits) => {
        const damaged = zip.slice();
        for (const [at, byte] of edits) damaged[at] = byte;
        const workspace = new MemoryWorkspace();
        let entries: Awaited<ReturnType<typeof entriesOfZip>> = [];
        try {
          entries = await entriesOfZip(damaged);
        } catch (error) {
          expect(error).toBeInstanceOf(FaultError);
        }
        const report = await importEntries(workspace, entries, { into: '/home/project/in' });
        if (report.stopped) {
          expect(report.stopped.code).toBe('zip-unreadable');
          expect(workspace.files.nodes.size).toBe(1);
        }
        for (const path of workspace.files.nodes.keys())
          expect(path).toMatch(/^\/home\/project(\/in(\/|$)|$)/);
      },
    ),
    { numRuns: 500 },
  );
});
