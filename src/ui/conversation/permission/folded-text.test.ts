import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldText, type Piece } from './folded-text.ts';
import { showCommand } from './show-command.ts';

/** What a person sees before they open anything. */
function seen(text: string): string {
  return foldText(text)
    .pieces.map((piece) => {
      if (piece.kind === 'text') return piece.text;
      if (piece.kind === 'blanks') return `[${piece.breaks} breaks, ${piece.blanks} blanks]`;
      return `[${piece.lines} lines, ${piece.characters} characters]`;
    })
    .join('');
}

function opened(pieces: readonly Piece[]): string {
  return pieces.map((piece) => (piece.kind === 'middle' ? opened(piece.pieces) : piece.text)).join('');
}

test.each([
  ['a short text', 'echo hi', 'echo hi'],
  ['indentation', 'def a():\n    pass\n\n\nif x:\n\t\tpass\n', 'def a():\n    pass\n\n\nif x:\n\t\tpass\n'],
  ['line ends', `echo hi${'\n'.repeat(200)}rm -rf src`, 'echo hi[200 breaks, 0 blanks]rm -rf src'],
  ['lines of blanks', `echo hi${' \n'.repeat(200)}rm -rf src`, 'echo hi[200 breaks, 200 blanks]rm -rf src'],
  [
    'other blanks',
    `echo hi${'\t\u3000\u00a0'.repeat(500)}; rm -rf src`,
    'echo hi[0 breaks, 1500 blanks]; rm -rf src',
  ],
])('blanks that move what follows out of sight become a mark: %s', (_, text, shown) =>
  expect(seen(text)).toBe(shown),
);

test('a long text is its beginning and its end, and says how much is between them', () => {
  const letters = `echo ${'a'.repeat(3000)}; rm -rf src`;
  expect(seen(letters)).toMatch(/^echo a{155}\[0 lines, 2697 characters\]a{148}; rm -rf src$/);
  const lines = Array.from({ length: 50 }, (_, n) => `echo ${n}`).join('\n');
  expect(seen(lines)).toMatch(
    /^echo 0\necho 1\necho 2\necho 3\[43 lines, 331 characters\]echo 46\n[^]*echo 49$/,
  );
  expect(foldText(lines)).toMatchObject({ isFolded: true, lines: 50, characters: lines.length });
});

test('whatever is folded, opening it shows every character in its place', () => {
  const piece = fc.oneof(
    fc.string(),
    fc
      .constantFrom('\n', ' ', '\t', '\u3000', 'eсho')
      .chain((each) => fc.nat(300).map((times) => each.repeat(times))),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (texts) => {
      const text = texts.join('');
      expect(opened(foldText(text).pieces)).toBe(showCommand(text));
    }),
  );
});
