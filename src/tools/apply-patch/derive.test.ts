import { structuredPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { derive } from './derive.ts';
import { parsePatch } from './parse.ts';

/** Applies the body of one update to a text. */
function patched(original: string, ...body: string[]): string {
  const [change] = parsePatch(
    ['*** Begin Patch', '*** Update File: a.txt', ...body, '*** End Patch'].join('\n'),
  );
  if (change?.kind !== 'update') throw new Error('not an update');
  return derive(original, change.chunks, 'a.txt');
}

describe('the grammar', () => {
  test('every kind of file, in order', () => {
    const patch = [
      'apply_patch <<"EOF"',
      '*** Begin Patch',
      '*** Add File: new.txt',
      '+one',
      '',
      '+',
      '+two',
      '',
      '*** Delete File: old.txt',
      '*** Update File: from.txt',
      '*** Move to: to.txt',
      '@@ class A',
      '@@ def b',
      ' kept',
      '-gone',
      '+new',
      '*** End of File',
      '*** Update File: only moved.txt',
      '*** Move to: there.txt',
      '*** End Patch',
      'EOF',
    ].join('\r\n');
    expect(parsePatch(patch)).toEqual([
      { kind: 'add', path: 'new.txt', lines: ['one', '', '', 'two'] },
      { kind: 'delete', path: 'old.txt' },
      {
        kind: 'update',
        path: 'from.txt',
        moveTo: 'to.txt',
        chunks: [
          {
            contexts: ['class A', 'def b'],
            lines: [
              { kind: 'keep', text: 'kept' },
              { kind: 'remove', text: 'gone' },
              { kind: 'add', text: 'new' },
            ],
            atEnd: true,
          },
        ],
      },
      { kind: 'update', path: 'only moved.txt', moveTo: 'there.txt', chunks: [] },
    ]);
  });

  test.each([
    ['', 'must begin with'],
    ['*** Begin Patch\n*** End Patch', 'names no file'],
    ['*** Begin Patch\n*** Update File: a\n+x', 'must begin with'],
    ['*** Begin Patch\n+x\n*** End Patch', 'Line 2 of the patch is "+x"'],
    ['*** Begin Patch\n*** Add File: a\n+x\ny\n*** End Patch', 'Line 4 of the patch is "y"'],
    ['*** Begin Patch\n*** Update File: a\n@@\n x\ny\n*** End Patch', 'Line 5 of the patch is "y"'],
    ['*** Begin Patch\n*** Update File: a\n*** End Patch', 'changes nothing in a'],
    ['*** Begin Patch\n*** Update File: a\n x\n@@ def b\n*** End Patch', 'has no lines below it'],
    ['*** Begin Patch\n*** Delete File: a\n+x\n*** End Patch', 'Line 3 of the patch is "+x"'],
  ])('%j is refused with its line', (patch, says) => {
    expect(() => parsePatch(patch)).toThrow(says);
  });
});

describe('applying', () => {
  test('chunks apply in order, and contexts move the position', () => {
    const text = 'class A\n  def run\n    1\nclass B\n  def run\n    1\n';
    expect(patched(text, '@@ class B', '@@   def run', '-    1', '+    2')).toBe(
      'class A\n  def run\n    1\nclass B\n  def run\n    2\n',
    );
    expect(patched('x\na\nx\nb\n', '-x', '+1', ' a', '@@', '-x', '+2')).toBe('1\na\n2\nb\n');
  });

  test('line ranges of other formats are not taken for context', () => {
    expect(patched('a\nb\n', '@@ -1,2 +1,2 @@ nowhere', ' a', '-b', '+c')).toBe('a\nc\n');
  });

  test('lines without a position go to the end', () => {
    expect(patched('a\nb', '+c')).toBe('a\nb\nc\n');
    expect(patched('', '+c')).toBe('c\n');
  });

  test('End of File ties a chunk to the end', () => {
    expect(patched('x\na\nx\n', '-x', '+y', '*** End of File')).toBe('x\na\ny\n');
    expect(() => patched('x\na\n', '-x', '+y', '*** End of File')).toThrow('at the end of a.txt');
  });

  test('whitespace and typographic signs may differ; kept lines stay as they are in the file', () => {
    expect(patched('a  \n\tb “q” \u2013 c\nd\n', ' a', '-b "q" - c', '+new', ' d')).toBe('a  \nnew\nd\n');
  });

  test('an exact match is preferred to an earlier tolerant one', () => {
    expect(patched(' x\nx\n', '-x', '+y')).toBe(' x\ny\n');
  });

  test('an empty line at the end of a chunk may be the last line break', () => {
    expect(patched('a\nb\n', ' a', '-b', '+c', '', '@@', '+d')).toBe('a\nc\nd\n');
  });

  test('byte order mark and line endings stay', () => {
    expect(patched('\uFEFFa\r\nb\r\nc\n', '-a', '+1', '+2', ' b')).toBe('\uFEFF1\r\n2\r\nb\r\nc\n');
  });

  test('missing lines are quoted', () => {
    expect(() => patched('a\n', '@@ def b', '-a')).toThrow('  def b');
    expect(() => patched('a\nb\n', '-b', '@@', '-a')).toThrow('  a');
  });
});

/** The changes between two texts in the tool's own form, with `context` kept lines around each. */
function bodyOf(before: string, after: string, context: number): string[] {
  const { hunks } = structuredPatch('a', 'a', before, after, '', '', { context });
  return hunks.flatMap(({ lines }) => ['@@', ...lines.filter((line) => !line.startsWith('\\'))]);
}

const line = fc.oneof(
  fc.constantFrom('', ' ', 'a', '+b', '-c', '@@', '*** End Patch', '*** Update File: x', 'é\u{1F984}'),
  fc.string().map((text) => text.replace(/[\r\n]/g, '')),
);
const textOf = (lines: readonly string[]) => lines.map((each) => `${each}\n`).join('');

test('a kept empty line at the end of a patch counts if it has its space', () => {
  expect(patched('\n', '+a', ' ')).toBe('a\n\n');
});

describe('round trip', () => {
  test('a patch with the whole file turns one text into another', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.array(line, { maxLength: 30 }), (from, to) => {
        const [before, after] = [textOf(from), textOf(to)];
        fc.pre(before !== after);
        expect(patched(before, ...bodyOf(before, after, 100))).toBe(after);
      }),
    );
  });

  test('so does one with three lines around each change, where lines differ', () => {
    const lines = fc.uniqueArray(fc.stringMatching(/^[a-z]{4,8}$/), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(
        lines,
        fc.array(fc.tuple(fc.nat(59), fc.constantFrom('drop', 'put', 'both')), { minLength: 1 }),
        (from, edits) => {
          const to = [...from];
          for (const [index, [at, how]] of edits.entries())
            to.splice(at % from.length, how === 'put' ? 0 : 1, ...(how === 'drop' ? [] : [`NEW ${index}`]));
          const [before, after] = [textOf(from), textOf(to)];
          fc.pre(before !== after);
          expect(patched(before, ...bodyOf(before, after, 3))).toBe(after);
        },
      ),
    );
  });
});
