import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashBytes } from '../../base/hash.ts';
import { compareTrees, type FileVersion } from './compare.ts';
import { gitPatch } from './git-patch.ts';
import { withEditedRenames } from './similar.ts';
import type { SnapshotEntry } from '../workspace.ts';

type Item =
  | { readonly type: 'file'; readonly bytes: Uint8Array; readonly executable: boolean }
  | { readonly type: 'symlink'; readonly target: string };
type Tree = Readonly<Record<string, Item>>;

const bytes = (text: string) => new TextEncoder().encode(text);

const text = fc
  .array(fc.constantFrom('one', 'two', 'three', '', '\ttab ', 'ünï 😀', '--- a/x', '@@ -1 +1 @@', 'cr\r'), {
    maxLength: 30,
  })
  .chain((lines) => fc.constantFrom('', '\n').map((end) => bytes(lines.join('\n') + end)));
const item: fc.Arbitrary<Item> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ type: fc.constant('file' as const), bytes: text, executable: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('file' as const),
      bytes: fc.uint8Array({ maxLength: 300 }),
      executable: fc.constant(false),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('symlink' as const),
      target: fc.constantFrom('a.txt', '../x y'),
    }),
  },
);
const name = fc.constantFrom(
  'a.txt',
  'b',
  'c d.md',
  'é"\\.ts',
  'dir/a.txt',
  'dir/sub/e',
  'other/a.txt',
  'tab\there',
);
const tree: fc.Arbitrary<Tree> = fc.dictionary(name, item, { maxKeys: 7 });
const isBinary = ({ bytes: content }: Item & { type: 'file' }) => content.includes(0);

/** Trees that mostly agree, with contents that moved to another name, some of them edited. */
const trees = fc
  .tuple(tree, tree, fc.array(fc.tuple(name, name, fc.boolean()), { maxLength: 2 }))
  .map(([before, other, moves]) => {
    const after: Record<string, Item> = { ...before, ...other };
    for (const gone of Object.keys(after)) if (gone.length % 3 === 0 && !(gone in other)) delete after[gone];
    for (const [from, to, edited] of moves) {
      const moved = after[from];
      if (!moved || from === to) continue;
      after[to] =
        edited && moved.type === 'file' && !isBinary(moved)
          ? { ...moved, bytes: bytes(`${new TextDecoder().decode(moved.bytes)}\nedited`) }
          : moved;
      delete after[from];
    }
    return { before, after };
  });

function entriesOf(files: Tree): SnapshotEntry[] {
  return Object.entries(files).map(([path, each]) =>
    each.type === 'symlink'
      ? { path, type: 'symlink', target: each.target }
      : {
          path,
          type: 'file',
          mode: each.executable ? 0o755 : 0o644,
          modified: 0,
          size: each.bytes.length,
          hash: hashBytes(each.bytes),
        },
  );
}

function write(folder: string, files: Tree): void {
  for (const [path, each] of Object.entries(files)) {
    const full = join(folder, path);
    mkdirSync(dirname(full), { recursive: true });
    if (each.type === 'symlink') symlinkSync(each.target, full);
    else {
      writeFileSync(full, each.bytes);
      chmodSync(full, each.executable ? 0o755 : 0o644);
    }
  }
}

function read(folder: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue;
    const full = join(entry.parentPath, entry.name);
    const path = full.slice(folder.length + 1);
    if (entry.isSymbolicLink()) files[path] = `-> ${readlinkSync(full)}`;
    else files[path] = `${(lstatSync(full).mode & 0o100) !== 0} ${readFileSync(full).toString('base64')}`;
  }
  return files;
}

async function patchOf({ before, after }: { before: Tree; after: Tree }): Promise<string> {
  const contents = new Map<string, Uint8Array>();
  for (const each of [...Object.values(before), ...Object.values(after)])
    if (each.type === 'file') contents.set(hashBytes(each.bytes), each.bytes);
  const read = async (version: FileVersion) =>
    version.type === 'symlink' ? bytes(version.target) : (contents.get(version.hash) ?? new Uint8Array());
  return gitPatch(await withEditedRenames(compareTrees(entriesOf(before), entriesOf(after)), read), read);
}

test('native git applies the patch of any change, and the trees are equal', async () => {
  const place = mkdtempSync(join(tmpdir(), 'vitrine-patch-'));
  const [folder, wanted] = [join(place, 'tree'), join(place, 'wanted')];
  try {
    await fc.assert(
      fc.asyncProperty(trees, async (change) => {
        for (const each of [folder, wanted]) {
          rmSync(each, { recursive: true, force: true });
          mkdirSync(each);
        }
        write(folder, change.before);
        write(wanted, change.after);
        const patch = await patchOf(change);
        if (patch !== '')
          execFileSync('git', ['apply', '--whitespace=nowarn', '-'], {
            cwd: folder,
            input: patch,
            stdio: 'pipe',
          });
        expect(read(folder)).toEqual(read(wanted));
      }),
      { numRuns: 400 },
    );
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
});

test('a moved file is a rename, also with another mode, and nothing of its content is in the patch', async () => {
  const file = { type: 'file', bytes: bytes('secret lines\n'), executable: false } as const;
  const patch = await patchOf({
    before: { 'a.txt': file },
    after: { 'dir/a.txt': { ...file, executable: true } },
  });
  expect(patch).toBe(
    [
      'diff --git a/a.txt b/dir/a.txt',
      'old mode 100644',
      'new mode 100755',
      'similarity index 100%',
      'rename from a.txt',
      'rename to dir/a.txt',
      '',
    ].join('\n'),
  );
});

test('a file that was moved and edited is a rename with the lines that differ', async () => {
  const file = { type: 'file', bytes: bytes('one\ntwo\nthree\nfour\n'), executable: false } as const;
  const patch = await patchOf({
    before: { 'a.txt': file },
    after: { 'b.txt': { ...file, bytes: bytes('one\n2\nthree\nfour\n') } },
  });
  expect(patch).toBe(
    [
      'diff --git a/a.txt b/b.txt',
      'similarity index 78%',
      'rename from a.txt',
      'rename to b.txt',
      '--- a/a.txt',
      '+++ b/b.txt',
      '@@ -1,4 +1,4 @@',
      ' one',
      '-two',
      '+2',
      ' three',
      ' four',
      '',
    ].join('\n'),
  );
});
