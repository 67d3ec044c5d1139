import { expect, test } from 'vitest';
import { TestCall } from '../../../test/support/tool-context.ts';
import { rulesOf } from '../../permissions/settings.ts';
import { globTool } from './glob.ts';

test('finds files by pattern, newest first, as absolute paths', async () => {
  const call = new TestCall({ files: { 'src/a.ts': '', 'src/lib/b.ts': '', 'c.js': '' } });
  expect(await call.run(globTool, { pattern: '**/*.ts' })).toMatchObject({
    title: '**/*.ts',
    output: '/home/project/src/lib/b.ts\n/home/project/src/a.ts',
    metadata: { count: 2, truncated: false, hidden: 0 },
  });
  expect((await call.run(globTool, { pattern: '*.ts', path: 'src/lib' })).output).toBe(
    '/home/project/src/lib/b.ts',
  );
  expect((await call.run(globTool, { pattern: '*.py' })).output).toBe('No files found.');
});

test('a cut result says so', async () => {
  const files = Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`f${index}.txt`, '']));
  const result = await new TestCall({ files }).run(globTool, { pattern: '**' });
  expect(result.metadata).toMatchObject({ count: 100, truncated: true });
  expect(result.output).toContain('(Only the first 100 are shown.');
  const call = new TestCall({ files: { a: '' } });
  call.workspace.search.timedOut = true;
  expect((await call.run(globTool, { pattern: '**' })).output).toContain('ended after 60 seconds');
});

test('hidden files are counted, never named', async () => {
  const call = new TestCall({ files: { '.env': 'x', 'sub/.env.local': 'x', '.env.example': 'x' } });
  const result = await call.run(globTool, { pattern: '**/.env*' });
  expect(result.output).toBe(
    '/home/project/.env.example\n\n(2 files were left out: reading is not allowed without asking)',
  );
  expect(result.metadata).toMatchObject({ count: 1, hidden: 2 });
  call.rules.push(...rulesOf({ read: { '*.env': 'allow' } }, 'settings'));
  expect((await call.run(globTool, { pattern: '**/.env' })).output).toMatch(/^\/home\/project\/.env\n/);
});

test('asks under its own name, allowed by default', async () => {
  const call = new TestCall({ files: { a: '' } });
  await call.run(globTool, { pattern: 'a' });
  expect(call.asks).toEqual([]);
  call.rules.push(...rulesOf({ glob: 'ask' }, 'settings'));
  await call.run(globTool, { pattern: 'a', path: '.' });
  expect(call.asks).toEqual([
    {
      permission: 'glob',
      patterns: ['a'],
      always: ['*'],
      subject: { kind: 'input', input: { pattern: 'a', path: '.' } },
    },
  ]);
});

test.each([
  ['..', 'outside the workspace'],
  ['/etc', 'outside the workspace'],
  ['no', 'There is no directory no'],
  ['a.txt', 'is a file'],
  ['~/.opencode/truncate', 'kept outputs'],
])('%s cannot be searched', async (path, text) => {
  await expect(
    new TestCall({ files: { 'a.txt': '' } }).run(globTool, { pattern: '*', path }),
  ).rejects.toThrow(text);
});

test('ignored files are left out unless they are named', async () => {
  const call = new TestCall({
    files: { '.gitignore': '*.log\n', 'a.log': '', 'b.js': '', 'node_modules/x/b.js': '' },
  });
  const found = async (pattern: string) => (await call.run(globTool, { pattern })).output;
  expect(await found('**/*.js')).toBe('/home/project/b.js');
  expect(await found('node_modules/**/*.js')).toBe('/home/project/node_modules/x/b.js');
  expect(await found('a.log')).toBe('/home/project/a.log');
  expect(await found('*.log')).toMatch(/^No files found\.\n\(Files that \.gitignore/);
});
