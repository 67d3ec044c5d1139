import type { DiffOptions } from '../diff/options.ts';
import { readsObjects, withRenames, type Change } from '../diff/renames.ts';
import { changesFor } from '../diff/show.ts';
import type { Commit } from '../kit/objects.ts';
import { Pathspec } from '../kit/pathspec.ts';
import type { Repo } from '../kit/repo.ts';
import { filesOf, treePairs } from '../kit/trees.ts';
import { walk } from '../kit/walk.ts';

/** A commit that changed the followed file, and its changes, under the name that the file had there. */
export interface Followed {
  readonly commit: Commit;
  readonly changes: readonly Change[];
}

/** The commits that changed a file, also under the names that it had before. */
export async function* followed(
  repo: Repo,
  range: { readonly include: readonly string[]; readonly exclude: readonly string[] },
  path: string,
  options: DiffOptions,
): AsyncGenerator<Followed> {
  const read = readsObjects(repo.objects);
  let name = path;
  for await (const commit of walk(repo, range)) {
    if (commit.parents.length > 1) continue;
    const own = new Pathspec([name], '', true);
    const [parent] = commit.parents;
    const before = parent === undefined ? undefined : (await repo.objects.commit(parent)).tree;
    const pairs = (await treePairs(repo.objects, before, commit.tree)).filter(({ path: at }) =>
      own.matches(at),
    );
    if (pairs.length === 0) continue;
    const changes = await changesFor(pairs, read, { ...options, filter: '', pickaxe: undefined });
    const isMade = pairs.some((pair) => pair.path === name && !pair.before);
    const origin = isMade ? await originOf(repo, before, commit, name, options) : undefined;
    yield { commit, changes: origin ? [origin] : changes };
    name = origin?.from ?? name;
  }
}

/** Looks for what a new file was made of among all files that were there before, also unchanged ones. */
async function originOf(
  repo: Repo,
  before: string | undefined,
  commit: Commit,
  name: string,
  { renames }: DiffOptions,
): Promise<Change | undefined> {
  const [olds, news] = [await filesOf(repo.objects, before), await filesOf(repo.objects, commit.tree)];
  const pairs = [...olds].map(([path, version]) => ({ path, before: version, after: news.get(path) }));
  const made = { path: name, before: undefined, after: news.get(name) };
  const how = { least: renames ?? 50, copies: true };
  const changes = await withRenames([...pairs, made], readsObjects(repo.objects), how);
  return changes.find(({ path, status }) => path === name && (status === 'R' || status === 'C'));
}
