import { expect, test } from 'vitest';
import { costOf, type Price } from './cost.ts';

const price: Price = { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 };

test('what is read from or written to a cache is not paid as fresh input', () => {
  const usage = {
    inputTokens: 100_000,
    cacheReadTokens: 80_000,
    cacheWriteTokens: 10_000,
    outputTokens: 1_000,
  };
  expect(costOf(usage, price)).toBe(0.02 + 0.008 + 0.025 + 0.01);
});

test('reasoning is part of the output and costs as that', () => {
  expect(costOf({ outputTokens: 1_000, reasoningTokens: 900 }, price)).toBe(0.01);
});

test('without a price for the cache its tokens cost as input does', () => {
  expect(costOf({ inputTokens: 1_000, cacheReadTokens: 500 }, { input: 1, output: 1 })).toBe(0.001);
});

test('a long request costs more, all of it', () => {
  const long: Price = { ...price, long: { above: 200_000, input: 4, output: 15 } };
  expect(costOf({ inputTokens: 200_000 }, long)).toBe(0.4);
  expect(costOf({ inputTokens: 200_001, outputTokens: 1_000 }, long)).toBe(0.815004);
});

test('nothing counted is not nothing paid', () => {
  expect(costOf({}, price)).toBeUndefined();
  expect(costOf({ inputTokens: 0, outputTokens: 0 }, price)).toBe(0);
});

test('a sum of tiny amounts has no noise', () => {
  expect(costOf({ inputTokens: 3 }, { input: 0.1, output: 1 })).toBe(0.0000003);
});
