import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hashBytes } from '../base/hash.ts';
import type { FileJournal, JournalChange, JournalContents, NodeMeta } from '../protocol/journal.ts';

/** Tests that every {@link FileJournal} must pass. `make` returns a function that opens one empty workspace, any number of times. */
export function fileJournalContract(name: string, make: () => Promise<() => FileJournal>): void {
  describe(`${name}: files`, () => {
    test('an empty workspace loads empty', async () => {
      const open = await make();
      expect(await tree(open())).toEqual({});
    });

    test('appended changes are there after reopening', async () => {
      const open = await make();
      const link: NodeMeta = { path: 'l', type: 'symlink', mode: 0o777, modified: 3, target: 'd/f' };
      await open().append([
        {
          op: 'put',
          node: { path: 'd', type: 'directory', mode: 0o755, modified: 1 },
          bytes: new Uint8Array(),
        },
        put('d/f', [1, 2, 3]),
        { op: 'put', node: link, bytes: new Uint8Array() },
        put('empty', []),
      ]);
      expect(await tree(open())).toEqual({
        d: { path: 'd', type: 'directory', mode: 0o755, modified: 1, content: [] },
        'd/f': { ...put('d/f', []).node, content: [1, 2, 3] },
        l: { ...link, content: [] },
        empty: { ...put('empty', []).node, content: [] },
      });
    });

    test('names are taken as they are', async () => {
      const open = await make();
      const names = ['a\nb', '<img src=x>', '..', '__proto__', 'é', '文', ' ', '\u0000', 'x'.repeat(5_000)];
      await open().append(names.map((path) => put(path, [1])));
      expect(Object.keys(await tree(open())).sort()).toEqual([...names].sort());
    });

    test('a removal takes everything below, and only that', async () => {
      const open = await make();
      const journal = open();
      await journal.append(['a', 'a/b', 'a/b/c', 'ab', 'a.txt'].map((path) => put(path, [1])));
      await journal.append([{ op: 'remove', path: 'a' }]);
      expect(Object.keys(await tree(open()))).toEqual(['ab', 'a.txt']);
    });

    test('contents stay stored after a reader transfers its copy', async () => {
      const open = await make();
      await open().append([put('a', [1, 2])]);
      const { packs, tail } = await open().load();
      const buffers = [
        ...packs.map(({ bytes }) => bytes.buffer),
        ...tail.flatMap((change) => (change.op === 'put' ? [change.bytes.buffer] : [])),
      ];
      structuredClone(buffers, { transfer: buffers });
      expect((await tree(open()))['a']?.content).toEqual([1, 2]);
    });

    test('contents that are stored apart are there by their hash, and the tree has only their names', async () => {
      const open = await make();
      await open().append([apart('node_modules/a', [1, 2]), apart('node_modules/b', [1, 2]), put('c', [3])]);
      const journal = open();
      const { stored, content } = (await tree(journal))['node_modules/b'] ?? {};
      expect(stored).toEqual({ hash: hashBytes(Uint8Array.of(1, 2)), size: 2 });
      // A journal that could not store it yet has it in the tree.
      expect([[], [1, 2]]).toContainEqual(content);
      expect(await journal.contents([stored?.hash ?? '', 'none'])).toEqual([Uint8Array.of(1, 2), undefined]);
    });

    test('a file that is stored apart is moved without its content', async () => {
      const open = await make();
      const moved = apart('node_modules/b', [7]);
      const journal = open();
      await journal.append([apart('node_modules/a', [7])]);
      await journal.append([
        { op: 'remove', path: 'node_modules/a' },
        { ...moved, bytes: new Uint8Array(0) },
      ]);
      const again = open();
      expect(Object.keys(await tree(again))).toEqual(['node_modules/b']);
      expect(await again.contents([moved.node.stored?.hash ?? ''])).toEqual([Uint8Array.of(7)]);
    });

    test('an import of many megabytes is stored completely', async () => {
      const open = await make();
      const changes = Array.from({ length: 40 }, (_, i) => ({
        ...put(`f${i}`, []),
        bytes: new Uint8Array(150_000).fill(i),
      }));
      await open().append(changes);
      const files = await tree(open());
      expect(Object.keys(files)).toHaveLength(40);
      expect(files['f39']?.content.every((byte) => byte === 39)).toBe(true);
    });

    test('any history loads as its resulting tree, even if it was reopened in between', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
          const open = await make();
          let journal = open();
          const model = new Map<string, readonly number[]>();
          for (const changes of steps) {
            if (changes.length === 0) journal = open();
            if (changes.length === 0) await journal.load();
            await journal.append(changes);
            for (const change of changes) apply(model, change);
          }
          const files = await tree(open());
          const contents = Object.entries(files).map(([path, { content }]) => [path, content] as const);
          expect(new Map(contents)).toEqual(model);
        }),
        { numRuns: 30 },
      );
    });
  });
}

const path = fc.constantFrom('a', 'a/b', 'a/b/c', 'a/d', 'ab', 'x', 'x/y');
const step = fc.array(
  fc.oneof(
    fc.tuple(path, fc.nat(9)).map(([at, byte]) => put(at, [byte])),
    path.map((at): JournalChange => ({ op: 'remove', path: at })),
  ),
  { maxLength: 6 },
);

function put(at: string, bytes: readonly number[]): Extract<JournalChange, { op: 'put' }> {
  return {
    op: 'put',
    node: { path: at, type: 'file', mode: 0o644, modified: 5 },
    bytes: Uint8Array.from(bytes),
  };
}

function apart(at: string, bytes: readonly number[]): Extract<JournalChange, { op: 'put' }> {
  const change = put(at, bytes);
  const stored = { hash: hashBytes(change.bytes), size: bytes.length };
  return { ...change, node: { ...change.node, stored } };
}

function apply(model: Map<string, readonly number[]>, change: JournalChange): void {
  if (change.op === 'put') {
    model.set(change.node.path, [...change.bytes]);
    return;
  }
  const { path: at } = change;
  for (const key of [...model.keys()]) if (isAt(key, at)) model.delete(key);
}

type Loaded = NodeMeta & { readonly content: readonly number[] };

async function tree(journal: FileJournal): Promise<Record<string, Loaded>> {
  const { packs, tail }: JournalContents = await journal.load();
  const files: Record<string, Loaded> = Object.create(null);
  for (const { entries, bytes } of packs)
    for (const { offset, length, ...meta } of entries) {
      expect(files[meta.path], `${meta.path} comes once`).toBeUndefined();
      files[meta.path] = { ...meta, content: [...bytes.subarray(offset, offset + length)] };
    }
  for (const change of tail) {
    if (change.op === 'put') files[change.node.path] = { ...change.node, content: [...change.bytes] };
    else for (const path of Object.keys(files)) if (isAt(path, change.path)) delete files[path];
  }
  return files;
}

function isAt(path: string, top: string): boolean {
  return path === top || path.startsWith(`${top}/`);
}
