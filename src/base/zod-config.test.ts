import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import './zod-config.ts';

test('the schemas of the page say what does not fit, though the mini API has no messages of its own', () => {
  const schema = z.strictObject({ count: z.int().check(z.positive()), name: z.string() });
  expect(schema.safeParse({ count: 0 }).error?.issues.map(({ message }) => message)).toEqual([
    'Too small: expected number to be >0',
    'Invalid input: expected string, received undefined',
  ]);
});

test('nothing is compiled with eval, which the page does not allow', () => {
  expect(z.config().jitless).toBe(true);
});
