import { expect, test } from 'vitest';
import { makeNavigator } from './navigator.ts';

test('a program sees the cores of the machine, and no more than it may fill', () => {
  expect([1, 4, 8, 32].map((cores) => makeNavigator(cores).hardwareConcurrency)).toEqual([1, 4, 8, 8]);
  // Safari may report 0, and a browser may report nothing.
  expect([0, NaN].map((cores) => makeNavigator(cores).hardwareConcurrency)).toEqual([1, 1]);
});
