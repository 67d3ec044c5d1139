import { expect, test } from 'vitest';
import { patternOf, spansIn, type SearchOptions } from './expression.ts';

const options = (text: string, more: Partial<SearchOptions> = {}): SearchOptions => ({
  text,
  regexp: false,
  matchCase: false,
  words: false,
  ...more,
});

test('a text is found as it is written, an expression as it is meant', () => {
  expect(spansIn('a.b aXb', options('a.b'))).toEqual([{ from: 0, to: 3 }]);
  expect(spansIn('a.b aXb', options('a.b', { regexp: true }))).toHaveLength(2);
  expect(spansIn('price: $5 (each)', options('$5 (each)'))).toEqual([{ from: 7, to: 16 }]);
});

test('case and whole words', () => {
  expect(spansIn('Cat cat scat', options('cat'))).toHaveLength(3);
  expect(spansIn('Cat cat scat', options('cat', { matchCase: true }))).toHaveLength(2);
  expect(spansIn('Cat cat scat', options('cat', { words: true }))).toHaveLength(2);
  expect(spansIn('f(a) g(a)b', options('(a)', { words: true }))).toHaveLength(2);
  expect(patternOf(options('a|b', { regexp: true, words: true }))).toBe('\\b(?:a|b)\\b');
});

test('empty matches do not count, and Unicode patterns are understood', () => {
  expect(spansIn('baab', options('a*', { regexp: true }))).toEqual([{ from: 1, to: 3 }]);
  expect(spansIn('é e', options('\\p{L}', { regexp: true }))).toHaveLength(2);
  expect(spansIn('x 😀 y', options('😀'))).toEqual([{ from: 2, to: 4 }]);
});
