import fc from 'fast-check';
import { expect, test } from 'vitest';
import { echoIn, WithoutEcho } from './without-echo.ts';

const cut = (text: string, size: number) => text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];

test('how a terminal shows the end of input is seen in what it printed', () => {
  expect(echoIn('@@n{"answer":"/tmp"}n@@')).toBe('');
  expect(echoIn('\x04@@n{}n@@')).toBe('\x04');
  expect(echoIn('(node:1) Warning\r\n^D\b\b@@n')).toBe('^D\b\b');
});

test('one echo is left out wherever it comes, however the output is cut', () => {
  const output = fc.string({ unit: fc.constantFrom('a', '^', 'D', '\b', '\n') });
  fc.assert(
    fc.property(
      output,
      output,
      fc.constantFrom('', '\x04', '^D', '^D\b\b'),
      fc.integer({ min: 1, max: 4 }),
      (before, after, echo, size) => {
        const filter = new WithoutEcho(echo);
        const shown =
          cut(before + echo + after, size)
            .map((piece) => filter.add(piece))
            .join('') + filter.end();
        const all = before + echo + after;
        const at = all.indexOf(echo);
        expect(shown).toBe(all.slice(0, at) + all.slice(at + echo.length));
      },
    ),
  );
});

test('an echo that never comes takes nothing away', () => {
  const filter = new WithoutEcho('^D');
  expect(filter.add('ready ^') + filter.end()).toBe('ready ^');
});
