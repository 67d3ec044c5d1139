import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LONGEST } from './longest-first.ts';

test('the files that begin first are there', () => {
  expect(LONGEST.filter((path) => !existsSync(new URL(`../${path}`, import.meta.url)))).toEqual([]);
});
