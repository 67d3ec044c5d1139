import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editsBetween, type TextEdit } from './text-changes.ts';

function applied(text: string, edits: readonly TextEdit[]): string {
  return [...edits]
    .reverse()
    .reduce((now, { from, to, insert }) => now.slice(0, from) + insert + now.slice(to), text);
}

test('the edits make the other text', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 }).map((all) => all.join('\n'));
  fc.assert(
    fc.property(text, text, (before, after) => {
      expect(applied(before, editsBetween(before, after))).toBe(after);
    }),
  );
});

test('what lies between two changed lines is left alone', () => {
  expect(editsBetween('a\nb\nc\n', 'A\nb\nC\n')).toEqual([
    { from: 0, to: 2, insert: 'A\n' },
    { from: 4, to: 6, insert: 'C\n' },
  ]);
});

test('equal texts need no edit', () => {
  expect(editsBetween('a\n', 'a\n')).toEqual([]);
});
