import { expect, test } from 'vitest';
import { withCommas } from './with-commas.ts';

test.for([0, 7, 999, 1_000, 12_345, 999_999, 1_000_000, 1_234_567_890, -1_234])(
  '%i is written as English writes it',
  (count) => expect(withCommas(count)).toBe(count.toLocaleString('en-US')),
);
