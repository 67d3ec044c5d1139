import { expect, test } from 'vitest';
import { fitsAsItIs, fittingSize, MAX_BYTES } from './fit.ts';

test('a large picture keeps its proportions, a small one its size', () => {
  expect(fittingSize({ width: 4000, height: 3000 })).toEqual({ width: 2000, height: 1500 });
  expect(fittingSize({ width: 640, height: 480 })).toEqual({ width: 640, height: 480 });
  expect(fittingSize({ width: 1, height: 9000 })).toEqual({ width: 1, height: 2000 });
});

test('a picture is sent unchanged if its sides, its bytes and its format allow it', () => {
  const size = { width: 2000, height: 10 };
  expect(fitsAsItIs(size, MAX_BYTES, 'image/png')).toBe(true);
  expect(fitsAsItIs({ ...size, height: 2001 }, 1, 'image/png')).toBe(false);
  expect(fitsAsItIs(size, MAX_BYTES + 1, 'image/png')).toBe(false);
  expect(fitsAsItIs(size, 1, 'image/bmp')).toBe(false);
});
