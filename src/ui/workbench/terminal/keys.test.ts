import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readKeys } from './keys.ts';

const key = (name: string) => ({ type: 'key', name });
const text = (value: string) => ({ type: 'text', text: value });

test('plain text, controls and sequences come in order', () => {
  expect(readKeys('ls\x1b[D\x01é\r')).toEqual([
    text('ls'),
    key('left'),
    key('home'),
    text('é'),
    key('enter'),
  ]);
  expect(readKeys('\x1bOA\x1b[1;5C\x1bb\x1b\x7f').map((k) => k.type === 'key' && k.name)).toEqual([
    'up',
    'word-right',
    'word-left',
    'kill-word',
  ]);
});

test('line ends inside a paste are text, and controls in it are dropped', () => {
  expect(readKeys('\x1b[200~a\r\nb\x03\tc\x1b[201~\r')).toEqual([
    { type: 'paste', text: 'a\nb    c' },
    key('enter'),
  ]);
});

test.each([
  ['cursor report', '\x1b[12;40R'],
  ['device attributes', '\x1b[?1;2c'],
  ['setting report', '\x1bP1$rrm -rf .\x1b\\'],
  ['colour report', '\x1b]10;rgb:ffff/0000/0000\x07'],
  ['unended string', '\x1b]2;rm -rf .'],
])('an answer of the terminal is no typing: %s', (_name, answer) => {
  expect(readKeys(answer)).toEqual([]);
});

test('whatever comes in, text holds no control character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (data) => {
      for (const read of readKeys(data)) {
        if (read.type !== 'key') expect(read.text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
      }
    }),
  );
});
