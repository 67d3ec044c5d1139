import { expect, test } from 'vitest';
import { MemoryWorkspace } from '../../../../../test/support/memory-workspace.ts';
import { ROOT } from '../../../../workspace/workspace.ts';
import { foundFiles, type Match } from './matches.ts';
import { replaceMatches, type ReplacingDeps } from './replacing.ts';
import type { Replacement } from './replacement.ts';

const replacement: Replacement = { text: 'one', by: '1', regexp: false, matchCase: true, words: false };

async function found(workspace: MemoryWorkspace): Promise<readonly Match[]> {
  const { matches } = await workspace.search.grep({ pattern: 'one', limit: 100, timeoutMs: 1000 });
  return foundFiles(matches, replacement, 100).flatMap((file) => file.matches);
}

function deps(workspace: MemoryWorkspace, unsaved = ''): ReplacingDeps {
  return {
    workspace,
    unsaved: (path) => path === `${ROOT}/${unsaved}`,
    own: (_, change) => change(),
  };
}

test('files are replaced, and all of it is taken back', async () => {
  const workspace = new MemoryWorkspace({
    files: { 'a.txt': 'one one\r\n', 'b.txt': 'none\n', 'c.txt': 'x' },
  });
  const done = await replaceMatches(deps(workspace), await found(workspace), replacement);
  expect(done).toMatchObject({ matches: 3, files: 2, left: [] });
  expect(workspace.files.text('a.txt')).toBe('1 1\r\n');
  expect(workspace.files.text('b.txt')).toBe('n1\n');
  expect(await done.undo()).toEqual([]);
  expect(workspace.files.text('a.txt')).toBe('one one\r\n');
  expect(workspace.files.text('b.txt')).toBe('none\n');
});

test('files that changed, have unsaved edits or are not UTF-8 are left, and named', async () => {
  const workspace = new MemoryWorkspace({
    files: {
      'a.txt': 'one\n',
      'edited.txt': 'one\n',
      'gone.txt': 'one\n',
      'latin.txt': Uint8Array.from([...new TextEncoder().encode('one '), 0xe9]),
      'moved.txt': 'one\n',
    },
  });
  const matches = await found(workspace);
  workspace.files.put('moved.txt', 'zero\none\n');
  await workspace.files.remove('gone.txt');
  const done = await replaceMatches(deps(workspace, 'edited.txt'), matches, replacement);
  expect(done).toMatchObject({ matches: 1, files: 1 });
  expect(done.left).toEqual([
    { path: `${ROOT}/edited.txt`, why: 'unsaved' },
    { path: `${ROOT}/gone.txt`, why: 'changed' },
    { path: `${ROOT}/latin.txt`, why: 'not-text' },
    { path: `${ROOT}/moved.txt`, why: 'changed' },
  ]);
  expect(workspace.files.text('moved.txt')).toBe('zero\none\n');
});

test('a file that changes between reading and writing is left', async () => {
  const workspace = new MemoryWorkspace({ files: { 'a.txt': 'one\n' } });
  const matches = await found(workspace);
  const own: ReplacingDeps['own'] = (_, change) => {
    workspace.files.put('a.txt', 'newer one\n');
    return change();
  };
  const done = await replaceMatches({ ...deps(workspace), own }, matches, replacement);
  expect(done).toMatchObject({ files: 0, left: [{ path: `${ROOT}/a.txt`, why: 'changed' }] });
  expect(workspace.files.text('a.txt')).toBe('newer one\n');
});

test('what changed after the replacement stays when it is taken back', async () => {
  const workspace = new MemoryWorkspace({ files: { 'a.txt': 'one\n', 'b.txt': 'one\n' } });
  const done = await replaceMatches(deps(workspace), await found(workspace), replacement);
  workspace.files.put('a.txt', 'mine\n');
  expect(await done.undo()).toEqual([{ path: `${ROOT}/a.txt`, why: 'changed' }]);
  expect(workspace.files.text('a.txt')).toBe('mine\n');
  expect(workspace.files.text('b.txt')).toBe('one\n');
});
