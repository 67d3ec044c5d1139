import { expect, test } from 'vitest';
import { numberIn } from './number.ts';

test.each([
  ['en', '0.5', '1.0'],
  ['de', '0,5', '1,0'],
  ['ru', '0,5', '1,0'],
  ['zh', '0.5', '1.0'],
  ['ar', '0.5', '1.0'],
])('in %s a half is %s', (language, half, one) => {
  expect(numberIn(language, 0.5)).toBe(half);
  expect(numberIn(language, 1, 1)).toBe(one);
});
