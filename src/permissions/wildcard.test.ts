import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matches, overlap } from './wildcard.ts';

/** A reference implementation of patterns: slow, and only for short texts. */
function means(pattern: string, text: string): boolean {
  const from = (p: number, t: number): boolean => {
    if (p === pattern.length) return t === text.length;
    if (pattern[p] === '*') return from(p + 1, t) || (t < text.length && from(p, t + 1));
    return t < text.length && (pattern[p] === '?' || pattern[p] === text[t]) && from(p + 1, t + 1);
  };
  return from(0, 0);
}

const text = fc.stringMatching(/^[ab.[\]()\\^$+|{}/\n]{0,8}$/);
const pattern = fc.stringMatching(/^[ab*?.[\]()\\^$+|{}/\n]{0,8}$/);

test('a pattern matches exactly its meaning, even with characters special to regular expressions', () => {
  fc.assert(
    fc.property(pattern, text, (p, t) => {
      expect(matches(p, t)).toBe(means(p, t));
    }),
    { numRuns: 5_000 },
  );
});

test('`x *` matches x alone, and x with any arguments', () => {
  const word = fc.stringMatching(/^[a-z]{1,5}$/);
  fc.assert(
    fc.property(word, fc.string(), (command, rest) => {
      expect(matches(`${command} *`, command)).toBe(true);
      expect(matches(`${command} *`, `${command} ${rest}`)).toBe(true);
      expect(matches(`${command} *`, `${command}x${rest}`)).toBe(false);
    }),
  );
});

test('a text without wildcards matches only itself; a star before, after or inside adds any text', () => {
  const plain = fc.string({ maxLength: 12 }).filter((each) => !/[*?]/.test(each));
  fc.assert(
    fc.property(plain, plain, fc.string({ maxLength: 12 }), (a, b, between) => {
      expect(matches(a, a)).toBe(true);
      expect(matches(`${a}*${b}`, a + between + b)).toBe(true);
      expect(matches('*', between)).toBe(true);
      if (a.normalize() !== b.normalize()) expect(matches(a, b)).toBe(false);
    }),
  );
});

test('two patterns overlap if some text matches both', () => {
  const short = fc.stringMatching(/^[ab*?]{0,4}$/);
  const texts = ['', ...wordsOf(1), ...wordsOf(2), ...wordsOf(3), ...wordsOf(4), ...wordsOf(5)];
  fc.assert(
    fc.property(short, short, (one, other) => {
      // Eight letters are more than the shortest common text of two such patterns needs.
      const some = [...texts, ...wordsOf(6), ...wordsOf(7), ...wordsOf(8)].some(
        (each) => means(one, each) && means(other, each),
      );
      expect(overlap(one, other)).toBe(some);
    }),
    { numRuns: 200 },
  );
});

function wordsOf(length: number): string[] {
  return Array.from({ length: 2 ** length }, (_, bits) =>
    Array.from({ length }, (_, at) => ((bits >> at) & 1 ? 'a' : 'b')).join(''),
  );
}
