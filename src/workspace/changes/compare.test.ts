import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashText } from '../../base/hash.ts';
import type { SnapshotEntry } from '../workspace.ts';
import { compareTrees, kindOf } from './compare.ts';

function file(path: string, text: string, mode = 0o644): SnapshotEntry {
  return { path, type: 'file', mode, modified: 0, size: text.length, hash: hashText(text) };
}

const described = (before: readonly SnapshotEntry[], now: readonly SnapshotEntry[]) =>
  compareTrees(before, now).map(
    (change) => `${kindOf(change)} ${change.from ? `${change.from} > ` : ''}${change.path}`,
  );

test('files are added, removed, changed and renamed; folders and times do not count', () => {
  const before: SnapshotEntry[] = [
    { path: 'src', type: 'directory', mode: 0o755 },
    file('src/same', 'same'),
    file('src/edited', 'old'),
    file('src/gone', 'gone'),
    file('src/moved', 'moved'),
    { path: 'link', type: 'symlink', target: 'a' },
  ];
  const now: SnapshotEntry[] = [
    { ...file('src/same', 'same'), modified: 5 } as SnapshotEntry,
    file('src/edited', 'new'),
    file('lib/moved', 'moved'),
    file('new', 'new file'),
    { path: 'link', type: 'symlink', target: 'b' },
  ];
  expect(described(before, now)).toEqual([
    'renamed src/moved > lib/moved',
    'changed link',
    'added new',
    'changed src/edited',
    'removed src/gone',
  ]);
});

test('of several files with one content, the one of the same name is the origin; empty files have none', () => {
  const before = [file('a/x', 'twin'), file('a/y', 'twin'), file('e1', '')];
  const now = [file('b/y', 'twin'), file('e2', '')];
  expect(described(before, now)).toEqual(['removed a/x', 'renamed a/y > b/y', 'removed e1', 'added e2']);
});

test('the permission to execute counts, other modes do not', () => {
  expect(described([file('run', 'x', 0o644)], [file('run', 'x', 0o755)])).toEqual(['changed run']);
  expect(described([file('run', 'x', 0o644)], [file('run', 'x', 0o600)])).toEqual([]);
});

test('nothing is said about what is ignored in one of the lists', () => {
  const built: SnapshotEntry = { path: 'dist', type: 'ignored' };
  expect(described([file('dist/a/b', 'x'), file('kept', '1')], [built, file('kept', '2')])).toEqual([
    'changed kept',
  ]);
  expect(described([built], [file('dist/a/b', 'x'), file('distance', 'y')])).toEqual(['added distance']);
});

test('carried out, the changes make the first tree equal to the second', () => {
  const trees = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd/e'), fc.constantFrom('1', '2', ''), {
    maxKeys: 4,
  });
  const entries = (files: Record<string, string>) =>
    Object.entries(files).map(([path, text]) => file(path, text));
  fc.assert(
    fc.property(trees, trees, (before, now) => {
      const made = new Map(entries(before).map((entry) => [entry.path, entry]));
      const changes = compareTrees(entries(before), entries(now));
      for (const { path, from } of changes) {
        made.delete(path);
        if (from !== undefined) made.delete(from);
      }
      for (const { path, after } of changes) if (after) made.set(path, after);
      expect(new Map([...made].sort())).toEqual(
        new Map(
          entries(now)
            .map((entry) => [entry.path, entry] as const)
            .sort(),
        ),
      );
    }),
  );
});
