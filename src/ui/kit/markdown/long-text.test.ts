import { expect, test } from 'vitest';
import { beginningOf, piecesOf } from './long-text.ts';

test('a beginning ends with a line where there is one, and never in the middle of a character', () => {
  expect(beginningOf('short', 10)).toBe('short');
  expect(beginningOf('line one\nline two', 12)).toBe('line one');
  expect(beginningOf('x'.repeat(20), 10)).toBe('x'.repeat(10));
  expect(beginningOf(`${'x'.repeat(9)}😀`, 10)).toBe('x'.repeat(9));
});

test.each(['x', '日', '😀', 'word ', 'a line\n', '\n'])('ten million characters of %j come whole', (unit) => {
  const text = unit.repeat(Math.ceil(1e7 / unit.length));
  const pieces = piecesOf(text);
  const without = (each: string) => each.replaceAll('\n', '');
  expect(without(pieces.join('\n'))).toBe(without(text));
  expect(pieces.every(({ length }) => length > 0 || unit === '\n')).toBe(true);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(20_000);
});
