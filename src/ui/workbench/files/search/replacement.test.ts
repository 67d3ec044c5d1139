import fc from 'fast-check';
import { expect, test } from 'vitest';
import { spansIn } from './expression.ts';
import { replacedText, type ChosenLine, type Replacement } from './replacement.ts';

const change = (text: string, by: string, more: Partial<Replacement> = {}): Replacement => ({
  text,
  by,
  regexp: false,
  matchCase: true,
  words: false,
  ...more,
});

/** All matches of all lines. */
function all(text: string, replacement: Replacement): Map<number, ChosenLine> {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  return new Map(
    lines.flatMap((line, at) => {
      const spans = spansIn(line, replacement);
      return spans.length === 0 ? [] : [[at + 1, { text: line, matches: new Set(spans.keys()) }] as const];
    }),
  );
}

test.each([
  ['a text is put in as it is', 'one two', change('two', '$& $1'), 'one $& $1'],
  ['groups', 'f(a, b)', change('(\\w), (\\w)', '$2, $1', { regexp: true }), 'f(b, a)'],
  ['what stands around counts', 'xa ya', change('(?<=y)a', 'b', { regexp: true }), 'xa yb'],
  ['line ends stay', 'a\r\na\nb', change('a', 'c'), 'c\r\nc\nb'],
  ['a new line is as the others', 'a b\r\n', change(' ', '\\n', { regexp: true }), 'a\r\nb\r\n'],
  ['a byte order mark stays', '\ufeffa\n', change('a', 'b'), '\ufeffb\n'],
  ['the end of a line is not its line end', 'a\r\n', change('$', '!', { regexp: true }), 'a\r\n'],
  ['nothing in its place', 'aXbX', change('X', ''), 'ab'],
])('%s', (_, text, replacement, result) => {
  expect(replacedText(text, all(text, replacement), replacement)).toBe(result);
});

test('only the chosen match of a line is replaced', () => {
  const chosen = new Map([[1, { text: 'a a a', matches: new Set([1]) }]]);
  expect(replacedText('a a a\n', chosen, change('a', 'b'))).toBe('a b a\n');
});

test('a line that is not what the person saw keeps the whole text from changing', () => {
  const chosen = new Map([
    [1, { text: 'a', matches: new Set([0]) }],
    [2, { text: 'a', matches: new Set([0]) }],
  ]);
  expect(replacedText('a\nb a\n', chosen, change('a', 'c'))).toBeNull();
  expect(replacedText('a', chosen, change('a', 'c'))).toBeNull();
});

test('all matches of a text are what replaceAll replaces', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a', 'b', 'ab', '\n', '\r\n', '$', '.')),
      fc.constantFrom('a', 'ab', '$', '.'),
      fc.constantFrom('', 'x', '$&', 'aa'),
      (pieces, wanted, by) => {
        const text = pieces.join('');
        const replacement = change(wanted, by);
        expect(replacedText(text, all(text, replacement), replacement)).toBe(
          text.replaceAll(wanted, () => by),
        );
      },
    ),
  );
});
