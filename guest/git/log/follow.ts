import type { DiffOptions } from '../diff/options.ts';
import type { Commit } from '../kit/objects.ts';
import { Pathspec } from '../kit/pathspec.ts';
import type { Repo } from '../kit/repo.ts';
import { walk } from '../kit/walk.ts';
import { changesIn } from './print.ts';

/** The commits that changed a file, also under the names that it had before. */
export async function* followed(
  repo: Repo,
  range: { readonly include: readonly string[]; readonly exclude: readonly string[] },
  path: string,
  options: DiffOptions,
): AsyncGenerator<Commit> {
  let name = path;
  for await (const commit of walk(repo, range)) {
    if (commit.parents.length > 1) continue;
    const own = new Pathspec([name], '', true);
    const changes = await changesIn(repo, commit, commit.parents[0], {
      ...options,
      filter: '',
      pickaxe: undefined,
    });
    const change = changes.find(({ path: at }) => own.matches(at));
    if (!change) continue;
    yield commit;
    name = change.from;
  }
}
