import { expect, test } from 'vitest';
import { clockIn, numberIn } from './number.ts';

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

test.each([
  ['en', 7_490, true, '0:07.4'],
  ['de', 7_490, true, '0:07,4'],
  ['de', 0, true, '0:00,0'],
  ['ru', 59_999, true, '0:59,9'],
  ['de', 61_000, true, '1:01,0'],
  ['de', 3_661_900, false, '61:01'],
])('in %s %i ms are shown on a clock (tenths: %s) as %s', (language, ms, tenths, text) => {
  expect(clockIn(language, ms, tenths)).toBe(text);
});
