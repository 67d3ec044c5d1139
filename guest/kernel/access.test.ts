import { expect, test } from 'vitest';
import { limitedShell, shellAccess } from './access.ts';

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
