import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { MemoryWorkspace } from '../../test/support/memory-workspace.ts';
import { exportZip, IMPORT_LIMITS, importEntries, type ImportEntry, type Progress } from './transfer.ts';
import { entriesOfZip } from './unzip.ts';
import { WorkspaceError } from './workspace.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
function file(path: string, text: string, size = text.length): ImportEntry {
  return { type: 'file', path, size, read: async () => bytes(text) };
}

test('files and empty folders come in, with progress, and survive a crash', async () => {
  const workspace = new MemoryWorkspace();
  const progress: Progress[] = [];
  const report = await importEntries(
    workspace,
    [file('a.txt', 'one'), { type: 'directory', path: 'empty' }, file('deep/b.txt', 'two!')],
    { onProgress: (at) => progress.push(at) },
  );
  expect(report).toEqual({ files: 2, kept: [], refused: [], stopped: null });
  expect(workspace.files.text('deep/b.txt')).toBe('two!');
  expect(await workspace.files.stat('empty')).toMatchObject({ type: 'directory' });
  expect(progress.at(-1)).toEqual({ files: 2, totalFiles: 2, bytes: 7, totalBytes: 7 });
  expect(workspace.durables).toBe(1);
});

test('nothing that is there is overwritten unless asked for', async () => {
  const workspace = new MemoryWorkspace({ files: { 'src/a.txt': 'mine', 'src/b.txt': 'same' } });
  const entries = [file('a.txt', 'theirs'), file('b.txt', 'same')];
  const report = await importEntries(workspace, entries, { into: '/home/project/src' });
  expect(report).toMatchObject({ files: 1, kept: [{ path: 'a.txt' }] });
  expect(workspace.files.text('src/a.txt')).toBe('mine');
  await importEntries(workspace, report.kept, { into: '/home/project/src', existing: 'replace' });
  expect(workspace.files.text('src/a.txt')).toBe('theirs');
});

test.each(['../out.txt', '/abs.txt', 'a//b', 'a/./b', 'nul\0', ''])(
  'a hostile name is refused and the rest comes in: %j',
  async (path) => {
    const workspace = new MemoryWorkspace();
    const report = await importEntries(workspace, [file(path, 'x'), file('ok.txt', 'y')]);
    expect(report).toMatchObject({ files: 1, refused: [{ code: 'import-name', where: path }] });
  },
);

test('a link that leads outside is no way out', async () => {
  const workspace = new MemoryWorkspace();
  workspace.files.link('out', '/etc');
  const report = await importEntries(workspace, [file('out/passwd', 'x')]);
  expect(report.refused).toEqual([
    { code: 'import-refused', what: 'It would leave the workspace.', where: 'out/passwd' },
  ]);
});

function link(path: string, target: string): ImportEntry {
  return { type: 'symlink', path, read: async () => target };
}

test.each(['/etc/passwd', '../x', 'a/../../x', '/home/project/../x', '/home/projects', '', 'a\0b'])(
  'a link to %j, which is not in the workspace, is left out and named',
  async (target) => {
    const workspace = new MemoryWorkspace();
    const report = await importEntries(workspace, [link('deep', target), file('ok.txt', 'y')]);
    expect(report).toMatchObject({ files: 1, refused: [{ code: 'import-link', where: 'deep' }] });
    expect([...workspace.files.nodes.keys()]).toEqual(['/home/project', '/home/project/ok.txt']);
  },
);

test('nothing is written through a link of the same import, whatever the order', async () => {
  const workspace = new MemoryWorkspace({ files: { 'mine/a.txt': 'mine' } });
  const report = await importEntries(
    workspace,
    [
      link('l', 'mine'),
      file('l/a.txt', 'theirs'),
      link('l/b', '../mine'),
      { type: 'directory', path: 'l/c' },
    ],
    { existing: 'replace' },
  );
  expect(report.files).toBe(1);
  expect(report.refused.map(({ where }) => where)).toEqual(['l/a.txt', 'l/c', 'l/b']);
  expect(workspace.files.text('mine/a.txt')).toBe('mine');
  expect(await workspace.files.readLink('l')).toBe('mine');
  expect([...workspace.files.nodes.keys()]).toHaveLength(4);
});

test('links that lead out of the workspace only together are not made', async () => {
  const workspace = new MemoryWorkspace({ files: { 'a/b/c/x': 'x' } });
  const entries = [link('way', 'a/b/c/short/../../../etc'), link('a/b/c/short', '../..')];
  const report = await importEntries(workspace, entries);
  expect(report.refused).toMatchObject([{ code: 'import-link', where: 'way' }]);
  expect(report.files).toBe(1);
  expect(await workspace.files.readLink('way')).toBeNull();
});

test('a link takes no place of what is there unless asked for, and an import that ends early gives that back', async () => {
  const entries = [link('a', 'x'), link('b', 'y'), link('same', 'z'), link('folder', 'z')];
  const workspace = new MemoryWorkspace({ files: { a: 'mine', 'folder/f': 'mine' } });
  workspace.files.link('b', 'mine');
  workspace.files.link('same', 'z');
  const report = await importEntries(workspace, entries);
  expect(report).toMatchObject({
    files: 1,
    kept: [{ path: 'a' }, { path: 'b' }],
    refused: [{ where: 'folder' }],
  });
  const stop = new AbortController();
  const seen: (string | null)[] = [];
  const stopped = await importEntries(workspace, entries, {
    existing: 'replace',
    signal: stop.signal,
    onProgress: ({ files }) => files === 2 && stop.abort(),
  });
  expect(stopped.stopped?.what).toBe('You stopped it. Nothing was added.');
  expect(workspace.files.text('a')).toBe('mine');
  for (const path of ['b', 'same']) seen.push(await workspace.files.readLink(path));
  expect(seen).toEqual(['mine', 'z']);
  await importEntries(workspace, entries, { existing: 'replace' });
  expect(await workspace.files.readLink('a')).toBe('x');
});

test('one file too large is left out, unread', async () => {
  const workspace = new MemoryWorkspace();
  const report = await importEntries(workspace, [file('big', 'x', IMPORT_LIMITS.fileBytes + 1)]);
  expect(report).toMatchObject({ files: 0, refused: [{ code: 'import-file-too-large', where: 'big' }] });
});

test('too much in all is refused before anything is written', async () => {
  const workspace = new MemoryWorkspace();
  const half = IMPORT_LIMITS.fileBytes;
  const large = await importEntries(
    workspace,
    ['a', 'b', 'c', 'd', 'e'].map((path) => file(path, 'x', half)),
  );
  expect(large.stopped?.code).toBe('import-too-large');
  const many = Array.from({ length: IMPORT_LIMITS.files + 1 }, (_, at) => file(`${at}`, ''));
  expect((await importEntries(workspace, many)).stopped?.code).toBe('import-too-many');
  expect(await workspace.files.list('.')).toEqual([]);
});

/** A workspace that refuses to write `b.txt`. */
function fullAt(path: string, files: Record<string, string> = {}) {
  const workspace = new MemoryWorkspace({ files });
  const write = workspace.files.write.bind(workspace.files);
  workspace.files.write = async (to, content, options) => {
    if (to.endsWith(path)) throw new WorkspaceError('ENOSPC', to);
    return write(to, content, options);
  };
  return workspace;
}

test('a full disk ends the import and says what to do, and nothing of it stays', async () => {
  const workspace = fullAt('b.txt', { 'mine/there.txt': 'mine', 'mine/same.txt': 'same' });
  const report = await importEntries(workspace, [
    file('a.txt', 'a'),
    file('mine/new.txt', 'new'),
    file('mine/same.txt', 'same'),
    file('deep/er/c.txt', 'c'),
    { type: 'directory', path: 'empty/folder' },
    file('b.txt', 'b'),
  ]);
  expect(report).toMatchObject({ files: 0, stopped: { code: 'storage-full', where: '/home/project/b.txt' } });
  expect(report.stopped?.what).toContain('Nothing was added.');
  expect([...workspace.files.nodes.keys()].sort()).toEqual(
    ['', '/mine', '/mine/same.txt', '/mine/there.txt'].map((path) => `/home/project${path}`),
  );
});

test('an import that ends early gives back what it replaced', async () => {
  const workspace = fullAt('b.txt', { 'a.txt': 'mine', 'b.txt': 'mine' });
  const entries = [file('a.txt', 'theirs'), file('b.txt', 'theirs')];
  await importEntries(workspace, entries, { existing: 'replace' });
  expect(workspace.files.text('a.txt')).toBe('mine');
  expect(workspace.files.text('b.txt')).toBe('mine');
});

test('a file of it that was changed meanwhile stays, and so does its folder', async () => {
  const workspace = fullAt('b.txt');
  const report = await importEntries(workspace, [file('x/a.txt', 'a'), file('b.txt', 'b')], {
    onProgress: () => workspace.files.put('x/a.txt', bytes('edited')),
  });
  expect(report).toMatchObject({ files: 1, stopped: { code: 'storage-full' } });
  expect(report.stopped?.what).toContain('1 file was changed meanwhile and stays.');
  expect(workspace.files.text('x/a.txt')).toBe('edited');
});

test('it can be stopped, and nothing is half there', async () => {
  const workspace = new MemoryWorkspace();
  const stop = new AbortController();
  const report = await importEntries(workspace, [file('x/a', '1'), file('x/b', '2')], {
    signal: stop.signal,
    onProgress: () => stop.abort(),
  });
  expect(report).toMatchObject({
    files: 0,
    stopped: { code: 'import-stopped', what: 'You stopped it. Nothing was added.' },
  });
  expect(await workspace.files.list('.')).toEqual([]);
});

test('an entry that cannot be read is told', async () => {
  const broken: ImportEntry = {
    type: 'file',
    path: 'a',
    size: 1,
    read: () => Promise.reject(new Error('gone')),
  };
  const report = await importEntries(new MemoryWorkspace(), [broken]);
  expect(report.refused).toMatchObject([{ code: 'import-unreadable', where: 'a' }]);
});

test('a zip holds every file byte for byte, hidden ones and empty folders too', async () => {
  const binary = Uint8Array.from({ length: 256 }, (_, at) => at);
  const workspace = new MemoryWorkspace({ files: { '.env': 'A=1', 'ä/漢 字.bin': binary, 'ä/x': '' } });
  await workspace.files.makeDirectory('empty');
  workspace.files.link('dead', 'nowhere');
  workspace.files.link('to-env', '.env');
  const { zip, files, skipped } = await exportZip(workspace);
  const found = unzipSync(new Uint8Array(await zip.arrayBuffer()));
  const names = ['.env', 'dead', 'empty/', 'to-env', 'ä/', 'ä/x', 'ä/漢 字.bin'];
  expect(Object.keys(found).sort()).toEqual(names.sort());
  expect(found['ä/漢 字.bin']).toEqual(binary);
  expect(new TextDecoder().decode(found['to-env'])).toBe('.env');
  expect({ files, skipped }).toEqual({ files: 5, skipped: [] });
});

test('links come back as links, and those that lead out of the workspace are named', async () => {
  const workspace = new MemoryWorkspace({ files: { 'a/b/file': 'x' } });
  const { files } = workspace;
  files.link('a/up', '../a/b');
  files.link('to/file', '../a/up/file');
  files.link('absolute', '/home/project/a/b/file');
  files.link('loop', 'loop');
  files.link('out', '../other');
  files.link('etc', '/etc');
  // By its text it stays inside; through the other link it does not.
  files.link('deep/root', '../a/up/../../../x');
  const { zip, files: packed, skipped } = await exportZip(workspace);
  expect({ packed, skipped: [...skipped].sort() }).toEqual({
    packed: 5,
    skipped: ['deep/root', 'etc', 'out'],
  });
  const other = new MemoryWorkspace();
  const report = await importEntries(other, await entriesOfZip(new Uint8Array(await zip.arrayBuffer())));
  expect(report).toMatchObject({ files: 5, refused: [], stopped: null });
  for (const path of ['a/up', 'to/file', 'absolute', 'loop'])
    expect(await other.files.readLink(path)).toBe(await files.readLink(path));
  expect(new TextDecoder().decode(await other.files.read('to/file'))).toBe('x');
});

test('a link out of an exported folder becomes a copy of the file that it leads to', async () => {
  const workspace = new MemoryWorkspace({ files: { 'src/a.txt': 'a', 'other.txt': 'other' } });
  workspace.files.link('src/to-other', '../other.txt');
  workspace.files.link('src/to-a', 'a.txt');
  const { zip } = await exportZip(workspace, { from: '/home/project/src' });
  const entries = await entriesOfZip(new Uint8Array(await zip.arrayBuffer()));
  expect(Object.fromEntries(entries.map(({ path, type }) => [path, type]))).toEqual({
    'a.txt': 'file',
    'to-a': 'symlink',
    'to-other': 'file',
  });
});

test('a copy in the place of a link has the mode and the time of the file', async () => {
  const workspace = new MemoryWorkspace({ files: { 'run.sh': 'ls', 'a.txt': 'a' } });
  workspace.files.put('/home/project/run.sh', 'ls', 0o755);
  workspace.files.link('in/to-run', '../run.sh');
  workspace.files.link('in/to-a', '../a.txt');
  for (const [path, node] of workspace.files.nodes)
    node.modified = Date.UTC(path.endsWith('to-run') ? 2024 : 2020, 5, 1);
  const { zip } = await exportZip(workspace, { from: '/home/project/in' });
  const bytes = new Uint8Array(await zip.arrayBuffer());
  const view = new DataView(bytes.buffer);
  const found = new Map<string, readonly [mode: number, year: number]>();
  for (let at = 0; at + 46 <= bytes.length; at++) {
    if (view.getUint32(at, true) !== 0x02014b50) continue;
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + view.getUint16(at + 28, true)));
    const year = 1980 + (view.getUint16(at + 14, true) >>> 9);
    found.set(name, [(view.getUint32(at + 38, true) >>> 16) & 0o777, year]);
  }
  expect(Object.fromEntries(found)).toEqual({
    'to-run': [0o755, 2020],
    'to-a': [0o644, 2020],
  });
});

test('a time before 1980, which zips do not know, becomes the first one that they know', async () => {
  const workspace = new MemoryWorkspace({ files: { 'old.txt': '1970' } });
  for (const node of workspace.files.nodes.values()) node.modified = 0;
  const { zip } = await exportZip(workspace);
  const date = new DataView(await zip.arrayBuffer()).getUint16(12, true);
  expect(1980 + (date >>> 9)).toBe(1980);
});

test('packages are left out of a zip, but for a folder of theirs that is asked for', async () => {
  const workspace = new MemoryWorkspace({
    files: { 'a.txt': 'a', 'node_modules/x/index.js': 'x', 'app/node_modules/y/node_modules/z.js': 'z' },
  });
  const names = async (from?: string) => {
    const { zip, skipped } = await exportZip(workspace, from === undefined ? {} : { from });
    return [Object.keys(unzipSync(new Uint8Array(await zip.arrayBuffer()))).sort(), [...skipped].sort()];
  };
  expect(await names()).toEqual([
    ['a.txt', 'app/'],
    ['app/node_modules', 'node_modules'],
  ]);
  expect(await names('/home/project/app/node_modules')).toEqual([
    ['y/', 'y/node_modules/', 'y/node_modules/z.js'],
    [],
  ]);
});

test('one folder can be exported, and what goes out comes back in', async () => {
  const workspace = new MemoryWorkspace({
    files: { 'src/a.txt': 'a', 'src/sub/b.txt': 'b', 'other.txt': '' },
  });
  const { zip } = await exportZip(workspace, { from: '/home/project/src' });
  const found = unzipSync(new Uint8Array(await zip.arrayBuffer()));
  const entries = Object.entries(found).map(([path, content]): ImportEntry =>
    path.endsWith('/')
      ? { type: 'directory', path: path.slice(0, -1) }
      : { type: 'file', path, size: content.length, read: async () => content },
  );
  const other = new MemoryWorkspace();
  await importEntries(other, entries);
  expect(other.files.text('sub/b.txt')).toBe('b');
  expect(await other.files.list('.')).toHaveLength(2);
});
