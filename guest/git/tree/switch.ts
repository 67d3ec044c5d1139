import { Fatal } from '../kit/fatal.ts';
import type { IndexEntry } from '../kit/index-file.ts';
import type { Repo } from '../kit/repo.ts';
import type { Version } from '../kit/trees.ts';

export interface Switching {
  /** Local changes are thrown away. */
  readonly force?: boolean;
  /** The command that the errors name as the one that would overwrite something, with the advice that goes with it. */
  readonly what: 'checkout' | 'merge' | 'reset';
}

const ADVICE: Readonly<Record<Switching['what'], readonly [changes: string, untracked: string]>> = {
  checkout: [
    'Please commit your changes or stash them before you switch branches.',
    'Please move or remove them before you switch branches.',
  ],
  merge: [
    'Please commit your changes or stash them before you merge.',
    'Please move or remove them before you merge.',
  ],
  reset: [
    'Please commit your changes or stash them before you reset.',
    'Please move or remove them before you reset.',
  ],
};

const isSame = (a: Version | undefined, b: Version | undefined): boolean =>
  a?.oid === b?.oid && a?.mode === b?.mode;

/**
 * Takes index and working tree from the files of one commit to those of another. What was changed locally stays where
 * the two commits agree; elsewhere nothing is done at all and the error names the files.
 */
export async function switchFiles(
  repo: Repo,
  from: ReadonlyMap<string, Version>,
  to: ReadonlyMap<string, Version>,
  how: Switching,
): Promise<void> {
  const changedPaths = new Set((await repo.worktreePairs()).map(({ path }) => path));
  const entries = await repo.index();
  const index = new Map(entries.filter(({ stage }) => stage === 0).map((entry) => [entry.path, entry]));
  const conflicts = new Set(entries.filter(({ stage }) => stage > 0).map(({ path }) => path));
  if (conflicts.size > 0 && !how.force) throw new Fatal(unmergedText([...conflicts]), 1, '');
  const writes = new Map<string, Version>();
  const removals: string[] = [];
  const dirty: string[] = [];
  const untracked: string[] = [];
  const result = new Map<string, IndexEntry>(how.force ? [] : index);
  for (const path of new Set([
    ...from.keys(),
    ...to.keys(),
    ...(how.force ? [...index.keys(), ...conflicts] : []),
  ])) {
    const [old, now, staged] = [from.get(path), to.get(path), index.get(path)];
    if (how.force) {
      if (now) {
        if (isSame(staged, now) && staged && !changedPaths.has(path)) result.set(path, staged);
        else writes.set(path, now);
      } else if (staged || conflicts.has(path)) removals.push(path);
      continue;
    }
    if (isSame(old, now) || isSame(staged, now)) continue;
    if (!isSame(staged, old)) dirty.push(path);
    else if (staged && changedPaths.has(path)) {
      const isGone = !(await repo.worktree.lstat(path));
      if (isGone && !now) removals.push(path);
      else if (isGone) writes.set(path, now ?? staged);
      else dirty.push(path);
    } else if (!staged && now && (await isInTheWay(repo, path, index))) untracked.push(path);
    else if (now) writes.set(path, now);
    else removals.push(path);
  }
  refuse(dirty, untracked, how);
  await repo.worktree.remove(removals);
  for (const path of removals) result.delete(path);
  await Promise.all([...writes].map(([path, version]) => repo.worktree.write(path, version, repo.objects)));
  const stats = await repo.worktree.stats([...writes.keys()]);
  for (const [path, version] of writes)
    result.set(path, await repo.writtenEntry(path, version, stats.get(path)));
  await repo.saveIndex([...result.values()]);
}

async function isInTheWay(repo: Repo, path: string, index: ReadonlyMap<string, unknown>): Promise<boolean> {
  const stat = await repo.files.lstat(repo.worktree.absolute(path));
  if (!stat || (await repo.ignores.ignores(path, stat.isDirectory))) return false;
  if (!stat.isDirectory) return true;
  // A folder of tracked files makes room; one with others in it does not.
  const { untracked } = await repo.worktree.untracked(new Set([...index.keys()]), repo.ignores, {
    all: true,
    wanted: (each) => each === path || each.startsWith(`${path}/`) || path.startsWith(`${each}/`),
  });
  return untracked.some((each) => each.startsWith(`${path}/`));
}

function refuse(dirty: readonly string[], untracked: readonly string[], { what }: Switching): void {
  if (dirty.length === 0 && untracked.length === 0) return;
  const list = (paths: readonly string[]) =>
    [...paths]
      .sort()
      .map((path) => `\t${path}\n`)
      .join('');
  const texts: string[] = [];
  if (dirty.length > 0)
    texts.push(
      `error: Your local changes to the following files would be overwritten by ${what}:\n${list(dirty)}${ADVICE[what][0]}\n`,
    );
  if (untracked.length > 0)
    texts.push(
      `error: The following untracked working tree files would be overwritten by ${what}:\n${list(untracked)}${ADVICE[what][1]}\n`,
    );
  throw new Fatal(`${texts.join('')}Aborting`, 1, '');
}

function unmergedText(paths: readonly string[]): string {
  return `${paths.map((path) => `${path}: needs merge\n`).join('')}error: you need to resolve your current index first`;
}
