import { applyPatch } from 'diff';
import { expect, test } from 'vitest';
import { diffOf } from './diff.ts';

test('counts lines, and a new file comes from /dev/null', async () => {
  const diff = await diffOf('a.txt', null, 'one\ntwo\n');
  expect(diff).toMatchObject({ additions: 2, deletions: 0 });
  expect(diff.patch).toContain('--- /dev/null\n+++ a.txt\n');
});

test('files with nothing in common are diffed in time and correctly', async () => {
  const before = Array.from({ length: 30_000 }, (_, index) => `old ${index * 7}\n`).join('');
  const after = Array.from({ length: 30_000 }, (_, index) => `new ${index * 3}\n`).join('');
  const started = performance.now();
  const diff = await diffOf('a.txt', `same\n${before}`, `same\n${after}`);
  expect(performance.now() - started).toBeLessThan(5000);
  expect(diff).toMatchObject({ additions: 30_000, deletions: 30_000 });
  expect(applyPatch(`same\n${before}`, diff.patch)).toBe(`same\n${after}`);
});
