import { expect, test } from 'vitest';
import { BLOCKED } from '../shared/wire.ts';
import { shellAccess } from './access.ts';
import { directoryNode, fileNode } from './nodes.ts';
import { OpenFiles } from './open-files.ts';
import { FileTree } from './tree.ts';

function files() {
  const tree = new FileTree({ quotaBytes: 1e9, now: () => 1, changed: () => {} });
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
