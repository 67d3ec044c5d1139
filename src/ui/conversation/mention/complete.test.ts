import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mentionsIn } from '../../../session/calls/mentioned.ts';
import { mentionOf, typedAt } from './complete.ts';

test.each([
  ['see @', '', 4],
  ['see @src/a', 'src/a', 4],
  ['see @"a na', 'a na', 4],
  ['(@x', 'x', 1],
])('%s: a name is being typed', (text, query, start) => {
  expect(typedAt(text, text.length)).toEqual({ query, start, end: text.length });
});

test.each(['see @a b', 'me@example', '@"a" b', '`@a', "'@/x", 'nothing'])('%s: none is', (text) => {
  expect(typedAt(text, text.length)).toBeUndefined();
});

test('only what stands before the caret counts', () => {
  expect(typedAt('@add and more', 4)).toEqual({ query: 'add', start: 0, end: 4 });
});

test('whatever a file is called, what is put into the message names it', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (path) => {
      fc.pre(!/["\n\0]/.test(path));
      const [mention = []] = mentionsIn(`See ${mentionOf(path)} please`);
      expect(mention[0]).toEqual({ path });
    }),
  );
});
