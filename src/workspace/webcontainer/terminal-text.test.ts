import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TerminalText } from './terminal-text.ts';

function plain(...pieces: string[]): string {
  const text = new TerminalText();
  return [...pieces.map((piece) => text.add(piece)), text.end()].join('');
}

test.for([
  ['\x1b[1;31mred\x1b[0m\r\n', 'red\n'],
  ['10%\r20%\r\n', '10%\n20%\n'],
  ['\x1b]0;title\x07x\x1b]8;;http://a\x1b\\link', 'xlink'],
  ['\x1b[2K\x1b[1Gdone', 'done'],
  ['\x1b(Bplain\x1b=', 'plain'],
  ['[1m is text', '[1m is text'],
])('%j is %j', ([raw = '', shown]) => {
  expect(plain(raw)).toBe(shown);
});

test('what a text comes to does not hang on where it was cut', () => {
  const unit = fc.constantFrom(
    'a',
    'é',
    '🦄',
    '\r',
    '\n',
    '\r\n',
    '\x1b',
    '\x1b[',
    '3',
    ';',
    'm',
    ']',
    '\x07',
    '\\',
  );
  const cuts = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 6 });
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 40 }), cuts, (units, at) => {
      const text = units.join('');
      const places = [0, ...at.map((each) => Math.min(each, text.length)).sort((a, b) => a - b), text.length];
      const pieces = places.slice(1).map((end, index) => text.slice(places[index], end));
      expect(plain(...pieces)).toBe(plain(text));
    }),
    { numRuns: 2000 },
  );
});

test('a line break that is cut in two is one, with escapes in between too', () => {
  for (const pieces of [
    ['\r', '\n'],
    ['\r\x1b', 'a\n'],
    ['\r\x1b[m', '\n'],
    ['\r\x1b[m\x1b[', '1m\n'],
  ])
    expect(plain(...pieces)).toBe('\n');
});

test('an escape that never ends does not hold back what follows for ever', () => {
  const text = new TerminalText();
  expect(text.add(`\x1b]0;${'x'.repeat(5_000)}`).length).toBeGreaterThan(4_000);
});
