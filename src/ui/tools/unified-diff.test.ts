import { createTwoFilesPatch } from 'diff';
import { expect, test } from 'vitest';
import { parseUnifiedDiff } from './unified-diff.ts';

test('rows carry the line numbers of both sides', () => {
  const before = 'a\nb\nc\nd\ne\n';
  const after = 'a\nB\nc\nd\ne\nf\n';
  const { rows, added, removed } = parseUnifiedDiff(createTwoFilesPatch('x', 'x', before, after));
  expect({ added, removed }).toEqual({ added: 2, removed: 1 });
  expect(rows).toContainEqual({ kind: 'removed', old: 2, text: 'b' });
  expect(rows).toContainEqual({ kind: 'added', new: 2, text: 'B' });
  expect(rows).toContainEqual({ kind: 'added', new: 6, text: 'f' });
  expect(rows).toContainEqual({ kind: 'same', old: 5, new: 5, text: 'e' });
});

test('hunks that are apart are told apart', () => {
  const lines = Array.from({ length: 60 }, (_, i) => `line ${i}`);
  const changed = lines.map((line, i) => (i === 3 || i === 50 ? `${line}!` : line));
  const { rows } = parseUnifiedDiff(createTwoFilesPatch('x', 'x', lines.join('\n'), changed.join('\n')));
  expect(rows.filter((row) => row.kind === 'gap')).toHaveLength(1);
});

test('a removed line that looks like a file header is a removed line', () => {
  const { rows } = parseUnifiedDiff(createTwoFilesPatch('x', 'x', '-- a comment\nb\n', 'b\n'));
  expect(rows[0]).toEqual({ kind: 'removed', old: 1, text: '-- a comment' });
});

test('text that is no patch has no rows', () => {
  expect(parseUnifiedDiff('<b>hello</b>\nworld').rows).toEqual([]);
});
