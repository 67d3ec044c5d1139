import { comparePaths, utf8 } from './bytes.ts';
import { Fatal } from './fatal.ts';
import type { IndexEntry } from './index-file.ts';
import {
  EMPTY_TREE,
  MODE,
  encodeTree,
  sortKey,
  treeEntryAt,
  type Objects,
  type TreeEntry,
} from './objects.ts';
import type { Pathspec } from './pathspec.ts';

/** A file in a tree, in the index or in the working tree. */
export interface Version {
  readonly mode: number;
  readonly oid: string;
}

/** The two versions of a file that are compared; undefined where a side has none. */
export interface Pair {
  readonly path: string;
  readonly before: Version | undefined;
  readonly after: Version | undefined;
}

/** All files below a tree by their path, in git's order. */
export async function filesOf(
  objects: Objects,
  tree: string | undefined,
  prefix = '',
): Promise<Map<string, Version>> {
  const found = new Map<string, Version>();
  if (tree === undefined || tree === EMPTY_TREE) return found;
  const entries = await objects.tree(tree);
  const below = await Promise.all(
    entries.map((entry) =>
      entry.mode === MODE.tree ? filesOf(objects, entry.oid, `${prefix}${entry.name}/`) : undefined,
    ),
  );
  entries.forEach(({ mode, name, oid }, at) => {
    const inner = below[at];
    if (!inner) found.set(`${prefix}${name}`, { mode, oid });
    else for (const [path, file] of inner) found.set(path, file);
  });
  return found;
}

/** The files that differ between two trees, in order. Subtrees with the same id, and those without wanted paths, are not read. */
export async function treePairs(
  objects: Objects,
  before: string | undefined,
  after: string | undefined,
  paths?: Pathspec,
): Promise<Pair[]> {
  const found: Pair[] = [];
  await addPairs(objects, before, after, '', paths, found);
  return found.sort((a, b) => comparePaths(a.path, b.path));
}

const NO_TREE = new Uint8Array();

async function addPairs(
  objects: Objects,
  before: string | undefined,
  after: string | undefined,
  prefix: string,
  paths: Pathspec | undefined,
  found: Pair[],
): Promise<void> {
  if (before === after) return;
  const read = (tree: string | undefined) => (tree === undefined ? NO_TREE : objects.treeBytes(tree));
  const [olds, news] = await Promise.all([read(before), read(after)]);
  const file = (entry: TreeEntry | undefined) =>
    entry && entry.mode !== MODE.tree ? { mode: entry.mode, oid: entry.oid } : undefined;
  const subtree = (entry: TreeEntry | undefined) => (entry?.mode === MODE.tree ? entry.oid : undefined);
  await Promise.all(
    [...unlikeEntries(olds, news)].map(async ([name, [old, now]]) => {
      if (old && now && old.oid === now.oid && old.mode === now.mode) return;
      const path = `${prefix}${name}`;
      if ((file(old) || file(now)) && (!paths || paths.matches(path)))
        found.push({ path, before: file(old), after: file(now) });
      if (!paths || paths.mayMatchBelow(path))
        await addPairs(objects, subtree(old), subtree(now), `${path}/`, paths, found);
    }),
  );
}

/** The entries that two trees do not have in common, by name. Trees are compared as bytes, since most entries are the same. */
function unlikeEntries(
  before: Uint8Array,
  after: Uint8Array,
): Map<string, [TreeEntry | undefined, TreeEntry | undefined]> {
  const sides = new Map<string, [TreeEntry | undefined, TreeEntry | undefined]>();
  let [a, b] = [0, 0];
  while (a < before.length || b < after.length) {
    const same = commonEntry(before, a, after, b);
    if (same > 0) {
      [a, b] = [a + same, b + same];
      continue;
    }
    const old = a < before.length ? treeEntryAt(before, a) : undefined;
    const now = b < after.length ? treeEntryAt(after, b) : undefined;
    const order = !old ? 1 : !now ? -1 : comparePaths(sortKey(old), sortKey(now));
    if (old && order <= 0) {
      sides.set(old.name, [old, sides.get(old.name)?.[1]]);
      a = old.end;
    }
    if (now && order >= 0) {
      sides.set(now.name, [sides.get(now.name)?.[0], now]);
      b = now.end;
    }
  }
  return sides;
}

/** The length of the entry at these two places where it is the same in both, and otherwise 0. */
function commonEntry(one: Uint8Array, a: number, other: Uint8Array, b: number): number {
  let length = 0;
  for (; a + length < one.length && one[a + length] === other[b + length]; length++)
    if (one[a + length] === 0) break;
  if (a + length >= one.length || one[a + length] !== 0 || other[b + length] !== 0) return 0;
  for (const end = length + 20; length < end;) {
    length++;
    if (one[a + length] !== other[b + length]) return 0;
  }
  return length + 1;
}

export function pairsOf(before: ReadonlyMap<string, Version>, after: ReadonlyMap<string, Version>): Pair[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort(comparePaths);
  return paths.flatMap((path) => {
    const [old, now] = [before.get(path), after.get(path)];
    return old && now && old.oid === now.oid && old.mode === now.mode
      ? []
      : [{ path, before: old, after: now }];
  });
}

/** Writes the trees for these files, and answers the id of the top. Trees that exist already are not written. */
export async function writeTrees(
  objects: Objects,
  files: Iterable<readonly [path: string, Version]>,
): Promise<string> {
  interface Folder {
    readonly files: TreeEntry[];
    readonly folders: Map<string, Folder>;
  }
  const top: Folder = { files: [], folders: new Map() };
  for (const [path, { mode, oid }] of files) {
    const parts = path.split('/');
    const name = parts.pop() ?? '';
    let at = top;
    for (const part of parts) {
      const next = at.folders.get(part) ?? { files: [], folders: new Map() };
      at.folders.set(part, next);
      at = next;
    }
    at.files.push({ mode, name, oid });
  }
  const write = async (folder: Folder): Promise<string> => {
    const below = await Promise.all(
      [...folder.folders].map(async ([name, inner]) => ({ mode: MODE.tree, name, oid: await write(inner) })),
    );
    return objects.write('tree', encodeTree([...folder.files, ...below]));
  };
  return write(top);
}

/** The files of an index that are not in conflict. */
export function filesOfIndex(entries: readonly IndexEntry[]): Map<string, Version> {
  return new Map(
    entries.flatMap(({ path, mode, oid, stage, intent }) =>
      stage === 0 && !intent ? [[path, { mode, oid }] as const] : [],
    ),
  );
}

/** Finds a path in a tree; the empty path is the tree itself. */
export async function entryAt(objects: Objects, tree: string, path: string): Promise<Version | undefined> {
  let at: Version = { mode: MODE.tree, oid: tree };
  for (const name of path.split('/').filter(Boolean)) {
    if (at.mode !== MODE.tree) return undefined;
    const found = entryNamed(await objects.treeBytes(at.oid), name);
    if (!found) return undefined;
    at = found;
  }
  return { mode: at.mode, oid: at.oid };
}

/** Finds a name in a tree without reading the entries before it. */
function entryNamed(tree: Uint8Array, name: string): TreeEntry | undefined {
  const wanted = utf8(name);
  for (let at = 0; at < tree.length;) {
    const start = tree.indexOf(32, at) + 1;
    const end = tree.indexOf(0, start);
    if (start === 0 || end < 0) throw new Fatal('a tree is damaged');
    if (end - start === wanted.length && wanted.every((byte, index) => tree[start + index] === byte))
      return treeEntryAt(tree, at);
    at = end + 21;
  }
  return undefined;
}
