import { describe, expect, test } from 'vitest';
import { hashText } from '../../base/hash.ts';
import { ROOT, exec, type FileChange } from '../workspace.ts';
import { bytesOf, fresh, put, textAt, type Fixture } from './fixture.ts';

const HOSTILE = [
  'line\nbreak.txt',
  `quote's "double" \`back\`.txt`,
  ' leading and trailing ',
  '-rf',
  '$(touch pwned)',
  '<img src=x onerror=alert(1)>',
  'ünïcödé 日本語 🦄.txt',
  'ｅ\u0301\u202Etxt.exe',
  '...',
  '..hidden',
  '__proto__',
  'constructor',
  'back\\slash',
  'tab\there',
  '*?[a]{b,c}',
  'n'.repeat(255),
];

export function filesContract(make: () => Promise<Fixture>): void {
  describe('files', () => {
    test('what is written is read, whole, with its parents', async () => {
      const { workspace } = await fresh(make);
      const all = Uint8Array.from({ length: 256 }, (_, index) => index);
      await workspace.files.write('a/b/c.bin', all);
      expect(await workspace.files.read(`${ROOT}/a/b/c.bin`)).toEqual(all);
      expect(await workspace.files.stat('a/b/c.bin')).toMatchObject({ type: 'file', size: 256, mode: 0o644 });
      expect(await workspace.files.stat('a')).toMatchObject({ type: 'directory', size: 0 });
      expect((await workspace.files.list('a')).map(({ name }) => name)).toEqual(['b']);
    });

    test('a file that is written as executable can be run, and stays so', async () => {
      const { workspace } = await fresh(make);
      await put(workspace, { 'run.sh': '' });
      await workspace.files.write('run.sh', bytesOf('#!/bin/sh\necho ran'), { executable: true });
      expect(await workspace.files.stat('run.sh')).toMatchObject({ mode: 0o755 });
      await workspace.files.write('run.sh', bytesOf('#!/bin/sh\necho again'));
      expect(await workspace.files.stat('run.sh')).toMatchObject({ mode: 0o755 });
      await workspace.files.write('new.sh', bytesOf(''), { expect: null, executable: true });
      expect(await workspace.files.stat('new.sh')).toMatchObject({ mode: 0o755 });
    });

    test('a part of a larger buffer is written as that part', async () => {
      const { workspace } = await fresh(make);
      const large = bytesOf('0123456789');
      await workspace.files.write('part', large.subarray(3, 6));
      expect(await textAt(workspace, 'part')).toBe('345');
      expect(large.byteLength).toBe(10);
    });

    test('a listing is sorted by name and says what things are', async () => {
      const { workspace } = await fresh(make);
      await put(workspace, { 'b.txt': 'two', 'a.txt': '1', 'c/d': '' });
      const listed = await workspace.files.list('.');
      expect(listed.map(({ name, type, size }) => [name, type, size])).toEqual([
        ['a.txt', 'file', 1],
        ['b.txt', 'file', 3],
        ['c', 'directory', 0],
      ]);
    });

    test.for([
      ['read', 'missing', 'ENOENT'],
      ['read', 'folder', 'EISDIR'],
      ['read', 'file/below', 'ENOTDIR'],
      ['list', 'file', 'ENOTDIR'],
      ['list', 'missing', 'ENOENT'],
      ['makeDirectory', 'file', 'EEXIST'],
      ['remove', 'missing', 'ENOENT'],
      ['remove', 'folder', 'ENOTEMPTY'],
      ['remove', ROOT, 'ENOTEMPTY'],
      ['read', 'nul\0byte', 'EINVAL'],
      ['read', 'x'.repeat(256), 'EINVAL'],
      ['read', 'x/'.repeat(3000), 'EINVAL'],
    ] as const)('%s of %s fails with %s', async ([method, path, code]) => {
      const { workspace } = await fresh(make);
      await put(workspace, { file: 'x', 'folder/inner': 'y' });
      await expect(workspace.files[method](path)).rejects.toMatchObject({ name: 'WorkspaceError', code });
    });

    test('writing onto a folder, renaming into oneself and removing the root fail', async () => {
      const { workspace } = await fresh(make);
      await put(workspace, { 'folder/inner': 'y', file: 'x' });
      await expect(workspace.files.write('folder', bytesOf(''))).rejects.toMatchObject({ code: 'EISDIR' });
      await expect(workspace.files.rename('folder', 'folder/inner/x')).rejects.toMatchObject({
        code: expect.stringMatching(/EINVAL|ENOTDIR/),
      });
      await expect(workspace.files.rename('file', 'folder')).rejects.toMatchObject({ code: 'EISDIR' });
      await expect(workspace.files.rename('folder', 'file')).rejects.toMatchObject({ code: 'ENOTDIR' });
      await expect(workspace.files.remove(ROOT, { recursive: true })).rejects.toMatchObject({
        code: 'EACCES',
      });
      expect(await textAt(workspace, 'folder/inner')).toBe('y');
    });

    test('rename moves whole folders and replaces files', async () => {
      const { workspace } = await fresh(make);
      await put(workspace, { 'from/deep/file': 'moved', target: 'old', other: 'new' });
      await workspace.files.rename('from', 'to');
      await workspace.files.rename('other', 'target');
      expect(await textAt(workspace, 'to/deep/file')).toBe('moved');
      expect(await textAt(workspace, 'target')).toBe('new');
      expect(await workspace.files.stat('from')).toBeNull();
      expect(await workspace.files.stat('other')).toBeNull();
    });

    test('a write that expects a content refuses any other', async () => {
      const { workspace } = await fresh(make);
      await workspace.files.write('new', bytesOf('one'), { expect: null });
      await expect(workspace.files.write('new', bytesOf('x'), { expect: null })).rejects.toMatchObject({
        code: 'ECHANGED',
      });
      await workspace.files.write('new', bytesOf('two'), { expect: hashText('one') });
      await expect(
        workspace.files.write('new', bytesOf('x'), { expect: hashText('one') }),
      ).rejects.toMatchObject({ code: 'ECHANGED' });
      expect(await textAt(workspace, 'new')).toBe('two');
    });

    test('what is asked for by its real path is not reached through a link that took its place', async () => {
      const { workspace } = await fresh(make);
      const { files } = workspace;
      await put(workspace, { 'a/x': 'open', 'b/x': 'secret' });
      const real = `${ROOT}/a/x`;
      expect(await files.read(real, { real: true })).toEqual(bytesOf('open'));
      await files.write(`${ROOT}/a/new/y`, bytesOf('y'), { real: true });
      await exec(workspace, 'rm -r a; ln -s b a');
      await expect(files.read(real, { real: true })).rejects.toMatchObject({ code: 'ECHANGED' });
      await expect(files.write(real, bytesOf('z'), { real: true })).rejects.toMatchObject({
        code: 'ECHANGED',
      });
      await expect(files.list(`${ROOT}/a`, { real: true })).rejects.toMatchObject({ code: 'ECHANGED' });
      await expect(files.remove(real, { real: true })).rejects.toMatchObject({ code: 'ECHANGED' });
      for (const [from, to] of [
        [real, `${ROOT}/c`],
        [`${ROOT}/b/x`, `${ROOT}/a/y`],
      ] as const)
        await expect(files.rename(from, to, { real: true })).rejects.toMatchObject({ code: 'ECHANGED' });
      expect(await textAt(workspace, 'a/x')).toBe('secret');
      expect((await files.list(`${ROOT}/b`, { real: true })).map(({ name }) => name)).toEqual(['x']);
      await files.rename(`${ROOT}/b/x`, `${ROOT}/b/y`, { real: true });
      await files.remove(`${ROOT}/b/y`, { real: true });
    });

    test('a removal that expects a content refuses any other', async () => {
      const { workspace } = await fresh(make);
      await put(workspace, { file: 'one', 'folder/inner': 'y' });
      for (const path of ['file', 'folder', 'missing'])
        await expect(
          workspace.files.remove(path, { recursive: true, expect: hashText('two') }),
        ).rejects.toMatchObject({ code: 'ECHANGED' });
      expect(await textAt(workspace, 'file')).toBe('one');
      expect(await textAt(workspace, 'folder/inner')).toBe('y');
      await workspace.files.remove('file', { expect: hashText('one') });
      expect(await workspace.files.stat('file')).toBeNull();
    });

    test('of several writers that expect the same only one succeeds', async () => {
      const { workspace } = await fresh(make);
      const attempts = ['a', 'b', 'c'].map((text) =>
        workspace.files.write('once', bytesOf(text), { expect: null }),
      );
      const outcomes = await Promise.allSettled(attempts);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });

    test.for(HOSTILE)('%j is a name like any other', async (name) => {
      const { workspace, shell } = await fresh(make);
      await workspace.files.write(`folder/${name}`, bytesOf(name));
      expect(await textAt(workspace, `folder/${name}`)).toBe(name);
      expect((await workspace.files.list('folder')).map((entry) => entry.name)).toEqual([name]);
      const all = shell === 'bash' ? 'find folder -type f -exec cat {} \\;;' : '';
      const { output } = await exec(workspace, `${all} ls -A`);
      expect(output).toBe(`${shell === 'bash' ? name : ''}folder\n`);
      await workspace.files.remove(`folder/${name}`);
      expect(await workspace.files.list('folder')).toEqual([]);
    });

    test.for([
      '..',
      '../..',
      '/',
      '/etc/passwd',
      '/home',
      '/tmp/x',
      `${ROOT}/../x`,
      'a/../../x',
      '/home/project-2/x',
      'missing/../../x',
    ])('nothing reaches %s', async (path) => {
      const { workspace } = await fresh(make);
      const refused = { code: 'EACCES' };
      await expect(workspace.files.resolve(path)).rejects.toMatchObject(refused);
      await expect(workspace.files.read(path)).rejects.toMatchObject(refused);
      await expect(workspace.files.stat(path)).rejects.toMatchObject(refused);
      await expect(workspace.files.list(path)).rejects.toMatchObject(refused);
      await expect(workspace.files.write(path, bytesOf('x'))).rejects.toMatchObject(refused);
      await expect(workspace.files.makeDirectory(path)).rejects.toMatchObject(refused);
      await expect(workspace.files.remove(path, { recursive: true })).rejects.toMatchObject(refused);
      await expect(workspace.files.rename(path, 'x')).rejects.toMatchObject(refused);
      await put(workspace, { x: 'x' });
      await expect(workspace.files.rename('x', path)).rejects.toMatchObject(refused);
    });

    test('symlinks are made and read as they are, and the folder of one is followed', async () => {
      const { workspace } = await fresh(make);
      await put(workspace, { 'real/file': 'inside' });
      await workspace.files.makeLink('new/folder/link', '../../real/file');
      await workspace.files.makeLink('short', 'real');
      await workspace.files.makeLink(`${ROOT}/short/out`, '/etc');
      expect(await workspace.files.readLink('new/folder/link')).toBe('../../real/file');
      expect(await textAt(workspace, 'new/folder/link')).toBe('inside');
      expect(await workspace.files.readLink('real/out')).toBe('/etc');
      expect((await exec(workspace, 'cat new/folder/link')).output).toBe('inside');
      for (const path of ['real', 'real/file', 'nothing', 'nothing/below'])
        expect(await workspace.files.readLink(path)).toBeNull();
      await expect(workspace.files.makeLink('real/file', 'x')).rejects.toMatchObject({ code: 'EEXIST' });
      await expect(workspace.files.makeLink('real/out', 'x')).rejects.toMatchObject({ code: 'EEXIST' });
      await expect(workspace.files.makeLink('real/out/x', 'x')).rejects.toMatchObject({ code: 'EACCES' });
      await expect(workspace.files.makeLink('../x', 'x')).rejects.toMatchObject({ code: 'EACCES' });
      await expect(workspace.files.readLink('real/out/x')).rejects.toMatchObject({ code: 'EACCES' });
    });

    test('symlinks are followed inside and refused where they lead out, whenever they are asked', async () => {
      const { workspace } = await fresh(make);
      await put(workspace, { 'real/file': 'inside' });
      const made = await exec(
        workspace,
        'ln -s real/file in; ln -s /tmp out; ln -s ../../.. up; ln -s loop loop; ln -s real folder; echo secret > /tmp/secret',
      );
      expect(made).toMatchObject({ exitCode: 0, output: '' });
      expect(await textAt(workspace, 'in')).toBe('inside');
      expect(await workspace.files.resolve('folder/file')).toBe(`${ROOT}/real/file`);
      await expect(workspace.files.read('out/secret')).rejects.toMatchObject({ code: 'EACCES' });
      await expect(workspace.files.write('out/new', bytesOf('x'))).rejects.toMatchObject({ code: 'EACCES' });
      await expect(workspace.files.list('up')).rejects.toMatchObject({ code: 'EACCES' });
      await expect(workspace.files.read('loop')).rejects.toMatchObject({ code: 'ELOOP' });
      await expect(workspace.files.rename('in', 'out/in')).rejects.toMatchObject({ code: 'EACCES' });
      // The same name is checked again after its target has changed.
      await workspace.files.remove('folder');
      await exec(workspace, 'ln -s /tmp folder');
      await expect(workspace.files.read('folder/secret')).rejects.toMatchObject({ code: 'EACCES' });
      await workspace.files.remove('out');
      expect((await exec(workspace, 'cat /tmp/secret')).output).toBe('secret\n');
    });

    test('changes are told as they come to', async () => {
      const { workspace } = await fresh(make);
      const heard: FileChange[] = [];
      let wake = () => {};
      workspace.watch((changes) => {
        heard.push(...changes);
        wake();
      });
      const until = async (path: string, change: FileChange['change']) => {
        while (!heard.some((each) => each.path === `${ROOT}/${path}` && each.change === change))
          await new Promise<void>((resolve) => (wake = resolve));
      };
      await put(workspace, { 'a/tool.txt': 'x' });
      await until('a/tool.txt', 'created');
      await put(workspace, { 'a/tool.txt': 'y' });
      await until('a/tool.txt', 'modified');
      await exec(workspace, 'echo 1 > by-shell; rm -r a; echo x > /tmp/outside');
      await until('by-shell', 'created');
      await until('a', 'removed');
      expect(heard.some(({ path }) => !path.startsWith(`${ROOT}/`))).toBe(false);
    });
  });
}
