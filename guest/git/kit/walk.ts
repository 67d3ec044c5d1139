import type { Commit } from './objects.ts';
import type { Pathspec } from './pathspec.ts';
import type { Repo } from './repo.ts';
import { BOTH, firstShared, hiddenFrom, insert, sidesOf } from './sides.ts';
import { treePairs } from './trees.ts';

export interface Walking {
  /** The ids of commits from which the walk begins, and of those whose history is left out. */
  readonly include: readonly string[];
  readonly exclude?: readonly string[];
  /** `date` is by time; `topo` and `dates-topo` show no parent before all of its children. */
  readonly order?: 'date' | 'topo' | 'dates-topo';
  readonly firstParent?: boolean;
  /** Shows commits that change something here; histories that make no difference are not followed. */
  readonly paths?: Pathspec;
  /** Follows every parent, also where one of them has the same files. */
  readonly full?: boolean;
}

/** All commits that these lead to. */
export async function reachable(repo: Repo, from: readonly string[]): Promise<Set<string>> {
  const seen = new Set<string>(from);
  let front = [...seen];
  while (front.length > 0) {
    const commits = await Promise.all(front.map((oid) => repo.objects.commit(oid)));
    front = [];
    for (const { parents } of commits)
      for (const parent of parents)
        if (!seen.has(parent)) {
          seen.add(parent);
          front.push(parent);
        }
  }
  return seen;
}

/** Walks the history from its newest commit on. */
export async function* walk(repo: Repo, how: Walking): AsyncGenerator<Commit> {
  if (how.order === 'topo' || how.order === 'dates-topo') {
    const all: Commit[] = [];
    for await (const commit of byDate(repo, how)) all.push(commit);
    yield* sorted(all, how);
  } else yield* byDate(repo, how);
}

async function* byDate(repo: Repo, how: Walking): AsyncGenerator<Commit> {
  const { include, exclude = [], firstParent, paths, full } = how;
  const hidden = await hiddenFrom(repo, include, exclude);
  const seen = new Set<string>();
  const queue: Commit[] = [];
  const add = async (oids: readonly string[]) => {
    const fresh = oids.filter((oid) => !seen.has(oid) && !hidden.has(oid));
    for (const oid of fresh) seen.add(oid);
    for (const commit of await Promise.all([...new Set(fresh)].map((oid) => repo.objects.commit(oid))))
      insert(queue, commit);
  };
  await add(include);
  for (let commit = queue.shift(); commit; commit = queue.shift()) {
    const parents = firstParent ? commit.parents.slice(0, 1) : commit.parents;
    if (!paths || paths.isEmpty) {
      yield commit;
      await add(parents);
      continue;
    }
    const same = await sameParent(repo, commit, parents, paths);
    if (same === 'differs') yield commit;
    await add(same === 'differs' || same === 'root' || full ? parents : [same.parent]);
  }
}

/** A commit whose files at the wanted paths equal those of a parent is explained by that parent alone. */
async function sameParent(
  repo: Repo,
  commit: Commit,
  parents: readonly string[],
  paths: Pathspec,
): Promise<'differs' | 'root' | { readonly parent: string }> {
  const differs = async (tree: string | undefined) =>
    (await treePairs(repo.objects, tree, commit.tree, paths)).length > 0;
  if (parents.length === 0) return (await differs(undefined)) ? 'differs' : 'root';
  for (const parent of parents) {
    if (!(await differs((await repo.objects.commit(parent)).tree))) return { parent };
  }
  return 'differs';
}

/** Sorts so that every commit comes before its parents. */
function sorted(commits: readonly Commit[], { order, include }: Walking): Commit[] {
  const byId = new Map(commits.map((commit) => [commit.oid, commit]));
  const children = new Map<string, number>(commits.map(({ oid }) => [oid, 0]));
  for (const { parents } of commits)
    for (const parent of parents) if (byId.has(parent)) children.set(parent, (children.get(parent) ?? 0) + 1);
  const tips = commits.filter(({ oid }) => children.get(oid) === 0);
  const ready = order === 'topo' ? tips.reverse() : [];
  if (order !== 'topo') for (const tip of tips) insert(ready, tip);
  const result: Commit[] = [];
  const take = () => (order === 'topo' ? ready.pop() : ready.shift());
  for (let commit = take(); commit; commit = take()) {
    result.push(commit);
    for (const oid of commit.parents) {
      const parent = byId.get(oid);
      if (!parent) continue;
      const left = (children.get(oid) ?? 0) - 1;
      children.set(oid, left);
      if (left > 0) continue;
      if (order === 'topo') ready.push(parent);
      else insert(ready, parent);
    }
  }
  return include.length > 0 ? result : [];
}

/** The best common ancestors of two commits: those that no other common ancestor leads to. */
export async function mergeBases(repo: Repo, one: string, other: string): Promise<string[]> {
  if (one === other) return [one];
  const shared = await firstShared(repo, one, other);
  if (shared.length < 2) return shared;
  // Which of several lead to another, and their order, only the whole history tells.
  const wanted = new Set(shared);
  const found: string[] = [];
  const below = new Set<string>();
  for await (const { oid } of walk(repo, { include: [one], order: 'dates-topo' })) {
    if (!wanted.has(oid) || below.has(oid)) continue;
    found.push(oid);
    for (const each of await reachable(repo, [oid])) below.add(each);
  }
  return found;
}

export async function isAncestor(repo: Repo, ancestor: string, of: string): Promise<boolean> {
  return ancestor === of || (await sidesOf(repo, [ancestor], [of])).get(ancestor) === BOTH;
}
