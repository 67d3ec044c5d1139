import { expect, test } from 'vitest';
import { BLOCKED, OPEN } from '../shared/wire.ts';
import { shellAccess } from './access.ts';
import { directoryNode, fileNode } from './nodes.ts';
import { OpenFiles } from './open-files.ts';
import { FileTree } from './tree.ts';

function files(quotaBytes = 1e9) {
  const tree = new FileTree({ quotaBytes, now: () => 1, changed: () => {} });
  return { tree, open: new OpenFiles(tree, shellAccess) };
}

const NONE = { files: [], folders: [], links: [] };

test('the names in a folder say what a look at each path would find', () => {
  const { tree, open } = files();
  tree.write(shellAccess, 'p/file.js', new Uint8Array(0), { parents: true });
  tree.makeDirectory(shellAccess, 'p/folder', false);
  tree.symlink(shellAccess, 'file.js', 'p/link');
  tree.symlink(shellAccess, 'p', 'alias');
  const expected = { files: ['file.js'], folders: ['folder'], links: ['link'] };
  expect(open.answer({ op: 'names', path: '/home/project/p' })).toEqual(expected);
  expect(open.answer({ op: 'names', path: '/home/project/alias' })).toEqual(expected);
  expect(open.answer({ op: 'names', path: '/home/project/p/file.js' })).toEqual(NONE);
  expect(open.answer({ op: 'names', path: '/home/project/none/at/all' })).toEqual(NONE);
  expect(open.answer({ op: 'names', path: '/dev' })).toMatchObject({
    files: expect.arrayContaining(['null', 'tty']),
  });
});

test('folders that are large, and those whose files the app stores, are not listed, whatever leads there', () => {
  const { tree, open } = files();
  for (let n = 0; n <= 2000; n++) tree.write(shellAccess, `many/${n}`, new Uint8Array(0), { parents: true });
  tree.plant('/home/.opencode/tool-output/1', fileNode(new Uint8Array(0), 1));
  tree.plant('/home/.opencode/empty', directoryNode(1));
  tree.symlink(shellAccess, '/home/.opencode/tool-output', 'outputs');
  const paths = [
    'many',
    'outputs',
    '/home/.opencode',
    '/home/.opencode/tool-output',
    '/home/.opencode/empty',
  ];
  for (const path of paths) expect(open.answer({ op: 'names', path })).toBeNull();
});

test('a look tells a name that is missing from one behind something that is no folder', () => {
  const { tree, open } = files();
  tree.write(shellAccess, 'p/file.js', new Uint8Array(0), { parents: true });
  tree.symlink(shellAccess, 'file.js/x', 'p/link');
  tree.symlink(shellAccess, 'none', 'p/dangling');
  const look = (path: string) => open.answer({ op: 'look', path: `/home/project/p/${path}` });
  expect(look('file.js')).toMatchObject({ type: 'file' });
  for (const path of ['none', 'none/at/all', 'dangling']) expect(look(path)).toBeUndefined();
  for (const path of ['file.js/x', 'file.js/x/y', 'link']) expect(look(path)).toBe(BLOCKED);
  expect(open.answer({ op: 'lookLink', path: '/home/project/p/link' })).toMatchObject({ type: 'symlink' });
});

const TOO_LONG = 'x'.repeat(100_001);

/** A log that is open, in a workspace that holds less than {@link TOO_LONG}. */
function openLog() {
  const { tree, open } = files(100_000);
  const flags = OPEN.write | OPEN.create | OPEN.append;
  const handle = Number(open.answer({ op: 'open', path: 'log', flags, mode: 0o644 }));
  const add = (text: string) => open.append(handle, new TextEncoder().encode(text));
  const text = () => new TextDecoder().decode(tree.read(shellAccess, 'log'));
  return { open, handle, add, text };
}

test('bytes that nobody waits for are added to the end of a file', () => {
  const { open, handle, add, text } = openLog();
  add('one ');
  add('two');
  expect(text()).toBe('one two');
  expect(open.answer({ op: 'fstat', handle })).toMatchObject({ size: 7 });
});

test('an append without room fails the next call on the file, and leaves no gap before it', () => {
  const { open, handle, add, text } = openLog();
  add('12345678');
  add(TOO_LONG);
  add('9');
  expect(() => open.answer({ op: 'fstat', handle })).toThrow(expect.objectContaining({ code: 'ENOSPC' }));
  expect(text()).toBe('12345678');
  add('9');
  expect(open.answer({ op: 'fstat', handle })).toMatchObject({ size: 9 });
});

test('a file is closed although an append has failed, and the failure is told', () => {
  const { open, handle, add } = openLog();
  add(TOO_LONG);
  expect(() => open.answer({ op: 'close', handle })).toThrow(expect.objectContaining({ code: 'ENOSPC' }));
  expect(() => open.answer({ op: 'close', handle })).toThrow(expect.objectContaining({ code: 'EBADF' }));
});

test('an append to a file that is not open for writing fails the next call on it', () => {
  const { tree, open } = files();
  tree.write(shellAccess, 'f', new Uint8Array(0));
  const handle = Number(open.answer({ op: 'open', path: 'f', flags: OPEN.read, mode: 0 }));
  open.append(handle, new Uint8Array(1));
  expect(() => open.answer({ op: 'fstat', handle })).toThrow(expect.objectContaining({ code: 'EBADF' }));
  expect(tree.read(shellAccess, 'f')).toHaveLength(0);
});
