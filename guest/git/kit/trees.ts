import { comparePaths } from './bytes.ts';
import type { IndexEntry } from './index-file.ts';
import { EMPTY_TREE, MODE, encodeTree, type Objects, type TreeEntry } from './objects.ts';

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

/** The files that differ between two trees, in order. Subtrees with the same id are not read. */
export async function treePairs(
  objects: Objects,
  before: string | undefined,
  after: string | undefined,
  prefix = '',
): Promise<Pair[]> {
  if (before === after) return [];
  const [olds, news] = await Promise.all(
    [before, after].map((tree) => (tree === undefined ? [] : objects.tree(tree))),
  );
  const sides = new Map<string, [TreeEntry | undefined, TreeEntry | undefined]>();
  for (const entry of olds ?? []) sides.set(entry.name, [entry, undefined]);
  for (const entry of news ?? []) sides.set(entry.name, [sides.get(entry.name)?.[0], entry]);
  const pairs = await Promise.all(
    [...sides].map(async ([name, [old, now]]) => {
      if (old && now && old.oid === now.oid && old.mode === now.mode) return [];
      const path = `${prefix}${name}`;
      const subtree = (entry: TreeEntry | undefined) => (entry?.mode === MODE.tree ? entry.oid : undefined);
      const file = (entry: TreeEntry | undefined) =>
        entry && entry.mode !== MODE.tree ? { mode: entry.mode, oid: entry.oid } : undefined;
      const found: Pair[] = [];
      if (file(old) || file(now)) found.push({ path, before: file(old), after: file(now) });
      if (subtree(old) !== undefined || subtree(now) !== undefined)
        found.push(...(await treePairs(objects, subtree(old), subtree(now), `${path}/`)));
      return found;
    }),
  );
  return pairs.flat().sort((a, b) => comparePaths(a.path, b.path));
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
    const found = (await objects.tree(at.oid)).find((entry) => entry.name === name);
    if (!found) return undefined;
    at = found;
  }
  return { mode: at.mode, oid: at.oid };
}
