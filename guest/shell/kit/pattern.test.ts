import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matcherOf, type GrepDialect } from '../commands/grep/pattern.ts';
import { matchingLines, withContext } from './match.ts';
import { compilePatterns, fromPerl } from './pattern.ts';

function regexOf(pattern: string, dialect: GrepDialect): RegExp {
  return matcherOf([pattern], {
    dialect,
    ignoreCase: false,
    wholeWord: false,
    wholeLine: false,
    overLines: false,
  }).regex;
}

function hits(pattern: string, dialect: GrepDialect, text: string): string[] {
  return [...text.matchAll(regexOf(pattern, dialect))].map(([hit]) => hit);
}

describe('patterns', () => {
  it.each<[string, GrepDialect, string, string[]]>([
    ['a\\+', 'basic', 'aab a+', ['aa', 'a']],
    ['a+', 'basic', 'aa+ a+', ['a+', 'a+']],
    ['a\\|b', 'basic', 'xay b', ['a', 'b']],
    ['\\(a\\)\\1', 'basic', 'aab', ['aa']],
    ['a\\{2\\}', 'basic', 'aaa', ['aa']],
    ['*a', 'basic', 'x*a', ['*a']],
    ['a^b$c', 'basic', 'a^b$c', ['a^b$c']],
    ['[]a]', 'basic', ']a', [']', 'a']],
    ['[a\\]', 'basic', 'a\\b', ['a', '\\']],
    ['[[:digit:]x]\\+', 'basic', '12x y', ['12x']],
    ['(a|b)+', 'extended', 'abba', ['abba']],
    ['a{2,}', 'extended', 'aaa', ['aaa']],
    ['a{,2}b', 'extended', 'aab', ['aab']],
    ['{', 'extended', '{', ['{']],
    ['\\.', 'extended', 'a.b', ['.']],
    ['\\<b', 'extended', 'ab b', ['b']],
    ['a.c', 'fixed', 'abc a.c', ['a.c']],
    ['(?<=x)y', 'perl', 'xy y', ['y']],
    ['x\\Ky', 'perl', 'xy y', ['y']],
    ['(?i)AB', 'perl', 'ab', ['ab']],
    ['\\Qa.b\\E', 'perl', 'axb a.b', ['a.b']],
    ['\\p{Lu}', 'perl', 'aB', ['B']],
    ['.', 'basic', '🐢', ['🐢']],
  ])('%s (%s)', (pattern, dialect, text, expected) => {
    expect(hits(pattern, dialect, text)).toEqual(expected);
  });

  it('says what is wrong with them', () => {
    expect(() => regexOf('[a', 'basic')).toThrow('Unmatched [');
    expect(() => regexOf('(a', 'extended')).toThrow('Unmatched (');
    expect(() => regexOf('(a', 'perl')).toThrow("invalid pattern '(a'");
    expect(() => regexOf('[[:nope:]]', 'basic')).toThrow('Invalid character class name');
    expect(() => regexOf('[[:nope:]]', 'perl')).toThrow("invalid character class '[:nope:]'");
  });
});

describe('matching lines', () => {
  const line = fc.stringMatching(/^[ab\t ]{0,4}$/);
  const pattern = fc.constantFrom(
    'a',
    'ab',
    'a*',
    'b+',
    '^a',
    'b$',
    '^$',
    'a[^a]',
    '\\s',
    'a|b',
    '[[:space:]]b',
  );

  it('are those that match when looked at one by one', () => {
    fc.assert(
      fc.property(fc.array(line), pattern, fc.boolean(), (lines, source, invert) => {
        const regexp = compilePatterns([fromPerl(source).source], {}, source);
        const found = [...matchingLines(lines.map((one) => `${one}\n`).join(''), regexp, invert, Infinity)];
        const single = new RegExp(regexp.source, 'u');
        const expected = lines.flatMap((text, i) =>
          single.test(text) === invert ? [] : [{ number: i + 1, text, matched: true }],
        );
        expect(found).toEqual(expected);
      }),
    );
  });

  it('come with each line around them once, in order', () => {
    fc.assert(
      fc.property(fc.array(line), fc.nat(3), fc.nat(3), (lines, before, after) => {
        const text = lines.map((one) => `${one}\n`).join('');
        const regexp = compilePatterns(['a'], {}, 'a');
        const shown = [...withContext(text, matchingLines(text, regexp, false, Infinity), before, after)];
        const numbers = shown.flatMap((one) => (one ? [one.number] : []));
        const isHit = (i: number) => lines[i]?.includes('a') === true;
        const expected = lines.flatMap((_, i) =>
          lines.some((_one, hit) => isHit(hit) && i >= hit - before && i <= hit + after) ? [i + 1] : [],
        );
        expect(numbers).toEqual(expected);
        const gaps = expected.filter((number, i) => i > 0 && number !== (expected[i - 1] ?? 0) + 1).length;
        expect(shown.filter((one) => one === null)).toHaveLength(gaps);
      }),
    );
  });
});
