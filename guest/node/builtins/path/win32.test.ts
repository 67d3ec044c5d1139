import { win32 as native } from 'node:path';
import picomatch from 'picomatch';
import { expect, test } from 'vitest';
import { makeWin32 } from './win32.ts';

const ours = makeWin32(
  () => 'C:\\here',
  () => picomatch,
);

const ROOTED: readonly (readonly string[])[] = [
  ['C:\\a', 'b', '..\\c'],
  ['C:\\a', 'D:\\b', 'c'],
  ['C:\\a\\b', '\\d'],
  ['\\\\host\\share\\a', '..\\..\\b'],
  ['C:/a/./b//c', '../../..', '..'],
  ['C:\\', ''],
];

test.each(ROOTED)('resolves as node does: %s %s %s', (...parts) => {
  expect(ours.resolve(...parts)).toBe(native.resolve(...parts));
});

test('a relative path begins at the current folder', () => {
  expect(ours.resolve('a', '..\\b')).toBe('C:\\here\\b');
});

test.each([
  ['C:\\a\\b\\c', 'C:\\a\\d'],
  ['C:\\a', 'c:\\A'],
  ['C:\\a', 'D:\\a'],
])('relates %s to %s as node does', (from, to) => {
  expect(ours.relative(from, to)).toBe(native.relative(from, to));
});
