import { problem } from '../kit/fatal.ts';
import type { IndexEntry } from '../kit/index-file.ts';
import type { Pathspec } from '../kit/pathspec.ts';
import type { Repo } from '../kit/repo.ts';
import { filesOf, type Version } from '../kit/trees.ts';

export interface Restoring {
  /** The tree to take files from; undefined takes them from the index. */
  readonly tree: string | undefined;
  readonly index: boolean;
  readonly worktree: boolean;
  /** Files that the tree does not have are removed; `git checkout TREE -- PATH` leaves them. */
  readonly removes: boolean;
  /** In a conflict: which side to take. */
  readonly side?: 2 | 3;
}

/** Puts files back. Answers how many paths were written. */
export async function restore(repo: Repo, pathspec: Pathspec, how: Restoring): Promise<number> {
  const entries = await repo.index();
  const own = new Map(entries.flatMap((entry) => (entry.stage === 0 ? [[entry.path, entry] as const] : [])));
  const source: ReadonlyMap<string, Version> =
    how.tree === undefined ? own : await filesOf(repo.objects, how.tree);
  const conflicts = new Set(entries.flatMap(({ path, stage }) => (stage > 0 ? [path] : [])));
  const unmatched = pathspec.unmatched([
    ...source.keys(),
    ...(how.removes || how.tree === undefined ? [...own.keys(), ...conflicts] : []),
  ]);
  if (unmatched !== undefined)
    throw problem(`pathspec '${unmatched}' did not match any file(s) known to git`);
  const wanted = new Map<string, Version>();
  for (const [path, version] of source) if (pathspec.matches(path)) wanted.set(path, version);
  if (how.tree === undefined)
    for (const path of conflicts) {
      if (!pathspec.matches(path)) continue;
      const side = entries.find((entry) => entry.path === path && entry.stage === how.side);
      if (!side)
        throw problem(
          `path '${path}' ${how.side === undefined ? 'is unmerged' : `does not have ${how.side === 2 ? 'our' : 'their'} version`}`,
        );
      wanted.set(path, side);
    }
  const gone = how.removes
    ? [...own.keys(), ...conflicts].filter((path) => pathspec.matches(path) && !wanted.has(path))
    : [];
  const count = how.worktree
    ? await writeChanged(repo, wanted, how.tree === undefined && how.side === undefined)
    : wanted.size;
  if (how.worktree) await repo.worktree.remove(gone);
  if (how.index) await replace(repo, wanted, gone, how.worktree);
  return count;
}

/** Writes the files that differ, and answers how many these are. */
async function writeChanged(
  repo: Repo,
  wanted: ReadonlyMap<string, Version>,
  fromIndex: boolean,
): Promise<number> {
  const changed = new Set((await repo.worktreePairs()).map(({ path }) => path));
  const entries = new Map((await repo.index()).map((entry) => [entry.path, entry]));
  const writes = [...wanted].filter(([path, { oid, mode }]) => {
    const entry = entries.get(path);
    return changed.has(path) || !entry || entry.oid !== oid || entry.mode !== mode || entry.stage > 0;
  });
  await Promise.all(writes.map(([path, version]) => repo.worktree.write(path, version, repo.objects)));
  if (!fromIndex || writes.length === 0) return writes.length;
  const stats = await repo.worktree.stats(writes.map(([path]) => path));
  const fresh = new Map<string, IndexEntry>();
  for (const [path, version] of writes)
    fresh.set(path, await repo.writtenEntry(path, version, stats.get(path)));
  await repo.saveIndex(
    [...entries.values()].length === (await repo.index()).length
      ? [...entries.values()].map((entry) => fresh.get(entry.path) ?? entry)
      : await repo.index(),
  );
  return writes.length;
}

async function replace(
  repo: Repo,
  wanted: ReadonlyMap<string, Version>,
  gone: readonly string[],
  isWritten: boolean,
): Promise<void> {
  const entries = await repo.index();
  const removed = new Set([...gone, ...wanted.keys()]);
  const known = new Map(
    entries.flatMap((entry) => (entry.stage === 0 ? [[entry.path, entry] as const] : [])),
  );
  const stats = await repo.worktree.stats(isWritten ? [...wanted.keys()] : []);
  const fresh = await Promise.all(
    [...wanted].map(async ([path, version]) => {
      const entry = known.get(path);
      if (entry?.oid === version.oid && entry.mode === version.mode && !entry.intent && !isWritten)
        return entry;
      if (isWritten) return repo.writtenEntry(path, version, stats.get(path));
      return {
        path,
        mode: version.mode,
        oid: version.oid,
        stage: 0,
        seconds: 0,
        nanoseconds: 0,
        inode: 0,
        size: 0,
      };
    }),
  );
  await repo.saveIndex([...entries.filter(({ path }) => !removed.has(path)), ...fresh]);
}
