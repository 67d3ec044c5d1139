import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { find } from './match.ts';

const found = (text: string, wanted: string, apart = true) =>
  find(text, wanted, apart).map(({ start, end }) => text.slice(start, end));

describe('find', () => {
  test.each<[string, string, string, string[]]>([
    ['exactly', 'a b a', 'a', ['a', 'a']],
    ['not overlapping', 'aaa', 'aa', ['aa']],
    ['with other line endings', 'x\r\ny\r\nz', 'x\ny', ['x\r\ny']],
    ['with other line endings the other way', 'x\ny\nz', 'y\r\nz', ['y\nz']],
    ['with typographic quotes', 'say “hi” – it’s', `"hi" - it's`, ['“hi” – it’s']],
    ['with plain quotes', `say "hi"`, 'say “hi”', ['say "hi"']],
    ['with an ellipsis', 'wait… now', 'wait... now', ['wait… now']],
    ['with a no-break space', 'a\u00a0b', 'a b', ['a\u00a0b']],
    ['with trailing blanks in the file', 'if x:  \n  y\t\n', 'if x:\n  y\n', ['if x:  \n  y\t\n']],
    ['with trailing blanks in what is wanted', 'if x:\n  y\nz', 'if x:  \n  y', ['if x:\n  y']],
    ['leaving blanks after the last line', 'a  \nb  \nc', 'a\nb', ['a  \nb']],
    ['not half of what became several characters', 'wait…', '.', []],
    ['not with other indentation', '    a\n    b', 'a\nb', []],
    ['not with other blanks inside', 'a  b', 'a b', []],
    ['not by first and last line', 'start\nx\nend', 'start\ny\nend', []],
    ['nothing for blanks only that are not there', 'ab', '   ', []],
    ['not in the middle of a line once blanks were cut', 'return x', 'return \t', []],
  ])('%s', (_, text, wanted, expected) => expect(found(text, wanted)).toEqual(expected));

  test('overlapping matches are all found where only one may be meant', () => {
    expect(found('}\n}\n}\n', '}\n}', false)).toEqual(['}\n}', '}\n}']);
    expect(found('}\r\n}\r\n}\r\n', '}\n}', false)).toEqual(['}\r\n}', '}\r\n}']);
  });

  test('a stricter match wins over several tolerant ones', () => {
    expect(found('“a” "a"', '"a"')).toEqual(['"a"']);
  });

  test('never matches more lines than were asked for, and always prefers exact matches', () => {
    const text = fc.stringMatching(/^(?:[ab"“ ]|\n|\r\n|\t){0,30}$/);
    fc.assert(
      fc.property(text, text, (where, wanted) => {
        for (const span of found(where, wanted))
          expect(span.split('\n').length).toBe(wanted.split('\n').length);
        if (wanted !== '') expect(found(where + wanted, wanted)).toContain(wanted);
      }),
      { numRuns: 1000 },
    );
  });

  test('a large file is searched quickly, found or not', () => {
    const text = 'some line of a file  \r\n'.repeat(100_000);
    const started = performance.now();
    expect(find(`${text}the “end”\r\n`, 'file\nthe "end"', true)).toHaveLength(1);
    expect(find(text, 'not there', false)).toEqual([]);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
