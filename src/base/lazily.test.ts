import { expect, test } from 'vitest';
import { lazily } from './lazily.ts';

test('loads once, and again after a failure', async () => {
  let loads = 0;
  const value = lazily(async () => {
    if (++loads === 1) throw new Error('no network');
    return loads;
  });
  await expect(value()).rejects.toThrow('no network');
  expect(await Promise.all([value(), value()])).toEqual([2, 2]);
});
