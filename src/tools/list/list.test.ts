import { expect, test } from 'vitest';
import { TestCall } from '../../../test/support/tool-context.ts';
import { rulesOf } from '../../permissions/settings.ts';
import { listTool } from './list.ts';

test('shows type, size, time of change and name', async () => {
  const call = new TestCall({ files: { 'src/a.ts': 'x'.repeat(1200), 'src/lib/b.ts': '' } });
  call.workspace.files.link('src/link', 'a.ts');
  const result = await call.run(listTool, { path: 'src' });
  expect(result.output).toBe(
    [
      'file       1200  2023-11-14T22:13:23Z  a.ts',
      'directory     0  2023-11-14T22:13:24Z  lib',
      'symlink       0  2023-11-14T22:13:26Z  link',
      '',
      '(3 entries)',
    ].join('\n'),
  );
  expect(result).toMatchObject({ title: 'src', metadata: { count: 3, truncated: false, hidden: 0 } });
  expect((await call.run(listTool, {})).output).toContain('  src');
});

test('hides entries that may not be read, and counts them', async () => {
  const call = new TestCall({ files: { '.env': '', 'a.txt': '' } });
  const result = await call.run(listTool, {});
  expect(result.output).not.toContain('.env');
  expect(result.output).toContain('(1 file was left out');
  expect(result.metadata).toMatchObject({ count: 1, hidden: 1 });
});

test('asks under its own name, allowed by default', async () => {
  const call = new TestCall({ files: { 'src/a': '' } });
  await call.run(listTool, { path: 'src' });
  expect(call.asks).toEqual([]);
  call.rules.push(...rulesOf({ list: 'deny' }, 'settings'));
  await expect(call.run(listTool, { path: 'src' })).rejects.toThrow('denied by the rules');
});

test('shows nothing of a directory that was replaced while permission was asked', async () => {
  const call = new TestCall({ files: { 'src/a': '', 'secret/key': '' } });
  call.rules.push(...rulesOf({ list: 'ask', read: { 'secret/*': 'deny' } }, 'settings'));
  call.answer = async () => {
    await call.workspace.files.remove('src', { recursive: true });
    call.workspace.files.link('src', 'secret');
  };
  await expect(call.run(listTool, { path: 'src' })).rejects.toThrow('leads somewhere else now');
});

test('a large directory is cut, and says so; an empty one says that', async () => {
  const files = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`d/f${index}`, '']));
  const call = new TestCall({ files });
  await call.workspace.files.makeDirectory('empty');
  const result = await call.run(listTool, { path: 'd' });
  expect(result.metadata).toMatchObject({ count: 1000, truncated: true });
  expect(result.output).toContain('(1000 of 1001 entries.');
  expect((await call.run(listTool, { path: 'empty' })).output).toBe('The directory is empty.');
});

test('long names are cut to the limits', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 900 }, (_, index) => [`d/${'n'.repeat(196)}${1000 + index}`, '']),
  );
  const call = new TestCall({ files });
  const result = await call.run(listTool, { path: 'd' });
  expect(result.output).toContain(`(${String(result.metadata['count'])} of 900 entries.`);
  expect(result.metadata).toMatchObject({ truncated: true });
  expect(result.output.length).toBeLessThan(51_500);
  expect(result.output.length).toBeGreaterThan(50_000);
});

test('kept outputs are listed with their sizes', async () => {
  const call = new TestCall();
  await call.outputs.save('bash', 'abc');
  expect((await call.run(listTool, { path: '~/.opencode/truncate/ses_1' })).output).toContain(
    'file       3  tool_bash_001.txt',
  );
  await expect(call.run(listTool, { path: '~/.opencode/truncate/ses_2' })).rejects.toThrow('no directory');
});

test.each(['..', '/', 'a.txt', 'no'])('%s cannot be listed', async (path) => {
  await expect(new TestCall({ files: { 'a.txt': '' } }).run(listTool, { path })).rejects.toThrow();
});

test('ignored entries are named below the list; an ignored folder can be listed', async () => {
  const call = new TestCall({
    files: {
      '.gitignore': 'dist/\n*.log\n.env\n',
      '.env': '',
      'a.log': '',
      'dist/a.js': '',
      'node_modules/x/b.js': '',
      'c.js': '',
    },
  });
  const result = await call.run(listTool, {});
  expect(result.output).toMatch(
    /c\.js\n\n\(2 entries\)\n\(1 file was left out[^\n]*\n\(Ignored: a\.log, dist\/, node_modules\/\)$/,
  );
  expect(result.metadata).toMatchObject({ count: 2, hidden: 1, ignored: 3 });
  expect((await call.run(listTool, { path: 'dist' })).output).toContain('a.js\n\n(1 entry)');
});
