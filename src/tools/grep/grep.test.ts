import { expect, test } from 'vitest';
import { TestCall } from '../../../test/support/tool-context.ts';
import { WorkspaceError } from '../../workspace/workspace.ts';
import { grepTool } from './grep.ts';

test('finds lines, by file', async () => {
  const call = new TestCall({
    files: { 'a.ts': 'x\nTODO one\nTODO two\n', 'b.ts': 'TODO three\n', 'c.md': 'TODO\n' },
  });
  expect(await call.run(grepTool, { pattern: 'TODO \\w+', include: '*.ts' })).toMatchObject({
    title: 'TODO \\w+',
    output: [
      'Found 3 matches',
      '',
      '/home/project/a.ts:',
      '  Line 2: TODO one',
      '  Line 3: TODO two',
      '',
      '/home/project/b.ts:',
      '  Line 1: TODO three',
      '',
    ].join('\n'),
    metadata: { matches: 3, truncated: false, hidden: 0 },
  });
  expect((await call.run(grepTool, { pattern: 'three', path: 'b.ts' })).metadata).toMatchObject({
    matches: 1,
  });
  expect((await call.run(grepTool, { pattern: 'nowhere' })).output).toBe('No matches found.');
});

test('(?i) ignores case; an invalid expression is refused with the reason', async () => {
  const call = new TestCall({ files: { a: 'Hello' } });
  expect((await call.run(grepTool, { pattern: '(?i)hello' })).metadata).toMatchObject({ matches: 1 });
  expect((await call.run(grepTool, { pattern: 'hello' })).metadata).toMatchObject({ matches: 0 });
  await expect(call.run(grepTool, { pattern: 'foo(' })).rejects.toThrow(
    'The pattern is not a regular expression',
  );
});

test('an expression that only the search refuses is reported as such, not as a wrong path', async () => {
  const call = new TestCall({ files: { a: 'Hello' } });
  call.workspace.search.grep = () =>
    Promise.reject(new WorkspaceError('EINVAL', '/home/project', 'Invalid escape'));
  await expect(call.run(grepTool, { pattern: '\\p{L}\\-' })).rejects.toThrow(
    /regular expression.*Invalid escape/,
  );
});

test('stops at 100 matches and says so', async () => {
  const call = new TestCall({ files: { a: 'x\n'.repeat(150) } });
  const result = await call.run(grepTool, { pattern: 'x' });
  expect(result.metadata).toMatchObject({ matches: 100, truncated: true });
  expect(result.output).toMatch(/^Found 100 matches \(more are available\)/);
});

test('long matches are cut to the limits', async () => {
  const call = new TestCall({ files: { a: `${'x'.repeat(3000)}\n`.repeat(90) } });
  const result = await call.run(grepTool, { pattern: 'x' });
  expect(result.metadata).toMatchObject({ matches: 25, truncated: true });
  expect(result.output).toMatch(/^Found 25 matches \(more are available\)/);
  expect(result.output.length).toBeLessThan(51_500);
});

test('hidden files are counted, never shown', async () => {
  const call = new TestCall({ files: { '.env': 'SECRET=1', 'a.txt': 'SECRET', '.env.example': 'SECRET=' } });
  const result = await call.run(grepTool, { pattern: 'SECRET' });
  expect(result.output).not.toContain('SECRET=1');
  expect(result.output).toContain('(1 file was left out');
  expect(result.metadata).toMatchObject({ matches: 2, hidden: 1 });
  expect((await call.run(grepTool, { pattern: 'SECRET', path: '.env' })).metadata).toMatchObject({
    matches: 0,
    hidden: 1,
  });
});

test('kept outputs are searched at their path, one or all', async () => {
  const call = new TestCall({ files: { a: 'needle' } });
  const { path } = await call.outputs.save('bash', 'hay\nneedle 1\n');
  await call.outputs.save('bash', 'needle 2\n');
  const one = await call.run(grepTool, { pattern: 'needle', path });
  expect(one.output).toBe(`Found 1 match\n\n${path}:\n  Line 2: needle 1\n`);
  const all = await call.run(grepTool, { pattern: 'needle', path: '~/.opencode/truncate' });
  expect(all.metadata).toMatchObject({ matches: 2 });
  await expect(call.run(grepTool, { pattern: 'x', path: `${path}x` })).rejects.toThrow('no kept output');
});

test.each([
  ['..', 'outside the workspace'],
  ['no', 'There is no file or directory no'],
])('%s cannot be searched', async (path, text) => {
  await expect(new TestCall().run(grepTool, { pattern: 'x', path })).rejects.toThrow(text);
});

test('context lines come on request, each once', async () => {
  const call = new TestCall({ files: { 'a.txt': 'one\nTODO 2\nthree\nTODO 4\nfive\nsix\nseven\nTODO 8\n' } });
  const result = await call.run(grepTool, { pattern: 'TODO', context: 1 });
  expect(result.output).toBe(
    [
      'Found 3 matches',
      '',
      '/home/project/a.txt:',
      '  Line 1- one',
      '  Line 2: TODO 2',
      '  Line 3- three',
      '  Line 4: TODO 4',
      '  Line 5- five',
      '  --',
      '  Line 7- seven',
      '  Line 8: TODO 8',
      '',
    ].join('\n'),
  );
});

test('ignored files are not searched unless named, and a search without results says so', async () => {
  const call = new TestCall({
    files: { '.gitignore': 'dist/\n', 'dist/a.js': 'hit', 'node_modules/x/a.js': 'hit', 'src/a.js': 'other' },
  });
  const none = await call.run(grepTool, { pattern: 'hit' });
  expect(none.output).toMatch(/^No matches found\.\n\(Files that \.gitignore or \.ignore leaves out/);
  expect((await call.run(grepTool, { pattern: 'other' })).output).not.toContain('.gitignore');
  for (const more of [{ path: 'dist' }, { path: 'node_modules/x/a.js' }, { include: 'node_modules/**' }])
    expect((await call.run(grepTool, { pattern: 'hit', ...more })).metadata).toMatchObject({ matches: 1 });
});
