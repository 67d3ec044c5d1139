import { expect, test } from 'vitest';
import { Slices } from './slices.ts';

/** Works for this many milliseconds without letting anything else run. */
function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test('between two slices of long work another task runs', async () => {
  const slices = new Slices();
  let hasRun = false;
  setImmediate(() => (hasRun = true));
  for (let piece = 0; piece < 40 && !hasRun; piece++) {
    work(5);
    await slices.next();
  }
  expect(hasRun).toBe(true);
});

test('short work is not interrupted', async () => {
  const slices = new Slices();
  let hasRun = false;
  setImmediate(() => (hasRun = true));
  for (let piece = 0; piece < 10; piece++) await slices.next();
  expect(hasRun).toBe(false);
});
