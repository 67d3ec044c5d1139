import { expect, test } from 'vitest';
import { parseUnifiedDiff } from './unified-diff.ts';
import { sideBySide } from './side-by-side.ts';

const pairs = (patch: string) =>
  sideBySide(parseUnifiedDiff(patch).rows).map(({ left, right }) => [
    left?.text ?? null,
    right?.text ?? null,
  ]);

test('removed lines stand beside the added ones, and what is left over beside nothing', () => {
  expect(pairs('@@ -1,4 +1,5 @@\n a\n-b\n-c\n+B\n d\n+e\n+f\n')).toEqual([
    ['a', 'a'],
    ['b', 'B'],
    ['c', null],
    ['d', 'd'],
    [null, 'e'],
    [null, 'f'],
  ]);
});

test('lines keep their own numbers', () => {
  const [, changed] = sideBySide(parseUnifiedDiff('@@ -7,2 +9,2 @@\n a\n-b\n+B\n').rows);
  expect([changed?.left?.old, changed?.right?.new]).toEqual([8, 10]);
});
