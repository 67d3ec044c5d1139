import { expect, test } from 'vitest';
import { comparable } from './differences.ts';

test.each([
  ['session ids', 'Began ses_a1b2.', 'Began ses_zz9.'],
  [
    'times that a test runner prints',
    '✔ adds (0.62ms)\nℹ duration_ms 45.31',
    '✔ adds (1ms)\nℹ duration_ms 9',
  ],
  [
    'times with other units',
    'built in 812 ms, 1.4s in all, 30µs each',
    'built in 7 ms, 12.25s in all, 4µs each',
  ],
])('%s mean nothing', (_, recorded, real) => {
  expect(comparable(recorded)).toBe(comparable(real));
});

test.each([
  ['numbers without a unit', 'pass 4', 'pass 3'],
  ['sizes', '4.5MB', '5.5MB'],
  ['whole seconds, which a program may be about', 'sleeps 3 s', 'sleeps 4 s'],
  ['parts of names', 'a1ms-b', 'a2ms-b'],
])('%s are compared', (_, recorded, real) => {
  expect(comparable(recorded)).not.toBe(comparable(real));
});
