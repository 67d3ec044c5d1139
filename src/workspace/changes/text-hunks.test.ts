import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TextChange } from './text-hunks.ts';

const lines = (...numbers: readonly (number | string)[]) => numbers.map((each) => `${each}\n`).join('');
const numbered = Array.from({ length: 30 }, (_, at) => at + 1);

test('changes that are far apart are hunks of their own, each with its lines', async () => {
  const after = lines(...numbered.map((each) => (each === 3 ? 'three' : each)), 'last');
  const change = await TextChange.between(lines(...numbered), after);
  expect(change?.hunks.map(({ added, removed }) => [added, removed])).toEqual([
    [1, 1],
    [1, 0],
  ]);
  expect([change?.added, change?.removed]).toEqual([2, 1]);
  expect(change?.hunks[0]?.patch).toContain('-3\n+three\n');
  expect(change?.hunks[0]?.patch).not.toContain('last');
});

test('one hunk is put back, and the other stays', async () => {
  const after = lines('zero', ...numbered.filter((each) => each !== 20));
  const change = await TextChange.between(lines(...numbered), after);
  const [first, second] = change?.hunks ?? [];
  expect(first && change?.without(first)).toBe(lines(...numbered.filter((each) => each !== 20)));
  expect(second && change?.without(second)).toBe(lines('zero', ...numbered));
});

test('with every hunk put back, one after another and in any order, the text is as before', async () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', '', 'd\r'), { maxLength: 60 })
    .chain((each) => fc.constantFrom('', '\n').map((end) => each.join('\n') + end));
  await fc.assert(
    fc.asyncProperty(text, text, fc.nat(), async (before, after, seed) => {
      let current = after;
      for (let round = 0; round < 100; round++) {
        const change = await TextChange.between(before, current);
        const hunk = change?.hunks[seed % (change.hunks.length || 1)];
        if (!change || !hunk) break;
        current = change.without(hunk);
      }
      expect(current).toBe(before);
    }),
    { numRuns: 300 },
  );
});
