import fc from 'fast-check';
import { expect, test } from 'vitest';
import { harmless } from './ansi.ts';

test.each([
  ['colours stay', '\x1b[1;31mred\x1b[0m', '\x1b[1;31mred\x1b[0m'],
  ['cursor moves go', 'a\x1b[2A\x1b[Hb\x1b7c\x1b8', 'abc'],
  ['titles and links go', '\x1b]0;title\x07a\x1b]8;;https://x.example\x1b\\b', 'ab'],
  ['line ends stay', 'a\r\nb\tc\n', 'a\nb\tc\n'],
  ['of a progress line the last writing stays', '10 %\r50 %\r100 %\n', '100 %\n'],
  ['control characters go', 'a\x07\x08b\x9bc', 'abc'],
])('%s', (_name, text, expected) => expect(harmless(text)).toBe(expected));

test('whatever comes in, only colours are left', () => {
  const piece = fc.constantFrom(
    '\x1b',
    '[',
    ']',
    'P',
    '0',
    ';',
    'm',
    'H',
    '\x07',
    '\r',
    '\n',
    'x',
    '\\',
    '?',
    '\x9b',
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const rest = harmless(pieces.join('')).replace(/\x1b\[[\d;:]*m/g, '');

      expect(rest).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
    }),
  );
});
