import { describe, expect, test } from 'vitest';
import { TestCall } from '../../../test/support/tool-context.ts';
import { rulesOf } from '../../permissions/settings.ts';
import { writeTool } from './write.ts';

const write = (call: TestCall, filePath: string, content: string) =>
  call.run(writeTool, { filePath, content });

test('makes a file with its folders, after asking as edit with the diff', async () => {
  const call = new TestCall();
  const result = await write(call, 'deep/down/a.txt', 'one\n');
  expect(call.workspace.files.text('deep/down/a.txt')).toBe('one\n');
  expect(result).toMatchObject({
    title: 'deep/down/a.txt',
    output: 'Created deep/down/a.txt.',
    metadata: { exists: false },
  });
  expect(call.asks).toMatchObject([
    {
      permission: 'edit',
      patterns: ['deep/down/a.txt'],
      subject: { kind: 'diff', diff: expect.stringContaining('+one') },
    },
  ]);
});

describe('an existing file', () => {
  test('is overwritten only once it was read', async () => {
    const call = new TestCall({ files: { 'a.txt': 'old\n' } });
    await expect(write(call, 'a.txt', 'new\n')).rejects.toMatchObject({ fault: { code: 'not-read' } });
    call.see('a.txt');
    expect((await write(call, 'a.txt', 'new\n')).output).toBe('Wrote a.txt.');
    await write(call, 'a.txt', 'newer\n');
    call.workspace.files.put('a.txt', 'theirs\n');
    await expect(write(call, 'a.txt', 'mine\n')).rejects.toMatchObject({
      fault: { code: 'changed-since-read' },
    });
    expect(call.workspace.files.text('a.txt')).toBe('theirs\n');
  });

  test('that already has this content is left alone', async () => {
    const call = new TestCall({ files: { 'a.txt': 'same' } });
    call.see('a.txt');
    expect((await write(call, 'a.txt', 'same')).output).toContain('already has this content');
    expect(call.asks).toEqual([]);
    expect(call.workspace.files.writes.size).toBe(0);
  });

  test('that appears while the person decides is asked for again, as overwriting', async () => {
    const call = new TestCall();
    call.answer = () => {
      if (call.asks.length === 1) call.workspace.files.put('a.txt', 'theirs\n');
    };
    await write(call, 'a.txt', 'mine\n');
    expect(call.asks).toHaveLength(2);
    expect(call.asks[1]?.subject).toMatchObject({ diff: expect.stringContaining('-theirs\n+mine') });
  });
});

test.each(['../a', '/tmp/x', 'out/x', '~/.opencode/truncate/ses_1/x', '~/.config/opencode/opencode.json'])(
  '%s cannot be written',
  async (path) => {
    const call = new TestCall();
    call.workspace.files.link('out', '/etc');
    await expect(write(call, path, 'x')).rejects.toThrow(/outside the workspace|cannot be changed/);
    expect(call.asks).toEqual([]);
  },
);

test('a directory, or a file in place of a folder, is reported', async () => {
  const call = new TestCall({ files: { 'dir/a': '', file: '' } });
  await expect(write(call, 'dir', 'x')).rejects.toThrow('is a directory');
  await expect(write(call, 'file/below', 'x')).rejects.toThrow('is a file, not a directory');
});

test('a rule for write is a rule for edit', async () => {
  const call = new TestCall();
  call.rules.push(...rulesOf({ write: { 'dist/*': 'deny' } }, 'settings'));
  await expect(write(call, 'dist/x', 'x')).rejects.toThrow('denied by the rules');
});

test('a huge file and a hostile name are written as they are', async () => {
  const call = new TestCall();
  const name = 'evil <img src=x>\n+++ b/etc/passwd';
  const huge = 'x'.repeat(2_000_000);
  await write(call, name, huge);
  expect(call.workspace.files.text(name)).toBe(huge);
  expect(call.asks[0]?.subject).toMatchObject({ diff: expect.not.stringContaining('\n+++ b/etc/passwd') });
});

test('a byte order mark stays, and no diff shows it', async () => {
  const call = new TestCall({ files: { 'a.txt': '\uFEFFone\n' } });
  call.see('a.txt');
  await write(call, 'a.txt', 'two\n');
  expect(call.workspace.files.text('a.txt')).toBe('\uFEFFtwo\n');
  expect(call.asks[0]?.subject).toMatchObject({ diff: expect.stringContaining('\n-one\n+two\n') });
  expect((await write(call, 'a.txt', 'two\n')).output).toContain('already has this content');
});

test('a file without write permission is not overwritten', async () => {
  const call = new TestCall({ files: { 'a.txt': 'one\n' } });
  const node = call.workspace.files.nodes.get('/home/project/a.txt');
  if (node) node.mode = 0o444;
  call.see('a.txt');
  await expect(write(call, 'a.txt', 'two\n')).rejects.toThrow('a.txt is read-only');
  expect(call.asks).toEqual([]);
  expect(call.workspace.files.text('a.txt')).toBe('one\n');
});
