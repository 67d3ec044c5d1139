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

test('several files are told apart by name, a line that looks like a head of one is none', () => {
  const patch = [
    createTwoFilesPatch('a', 'b "ü"', '-- x\ny\n', '-- x\n++ z\n', undefined, undefined, { context: 0 }),
    createTwoFilesPatch('/dev/null', 'new', '', 'n\n'),
    createTwoFilesPatch('old', '/dev/null', 'o', ''),
  ].join('');
  const { rows, added, removed } = parseUnifiedDiff(patch);
  expect({ added, removed }).toEqual({ added: 2, removed: 2 });
  expect(rows).toEqual([
    { kind: 'file', from: 'a', to: 'b "ü"' },
    { kind: 'removed', old: 2, text: 'y' },
    { kind: 'added', new: 2, text: '++ z' },
    { kind: 'file', from: null, to: 'new' },
    { kind: 'added', new: 1, text: 'n' },
    { kind: 'file', from: 'old', to: null },
    { kind: 'removed', old: 1, text: 'o' },
  ]);
});

test('one file is named only where it is moved or removed', () => {
  const kinds = (from: string, to: string) =>
    parseUnifiedDiff(createTwoFilesPatch(from, to, 'a\n', 'b\n')).rows.map(({ kind }) => kind);
  expect(kinds('x', 'x')).toEqual(['removed', 'added']);
  expect(kinds('/dev/null', 'x')).toEqual(['removed', 'added']);
  expect(kinds('x', 'y')[0]).toBe('file');
  expect(kinds('x', '/dev/null')[0]).toBe('file');
});

test('text that is no patch has no rows', () => {
  expect(parseUnifiedDiff('<b>hello</b>\nworld').rows).toEqual([]);
});
