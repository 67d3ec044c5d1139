import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readKeys } from './keys.ts';
import { editLine, EMPTY_LINE, type Line } from './line-editor.ts';

/** The line after `data` was typed, with its cursor shown as `|`. */
function typed(data: string, from: Line = EMPTY_LINE): string {
  const line = readKeys(data).reduce((at, key) => editLine(at, key).line, from);
  return `${line.text.slice(0, line.cursor)}|${line.text.slice(line.cursor)}`;
}

const LEFT = '\x1b[D';

test.each([
  ['types at the cursor', `ac${LEFT}b`, 'ab|c'],
  ['backspace', 'abc\x7f', 'ab|'],
  ['delete', `abc${LEFT}${LEFT}\x1b[3~`, 'a|c'],
  ['Ctrl-D deletes inside a line', `ab${LEFT}\x04`, 'a|'],
  ['Home and End', 'abc\x1b[Hx\x1b[Fy', 'xabcy|'],
  ['Ctrl-A and Ctrl-E', 'abc\x01x\x05y', 'xabcy|'],
  ['Ctrl-U kills to the start', `abc${LEFT}\x15`, '|c'],
  ['Ctrl-K kills to the end', `abc${LEFT}\x0b`, 'ab|'],
  ['Ctrl-W kills a word and its spaces', 'git commit -m  \x17', 'git commit |'],
  ['Ctrl-Y brings back', 'one two\x17\x01\x19', 'two|one '],
  ['words', 'one two\x1bb\x1bbX\x1bfY', 'XoneY| two'],
  ['an emoji is one step', `a👩‍👩‍👧b${LEFT}${LEFT}x`, 'ax|👩‍👩‍👧b'],
  ['an emoji is deleted whole', 'a👩‍👩‍👧\x7f', 'a|'],
  ['an accent is deleted with its letter', 'ae\u0301\x7f', 'a|'],
  ['nothing left of the start', `${LEFT}\x7fa`, 'a|'],
  ['Home goes to the start of its row', '\x1b[200~one\ntwo\x1b[201~\x01x', 'one\nx|two'],
])('%s', (_name, data, expected) => {
  expect(typed(data)).toBe(expected);
});

test('what a line cannot do is asked for', () => {
  const requests = '\r\t\x1b[A\x1b[B\x03\x0c\x04';
  expect(readKeys(requests).map((key) => editLine(EMPTY_LINE, key).request)).toEqual([
    'submit',
    'complete',
    'older',
    'newer',
    'interrupt',
    'clear',
    'end-of-input',
  ]);
});

test('the cursor stays inside the line and never inside a grapheme', () => {
  const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const piece = fc.constantFrom(
    LEFT,
    '\x1b[C',
    '\x7f',
    '\x1b[3~',
    '\x01',
    '\x05',
    '\x0b',
    '\x15',
    '\x17',
    '\x19',
    'ab ',
    '👩‍👩‍👧',
    '漢',
    'e\u0301',
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const line = readKeys(pieces.join('')).reduce((at, key) => editLine(at, key).line, EMPTY_LINE);
      const borders = [...graphemes.segment(line.text)].map(({ index }) => index);
      expect([...borders, line.text.length]).toContain(line.cursor);
    }),
  );
});
