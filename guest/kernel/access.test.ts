import { expect, test } from 'vitest';
import { OPEN } from '../shared/wire.ts';
import { WriteRefused, limitedShell, shellAccess } from './access.ts';
import { copy } from './copy.ts';
import { OpenFiles } from './open-files.ts';
import { FileTree } from './tree.ts';

const may = (readOnly: boolean, path: string, use: 'read' | 'content' | 'write') => {
  try {
    limitedShell({ visibility: [], except: [], readOnly })(path, use);
    return true;
  } catch {
    return false;
  }
};

test('a read-only process can read, and write to the scratch folders', () => {
  expect(may(true, '/home/project/a', 'content')).toBe(true);
  expect(may(true, '/home/project/a', 'write')).toBe(false);
  expect(may(true, '/home/project', 'write')).toBe(false);
  expect(may(true, '/tmp/a', 'write')).toBe(true);
  expect(may(true, '/home/.npmrc', 'write')).toBe(false);
  expect(may(true, '/home/.config/opencode/a', 'write')).toBe(false);
  expect(may(false, '/home/project/a', 'write')).toBe(true);
});

test('a locked file can be read and not changed, by its name or by another that it has', () => {
  const bytes = new Uint8Array([1]);
  const tree = new FileTree({ quotaBytes: 1e6, now: () => 1, changed: () => {} });
  tree.makeDirectory(shellAccess, 'lock', false);
  for (const path of ['lock/a', 'b', 'c']) tree.write(shellAccess, path, bytes);
  tree.link(shellAccess, 'lock/a', 'twin');
  const locks = [{ pattern: '/home/project/lock/*', locked: true }];
  const access = limitedShell({ visibility: [], except: [], locks });
  const node = new OpenFiles(tree, access);
  const open = (path: string, flags: number) => node.answer({ op: 'open', path, flags, mode: 0o644 });
  expect(tree.read(access, 'lock/a')).toEqual(bytes);
  expect(open('lock/a', OPEN.read)).toBeGreaterThan(0);
  for (const attempt of [
    () => tree.write(access, 'lock/a', bytes),
    () => tree.write(access, 'twin', bytes),
    () => tree.append(access, 'lock/a', new Uint8Array()),
    () => tree.remove(access, 'lock/a', false),
    () => tree.remove(access, 'lock', true),
    () => tree.rename(access, 'lock/a', 'd'),
    () => tree.rename(access, 'b', 'lock/a'),
    () => tree.rename(access, 'lock', 'elsewhere'),
    () => tree.link(access, 'lock/a', 'd'),
    () => tree.link(access, 'b', 'lock/d'),
    () => tree.symlink(access, 'b', 'lock/d'),
    () => tree.chmod(access, 'twin', 0),
    () => tree.utimes(access, 'lock/a', 7),
    () => tree.makeDirectory(access, 'lock/d', true),
    () => copy(tree, access, 'b', 'lock/a', false),
    () => open('lock/a', OPEN.write),
    () => open('twin', OPEN.read | OPEN.write),
    () => open('lock/a', OPEN.write | OPEN.truncate | OPEN.create),
    () => open('lock/d', OPEN.write | OPEN.create),
    () => node.answer({ op: 'fchmod', handle: 1, mode: 0 }),
    () => node.answer({ op: 'access', path: 'twin', mode: 2 }),
    () => node.answer({ op: 'unlink', path: 'lock/a' }),
  ])
    expect(attempt, attempt.toString()).toThrow(WriteRefused);
  // Taking away another name of the file leaves the locked one as it is.
  tree.remove(access, 'twin', false);
  tree.rename(access, 'b', 'c');
  expect([...tree.directoryAt(access, 'lock').node.children.keys()]).toEqual(['a']);
});

test('programs can write to HOME, but not to the folders of the app there', () => {
  const may = (path: string) => {
    try {
      shellAccess(path, 'write');
      return true;
    } catch {
      return false;
    }
  };
  for (const path of [
    '/home/.npmrc',
    '/home/.config/tool/settings',
    '/home/.cache',
    '/tmp/a',
    '/home/project/a',
  ])
    expect(may(path), path).toBe(true);
  for (const path of [
    '/home/.opencode/truncate/x',
    '/home/.config/opencode',
    '/home/.config/opencode/a',
    '/home',
    '/etc/a',
    '/homes',
  ])
    expect(may(path), path).toBe(false);
});
