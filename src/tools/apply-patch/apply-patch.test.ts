import { describe, expect, test, vi } from 'vitest';
import { TestCall } from '../../../test/support/tool-context.ts';
import { rulesOf } from '../../permissions/settings.ts';
import { WorkspaceError } from '../../workspace/workspace.ts';
import { builtinTools } from '../builtin.ts';
import { ToolRegistry } from '../registry.ts';
import { applyPatchTool } from './tool.ts';

const patch = (...lines: string[]) => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');
const apply = (call: TestCall, ...lines: string[]) =>
  call.run(applyPatchTool, { patchText: patch(...lines) });
/** Every file with its text. */
const tree = (call: TestCall) =>
  Object.fromEntries(
    [...call.workspace.files.nodes].map(([path, node]) => [
      path.slice('/home/project/'.length),
      node.type === 'file' ? new TextDecoder().decode(node.content) : node.type,
    ]),
  );

const FILES = { 'a.txt': 'one\ntwo\n', 'b.txt': 'b\n', 'c.txt': 'c\n' };
const ALL = [
  '*** Update File: a.txt',
  '*** Move to: sub/moved.txt',
  ' one',
  '-two',
  '+2',
  '*** Add File: new/deep.txt',
  '+new',
  '*** Delete File: b.txt',
];

test('all files change with one ask that shows the whole diff', async () => {
  const call = new TestCall({ files: FILES });
  const result = await apply(call, ...ALL);
  expect(tree(call)).toMatchObject({ 'sub/moved.txt': 'one\n2\n', 'new/deep.txt': 'new\n', 'c.txt': 'c\n' });
  expect(Object.keys(tree(call))).not.toContain('a.txt');
  expect(Object.keys(tree(call))).not.toContain('b.txt');
  expect(call.asks).toHaveLength(1);
  expect(call.asks[0]).toMatchObject({
    permission: 'edit',
    patterns: ['a.txt', 'sub/moved.txt', 'new/deep.txt', 'b.txt'],
    always: ['a.txt', 'sub/moved.txt', 'new/deep.txt', 'b.txt'],
    subject: { kind: 'diff', path: '3 files' },
  });
  expect(call.asks[0]?.subject).toHaveProperty(
    'diff',
    [
      '--- a.txt',
      '+++ sub/moved.txt',
      '@@ -1,2 +1,2 @@',
      ' one',
      '-two',
      '+2',
      '--- /dev/null',
      '+++ new/deep.txt',
      '@@ -0,0 +1,1 @@',
      '+new',
      '--- b.txt',
      '+++ /dev/null',
      '@@ -1,1 +0,0 @@',
      '-b',
      '',
    ].join('\n'),
  );
  expect(result.output).toBe('Applied the patch:\nR a.txt → sub/moved.txt\nA new/deep.txt\nD b.txt');
  expect(result.metadata.files).toMatchObject([
    { relativePath: 'a.txt', type: 'move', movePath: 'sub/moved.txt', additions: 1, deletions: 1 },
    { relativePath: 'new/deep.txt', type: 'add', additions: 1, deletions: 0 },
    { relativePath: 'b.txt', type: 'delete', additions: 0, deletions: 1 },
  ]);
});

describe('all or none', () => {
  test('a third file that does not match changes nothing and asks nobody', async () => {
    const call = new TestCall({ files: FILES });
    const before = tree(call);
    await expect(apply(call, ...ALL, '*** Update File: c.txt', '-x', '+y')).rejects.toThrow(
      'not found in c.txt',
    );
    expect(tree(call)).toEqual(before);
    expect(call.asks).toEqual([]);
  });

  test.each([
    ['write', 2],
    ['write', 3],
    ['rename', 1],
    ['remove', 1],
  ] as const)('%s number %i failing takes back what was done, folders too', async (method, which) => {
    const call = new TestCall({ files: FILES });
    const { files } = call.workspace;
    const before = tree(call);
    const real = files[method].bind(files) as (...given: unknown[]) => Promise<void>;
    let count = 0;
    vi.spyOn(files, method).mockImplementation(async (...given: unknown[]) => {
      if (++count === which) throw new WorkspaceError('ENOSPC', String(given[0]));
      return real(...given);
    });
    await expect(apply(call, ...ALL)).rejects.toThrow('Nothing was changed in any file.');
    expect(tree(call)).toEqual(before);
  });

  test('a folder where a file should be', async () => {
    const call = new TestCall({ files: { ...FILES, 'dir/x': '' } });
    const before = tree(call);
    await expect(apply(call, ...ALL, '*** Add File: dir', '+x')).rejects.toThrow('dir is a directory');
    await expect(apply(call, ...ALL, '*** Add File: c.txt/x', '+x')).rejects.toThrow(
      'a file, not a directory',
    );
    expect(tree(call)).toEqual(before);
  });

  test('a file that was changed meanwhile is not overwritten, and a half-applied patch is reported', async () => {
    const call = new TestCall({ files: FILES });
    const { files } = call.workspace;
    vi.spyOn(files, 'remove').mockImplementation(async (path) => {
      files.put('new/deep.txt', 'by another\n');
      throw new WorkspaceError('ENOSPC', path);
    });
    await expect(apply(call, ...ALL)).rejects.toThrow('could not be put back as they were: new/deep.txt');
    expect(tree(call)).toMatchObject({
      'a.txt': 'one\ntwo\n',
      'b.txt': 'b\n',
      'new/deep.txt': 'by another\n',
    });
  });
});

test('a patch is computed again when a file changes while the person decides, and asked for again if the diff differs', async () => {
  const call = new TestCall({ files: FILES });
  call.answer = () => {
    if (call.asks.length === 1) call.workspace.files.put('a.txt', 'zero\none\ntwo\n');
  };
  await apply(call, '*** Update File: a.txt', '-two', '+2');
  expect(tree(call)).toMatchObject({ 'a.txt': 'zero\none\n2\n' });
  expect(call.asks).toHaveLength(2);
});

test('locks are taken in sorted order and released', async () => {
  const call = new TestCall({ files: FILES });
  await apply(call, '*** Delete File: c.txt', '*** Update File: a.txt', '-two', '+2');
  const root = '/home/project';
  expect(call.steps).toEqual([
    `lock ${root}/a.txt`,
    `lock ${root}/c.txt`,
    'ask edit',
    `free ${root}/a.txt`,
    `free ${root}/c.txt`,
  ]);
});

test('the same file twice, and a name that is free after a deletion', async () => {
  const call = new TestCall({ files: FILES });
  await apply(
    call,
    '*** Update File: a.txt',
    '-one',
    '+1',
    '*** Update File: a.txt',
    '-two',
    '+2',
    '*** Delete File: b.txt',
    '*** Update File: c.txt',
    '*** Move to: b.txt',
  );
  expect(tree(call)).toMatchObject({ 'a.txt': '1\n2\n', 'b.txt': 'c\n' });
  expect(Object.keys(tree(call))).not.toContain('c.txt');
});

test('a move without a change is named in the ask', async () => {
  const call = new TestCall({ files: FILES });
  await apply(call, '*** Update File: c.txt', '*** Move to: d.txt');
  expect(call.asks[0]?.subject).toMatchObject({ path: 'c.txt\nR c.txt → d.txt' });
});

test('a move overwrites its target, and the diff shows what is lost', async () => {
  const call = new TestCall({ files: FILES });
  const result = await apply(call, '*** Update File: a.txt', '*** Move to: b.txt', '-two', '+2');
  expect(result.output).toBe('Applied the patch:\nD b.txt\nR a.txt → b.txt');
  expect(call.asks[0]).toMatchObject({ patterns: ['a.txt', 'b.txt'] });
  expect(call.asks[0]?.subject).toHaveProperty('diff', expect.stringContaining('--- b.txt\n+++ /dev/null'));
  expect(tree(call)).toMatchObject({ 'b.txt': 'one\n2\n', 'c.txt': 'c\n' });
  expect(Object.keys(tree(call))).not.toContain('a.txt');
});

test('a move that fails restores the overwritten file', async () => {
  const call = new TestCall({ files: FILES });
  const before = tree(call);
  vi.spyOn(call.workspace.files, 'remove').mockRejectedValue(new WorkspaceError('ENOSPC', 'a.txt'));
  await expect(apply(call, '*** Update File: a.txt', '*** Move to: b.txt')).rejects.toThrow(
    'Nothing was changed',
  );
  expect(tree(call)).toEqual(before);
});

test('a file without write permission is not changed, and a byte order mark is kept', async () => {
  const call = new TestCall({ files: { ...FILES, 'mark.txt': '\uFEFFold\n' } });
  const node = call.workspace.files.nodes.get('/home/project/b.txt');
  if (node) node.mode = 0o444;
  for (const lines of [
    ['*** Update File: b.txt', '-b', '+B'],
    ['*** Update File: a.txt', '*** Move to: b.txt'],
  ])
    await expect(apply(call, ...lines)).rejects.toThrow('b.txt is read-only');
  expect(tree(call)).toMatchObject(FILES);
  call.see('mark.txt');
  await apply(call, '*** Add File: mark.txt', '+new');
  expect(call.workspace.files.text('mark.txt')).toBe('\uFEFFnew\n');
  expect(call.asks.at(-1)?.subject).toHaveProperty('diff', expect.not.stringContaining('\uFEFF'));
});

test('an existing file is overwritten only if it was read', async () => {
  const call = new TestCall({ files: FILES });
  await expect(apply(call, '*** Add File: a.txt', '+x')).rejects.toThrow('a.txt has not been read');
  call.see('a.txt');
  await apply(call, '*** Add File: a.txt', '+x');
  expect(tree(call)).toMatchObject({ 'a.txt': 'x\n', 'b.txt': 'b\n' });
  expect((await apply(call, '*** Add File: a.txt', '+x')).output).toContain('nothing was changed');
});

test('a patch does not count as reading the file', async () => {
  const call = new TestCall({ files: FILES });
  await apply(call, '*** Update File: a.txt', '-two', '+2');
  await expect(apply(call, '*** Add File: a.txt', '+x')).rejects.toThrow('a.txt has not been read');
});

test('paths that leave the workspace, and files that are not there, change nothing', async () => {
  const call = new TestCall({ files: FILES });
  const before = tree(call);
  for (const lines of [
    ['*** Add File: ../x', '+x'],
    ['*** Update File: a.txt', '*** Move to: /etc/passwd'],
    ['*** Delete File: none.txt'],
    ['*** Update File: none.txt', '-x', '+y'],
  ])
    await expect(apply(call, '*** Delete File: b.txt', ...lines)).rejects.toThrow(/outside|no file none/);
  expect(tree(call)).toEqual(before);
});

test.each([
  ['moved', ['*** Update File: secret.txt', '*** Move to: open.txt']],
  ['moved with a change', ['*** Update File: ./sub/../secret.txt', '*** Move to: open.txt', '@@', '+more']],
  ['tried for its lines', ['*** Update File: secret.txt', '-S3CR3T', '+x']],
  ['moved by another name', ['*** Update File: link', '*** Move to: open.txt', '@@', '+more']],
])('a hidden file is not %s', async (_, lines) => {
  const call = new TestCall({ files: { 'secret.txt': 'S3CR3T\n', 'sub/a.txt': 'a\n' } });
  call.workspace.files.link('link', 'secret.txt');
  call.rules.push(...rulesOf({ edit: 'allow', read: { '*': 'allow', 'secret.txt': 'deny' } }, 'settings'));
  await expect(apply(call, ...lines)).rejects.toThrow('denied by the rules');
  expect(tree(call)).toMatchObject({ 'secret.txt': 'S3CR3T\n' });
  expect(tree(call)).not.toHaveProperty('open.txt');
});

test('a file that asks before it is read asks before it is patched', async () => {
  const call = new TestCall({ files: { '.env': 'KEY=1\n' } });
  call.rules.push(...rulesOf({ edit: 'allow' }, 'settings'));
  await apply(call, '*** Update File: .env', '-KEY=1', '+KEY=2');
  expect(call.asks.map(({ permission, patterns }) => [permission, patterns])).toEqual([['read', ['.env']]]);
  expect(tree(call)).toMatchObject({ '.env': 'KEY=2\n' });
});

test('one denied file denies the whole patch', async () => {
  const call = new TestCall({ files: FILES });
  call.rules.push(...rulesOf({ apply_patch: { '*': 'allow', 'b.*': 'deny' } }, 'settings'));
  await expect(apply(call, ...ALL)).rejects.toThrow('denied by the rules');
  expect(tree(call)).toMatchObject(FILES);
});

test.each([
  ['gpt-5', ['apply_patch']],
  ['openai/gpt-5.1-codex', ['apply_patch']],
  ['gpt-4o', ['edit', 'write']],
  ['openai/gpt-oss-120b', ['edit', 'write']],
  ['claude-sonnet-4-5', ['edit', 'write']],
])('%s is given %j', async (model, ids) => {
  const tools = await new ToolRegistry(builtinTools).tools({ provider: 'x', model }, 'build');
  const changing = tools.map(({ id }) => id).filter((id) => ['edit', 'write', 'apply_patch'].includes(id));
  expect(changing).toEqual(ids);
});
