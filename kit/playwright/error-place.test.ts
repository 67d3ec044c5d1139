import { expect, test } from 'vitest';
import { withPlace } from './error-place.ts';

const OURS =
  'Error: late\n    at run (/home/me/node_modules/vitrine/shared.js:1:2)\n    at async node:internal/x:1:1';
const PLACE =
  'Error: agent.prompt("Go")\n    at track (/home/me/node_modules/vitrine/shared.js:3:4)\n    at /home/me/first.spec.ts:7:9';

function errorOf(stack: string): Error {
  const error = new Error('late');
  error.stack = stack;
  return error;
}

test('an error of the kit gets the place in the test', () => {
  const error = withPlace(errorOf(OURS), errorOf(PLACE));
  expect(error).toHaveProperty('stack', 'Error: late\n    at /home/me/first.spec.ts:7:9');
});

test('an error that names a place of the test keeps it', () => {
  const stack = 'Error: late\n    at handler (/home/me/first.spec.ts:3:1)';
  expect(withPlace(errorOf(stack), errorOf(PLACE))).toHaveProperty('stack', stack);
});

test('without a place, and for what is no error, all stays as it is', () => {
  expect(withPlace(errorOf(OURS), errorOf(OURS))).toHaveProperty('stack', OURS);
  expect(withPlace('late', errorOf(PLACE))).toBe('late');
});
