import fc from 'fast-check';
import { expect, test } from 'vitest';
import { excerptOf, rank, wordsOf } from './tokenize.ts';

test('words are letters and digits, without case and accents', () => {
  expect(wordsOf('Fix the Café-parser: src/fold.test.ts, v2!')).toEqual([
    'fix',
    'the',
    'cafe',
    'parser',
    'src',
    'fold',
    'test',
    'ts',
    'v2',
  ]);
  expect(wordsOf('the The THE')).toEqual(['the']);
  expect(wordsOf('日本 go')).toEqual(['日', '本', 'go']);
  expect(wordsOf('—… \u0301')).toEqual([]);
});

test('a text has a bounded number of words of bounded length', () => {
  const many = Array.from({ length: 10_000 }, (_, i) => `w${i}`).join(' ');
  expect(wordsOf(many)).toHaveLength(2_000);
  expect(wordsOf('x'.repeat(100_000))[0]).toHaveLength(40);
});

test.each(['x', '日', '𝒳', 'é', '\ufdfa', 'x\u0301'])(
  'millions of %s in a row are no trouble',
  (character) => {
    const long = character.repeat(6_000_000);
    expect(wordsOf(`before ${long}`)[0]).toBe('before');
    expect(excerptOf(`before ${long}`, ['before'])).toMatch(/^before/);
    expect(excerptOf(long, ['missing'])).toMatch(/…$/);
  },
);

test('every word of a text is found by each of its prefixes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
      for (const word of wordsOf(text)) {
        expect(wordsOf(word)).toEqual([word]);
        expect(wordsOf(text).some((candidate) => candidate.startsWith(word.slice(0, 1)))).toBe(true);
      }
    }),
  );
});

test('an excerpt shows the word in its surroundings, as text', () => {
  const text = `${'before '.repeat(20)}\n\n<b>Needle</b>\t${'after '.repeat(40)}`;
  const excerpt = excerptOf(text, ['need']);
  expect(excerpt).toMatch(/^…(before )+<b>Needle<\/b> (after )+/);
  expect(excerpt.length).toBeLessThanOrEqual(162);
  expect(excerpt.endsWith('…')).toBe(true);
  expect(excerptOf('short', ['short'])).toBe('short');
  expect(excerptOf('', ['x'])).toBe('');
});

test('an excerpt never cuts a character in half', () => {
  for (let pad = 0; pad < 4; pad++) {
    const excerpt = excerptOf(`${'x'.repeat(pad)} ${'😀'.repeat(300)} needle ${'😀'.repeat(300)}`, [
      'needle',
    ]);
    expect(() => encodeURIComponent(excerpt)).not.toThrow();
    expect(excerpt).toContain('needle');
  }
});

test('only sessions with every word are found; titles weigh more', () => {
  const locations = [
    [
      ['a', 1],
      ['a', 5],
      ['b', 2],
      ['c', -1],
    ],
    [
      ['a', 5],
      ['c', 7],
    ],
  ] as const;
  expect(rank(locations)).toEqual([
    { sessionID: 'c', score: 11, seq: 7 },
    { sessionID: 'a', score: 3, seq: 5 },
  ]);
});
