import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineFinder } from './lines.ts';

const PATTERNS = [
  'a',
  'ab|b',
  'a+\\s*b',
  '^',
  '$',
  '^$',
  'a$',
  '^b',
  '\\s',
  '[^a]',
  '.',
  'b?',
  '\\bab',
  '(a)\\1',
  'a(?!b)',
  '(?<=a)b',
  '\\n',
  'a\\r',
];

/** The plain way: splits the text and tests each line. */
function plain(pattern: string, text: string): number[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.flatMap((line, index) => (new RegExp(pattern).test(line.replace(/\r$/, '')) ? [index] : []));
}

function found(pattern: string, text: string): number[] {
  const find = lineFinder(pattern, false);
  const lines: number[] = [];
  for (let line = find(text, 0); line; line = find(text, line.next))
    lines.push(text.slice(0, line.start).split('\n').length - 1);
  return lines;
}

test('finds the same lines as testing them one by one', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...PATTERNS),
      fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '\r\n'), maxLength: 20 }),
      (pattern, text) => {
        expect(found(pattern, text)).toEqual(plain(pattern, text));
      },
    ),
    { numRuns: 2000 },
  );
});

test('accepts patterns as models write them: needless escapes, and Unicode where asked for', () => {
  expect(found('foo\\-bar\\@', 'x\nfoo-bar@')).toEqual([1]);
  expect(found('\\p{Lu}', 'é\nÉ')).toEqual([1]);
  expect(found('^🦄$', '🦄')).toEqual([0]);
  expect(() => lineFinder('(', false)).toThrow(SyntaxError);
});
