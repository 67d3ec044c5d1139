import { plainChange, withRenames, type Change } from '../diff/renames.ts';
import { readsBoth } from '../diff/show.ts';
import { refNamed, tryResolve, upstreamOf } from '../kit/revisions.ts';
import type { Pathspec } from '../kit/pathspec.ts';
import type { Repo } from '../kit/repo.ts';
import { filesOfIndex, pairsOf } from '../kit/trees.ts';
import { countSides } from '../kit/sides.ts';

/** Which stages of a conflict the index has, as bits: 1 for the ancestor, 2 for ours, 4 for theirs. */
export interface Unmerged {
  readonly path: string;
  readonly stages: number;
}

export interface Tracking {
  /** Such as `origin/main`. */
  readonly name: string;
  /** Undefined where the upstream is gone. */
  readonly counts: { readonly ahead: number; readonly behind: number } | undefined;
}

export interface Status {
  /** Undefined where HEAD is detached. */
  readonly branch: string | undefined;
  readonly head: string | undefined;
  readonly tracking: Tracking | undefined;
  readonly staged: readonly Change[];
  readonly unstaged: readonly Change[];
  readonly unmerged: readonly Unmerged[];
  readonly untracked: readonly string[];
  readonly ignored: readonly string[];
}

export interface Gathering {
  readonly untracked: 'no' | 'normal' | 'all';
  readonly ignored: boolean;
  readonly pathspec?: Pathspec;
  readonly renames: boolean;
}

export async function gather(repo: Repo, how: Gathering): Promise<Status> {
  const { pathspec } = how;
  const wanted = (path: string) => !pathspec || pathspec.matches(path);
  const [head, headFiles] = await Promise.all([repo.refs.head(), repo.headFiles()]);
  const pairs = await repo.worktreePairs(pathspec);
  const entries = await repo.index();
  const conflicts = new Map<string, number>();
  for (const { path, stage } of entries)
    if (stage > 0 && wanted(path)) conflicts.set(path, (conflicts.get(path) ?? 0) | (1 << (stage - 1)));
  const stagedPairs = pairsOf(headFiles, filesOfIndex(entries)).filter(
    ({ path }) => wanted(path) && !conflicts.has(path),
  );
  const staged = how.renames
    ? await withRenames(stagedPairs, readsBoth(repo, []))
    : stagedPairs.map(plainChange);
  const tracked = new Set(entries.map(({ path }) => path));
  const others =
    how.untracked === 'no'
      ? { untracked: [], ignored: [] }
      : await repo.worktree.untracked(tracked, repo.ignores, {
          all: how.untracked === 'all',
          ...(pathspec && {
            wanted: (path: string, isFolder: boolean) =>
              isFolder ? pathspec.mayMatchBelow(path) : wanted(path),
          }),
        });
  return {
    branch: head.ref?.replace(/^refs\/heads\//, ''),
    head: head.oid,
    tracking: head.ref === undefined ? undefined : await trackingOf(repo, head.ref),
    staged,
    unstaged: pairs.map(plainChange),
    unmerged: [...conflicts].map(([path, stages]) => ({ path, stages })),
    untracked: others.untracked,
    ignored: how.ignored ? others.ignored : [],
  };
}

/** How a branch stands to its upstream. */
export async function trackingOf(repo: Repo, branch: string): Promise<Tracking | undefined> {
  const upstream = upstreamOf(repo, branch);
  if (upstream === undefined) return undefined;
  const name = upstream.replace(/^refs\/(heads|remotes)\//, '');
  const [mine, theirs] = await Promise.all([repo.refs.resolve(branch), repo.refs.resolve(upstream)]);
  if (theirs === undefined || mine === undefined) return { name, counts: undefined };
  return { name, counts: await countsOf(repo, mine, theirs) };
}

export async function countsOf(repo: Repo, mine: string, theirs: string) {
  const { left, right } = await countSides(repo, mine, theirs);
  return { ahead: left, behind: right };
}

/** Where a detached HEAD is: the name under which it was checked out, and whether it is still there. */
export async function detachedAt(repo: Repo): Promise<string> {
  const head = await repo.refs.resolve('HEAD');
  const [last] = (await repo.refs.entries('HEAD')).flatMap(({ message, to }) => {
    const [, name] = /^checkout: moving from \S+ to (\S+)/.exec(message) ?? [];
    return name === undefined ? [] : [{ name, to }];
  });
  if (!last || head === undefined) return `HEAD detached at ${(head ?? '').slice(0, 7)}`;
  const ref = await refNamed(repo, last.name);
  const isNamed =
    ref !== undefined && ref !== 'HEAD' && (await tryResolve(repo, `${ref}^{commit}`)) === last.to;
  const shown = isNamed ? last.name.replace(/^refs\/(heads|tags|remotes)\//, '') : last.to.slice(0, 7);
  return `HEAD detached ${last.to === head ? 'at' : 'from'} ${shown}`;
}
