import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matches } from './wildcard.ts';

/** The meaning of a pattern in the plainest words: slow, and only for short texts. */
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

test('a pattern matches exactly what it means, whatever else regular expressions would read into it', () => {
  fc.assert(
    fc.property(pattern, text, (p, t) => {
      expect(matches(p, t)).toBe(means(p, t));
    }),
    { numRuns: 5_000 },
  );
});

test('a command and all its arguments: `x *` fits x, and x with anything behind a space', () => {
  const word = fc.stringMatching(/^[a-z]{1,5}$/);
  fc.assert(
    fc.property(word, fc.string(), (command, rest) => {
      expect(matches(`${command} *`, command)).toBe(true);
      expect(matches(`${command} *`, `${command} ${rest}`)).toBe(true);
      expect(matches(`${command} *`, `${command}x${rest}`)).toBe(false);
    }),
  );
});

test('a text without wildcards matches itself alone; a star in front, behind or between adds any text', () => {
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
