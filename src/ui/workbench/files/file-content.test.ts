import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changedLines, contentOf, splitLines } from './file-content.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

test('text is told by its bytes, whatever the name', () => {
  expect(contentOf('a.png', bytes('<svg onload=alert(1)>'))).toMatchObject({ kind: 'text' });
  expect(contentOf('a.svg', bytes('<svg/>'))).toMatchObject({ kind: 'text' });
  expect(contentOf('a.txt', Uint8Array.of(104, 0, 105))).toEqual({ kind: 'binary' });
  expect(contentOf('a.txt', Uint8Array.of(0xff, 0xfe))).toEqual({ kind: 'binary' });
  expect(contentOf('a.PNG', Uint8Array.of(0x89, 0x50, 0))).toEqual({ kind: 'image', mediaType: 'image/png' });
  expect(contentOf('empty', new Uint8Array())).toMatchObject({ kind: 'text', text: '', lines: 1 });
});

test('a character cut where sniffing ends is still text', () => {
  for (let lead = 7996; lead <= 8000; lead += 1) {
    expect(contentOf('a', bytes(`${'x'.repeat(lead)}漢漢`)).kind).toBe('text');
  }
});

test('lines and columns are measured, wide characters and tabs as wide as they are shown', () => {
  expect(contentOf('a', bytes('one\nthree\n'))).toMatchObject({ lines: 2, columns: 5, large: false });
  expect(contentOf('a', bytes('漢字'))).toMatchObject({ columns: 4 });
  expect(contentOf('a', bytes('\tx'))).toMatchObject({ columns: 5 });
});

test('a long text, or a long line, is large', () => {
  expect(contentOf('a', bytes('x\n'.repeat(500_001)))).toMatchObject({ large: true });
  expect(contentOf('a', bytes('x'.repeat(20_001)))).toMatchObject({ large: true });
  expect(contentOf('a', bytes('x'.repeat(20_000)))).toMatchObject({ large: false });
});

test.each([
  ['same', 'a\nb', 'a\nb', null],
  ['one line', 'a\nb\nc', 'a\nB\nc', { from: 1, to: 2 }],
  ['added', 'a\nc', 'a\nb\nb\nc', { from: 1, to: 3 }],
  ['removed', 'a\nb\nc', 'a\nc', { from: 1, to: 1 }],
  ['appended', 'a\n', 'a\nb\n', { from: 1, to: 2 }],
])('changed lines: %s', (_name, before, after, expected) => {
  expect(changedLines(before, after)).toEqual(expected);
});

test('what lies outside the changed lines is the same', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1 }).map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const changed = changedLines(before, after) ?? { from: 0, to: 0 };
      const old = splitLines(before);
      const now = splitLines(after);
      expect(now.slice(0, changed.from)).toEqual(old.slice(0, changed.from));
      const tail = now.length - changed.to;
      expect(now.slice(changed.to)).toEqual(old.slice(old.length - tail));
    }),
  );
});
