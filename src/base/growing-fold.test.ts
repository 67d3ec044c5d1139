import fc from 'fast-check';
import { expect, test } from 'vitest';
import { beginsWith, growingFold } from './growing-fold.ts';

test('a list that grew costs only what is new, and any other list is folded again', () => {
  const items = Array.from({ length: 5 }, (_, index) => ({ index }));
  const added: number[] = [];
  const indexes = growingFold<{ index: number }, number[]>(
    () => [],
    (result, { index }) => {
      added.push(index);
      return [...result, index];
    },
  );
  expect(indexes(items.slice(0, 3))).toEqual([0, 1, 2]);
  expect(indexes(items)).toEqual([0, 1, 2, 3, 4]);
  expect(added).toEqual([0, 1, 2, 3, 4]);
  expect(indexes(items.slice(0, 2))).toEqual([0, 1]);
  expect(added).toHaveLength(7);
});

test('whatever lists come one after the other, the result is that of each list alone', () => {
  const items = Array.from({ length: 4 }, (_, index) => ({ index }));
  const list = fc.array(fc.constantFrom(...items), { maxLength: 6 });
  fc.assert(
    fc.property(fc.array(list, { maxLength: 8 }), (lists) => {
      const collected = growingFold<{ index: number }, number[]>(
        () => [],
        (result, { index }) => {
          result.push(index);
          return result;
        },
      );
      for (const each of lists) expect(collected(each)).toEqual(each.map(({ index }) => index));
    }),
  );
});

test('what was folded when it failed is not gone on with', () => {
  const items = [{ fails: false }, { fails: true }];
  const count = growingFold<{ fails: boolean }, number[]>(
    () => [],
    (result, item) => {
      result.push(1);
      if (item.fails) throw new Error('It fails.');
      return result;
    },
  );
  expect(count(items.slice(0, 1))).toEqual([1]);
  expect(() => count(items)).toThrow('It fails.');
  expect(count(items.slice(0, 1))).toEqual([1]);
});

test('a list begins with another one only if it has the same items', () => {
  expect(beginsWith([1, 2, 3], [1, 2])).toBe(true);
  expect(beginsWith([1, 2], [1, 2, 3])).toBe(false);
  expect(beginsWith([1, 3], [1, 2])).toBe(false);
});
