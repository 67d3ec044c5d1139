import { expect, test } from 'vitest';
import { colourPieces } from './colour-pieces.ts';
import { parseUnifiedDiff } from './unified-diff.ts';

const piecesOf = (patch: string, path: string) => colourPieces(parseUnifiedDiff(patch).rows, path);

test('both versions of a hunk are coloured as the texts they are', () => {
  const patch = '@@ -1,3 +1,3 @@\n const a = `\n-one\r\n+two\n `;\n';
  expect(piecesOf(patch, 'src/a.ts')).toEqual([
    { language: 'typescript', text: 'const a = `\ntwo\n`;', rows: [0, 2, 3] },
    { language: 'typescript', text: 'const a = `\none\n`;', rows: [null, 1, null] },
  ]);
});

test('hunks are apart, and where nothing was removed one text is enough', () => {
  const patch = '@@ -1 +1,2 @@\n a\n+b\n@@ -9 +10,2 @@\n c\n+d\n';
  expect(piecesOf(patch, 'a.js')).toEqual([
    { language: 'javascript', text: 'a\nb', rows: [0, 1] },
    { language: 'javascript', text: 'c\nd', rows: [3, 4] },
  ]);
});

test('each file of a patch has its own language, and one without a language stays plain', () => {
  const files = ['--- a.py', '+++ a.py', '@@ -1 +1 @@', '-x', '+y', '--- b.unknown', '+++ b.unknown'];
  const patch = [...files, '@@ -1 +1 @@', '-x', '+y', '--- c.css', '+++ /dev/null', '@@ -1 +0,0 @@', '-z'];
  expect(piecesOf(patch.join('\n'), '').map(({ language, text }) => [language, text])).toEqual([
    ['python', 'y'],
    ['python', 'x'],
    ['css', 'z'],
  ]);
});
