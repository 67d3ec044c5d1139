import { expect, test } from 'vitest';
import { limitedShell } from './access.ts';

const may = (readOnly: boolean, path: string, use: 'read' | 'content' | 'write') => {
  try {
    limitedShell({ visibility: [], except: [], readOnly })(path, use);
    return true;
  } catch {
    return false;
  }
};

test('a process that changes nothing reads and has its scratch', () => {
  expect(may(true, '/home/project/a', 'content')).toBe(true);
  expect(may(true, '/home/project/a', 'write')).toBe(false);
  expect(may(true, '/home/project', 'write')).toBe(false);
  expect(may(true, '/tmp/a', 'write')).toBe(true);
  expect(may(true, '/home/.config/opencode/a', 'write')).toBe(false);
  expect(may(false, '/home/project/a', 'write')).toBe(true);
});
