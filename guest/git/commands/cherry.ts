import { Fatal } from '../kit/fatal.ts';
import type { Command, Git } from '../kit/git.ts';
import { subjectOf } from '../kit/message.ts';
import type { Commit } from '../kit/objects.ts';
import { parse } from '../kit/options.ts';
import type { Repo } from '../kit/repo.ts';
import { resolveCommit, tryResolve, upstreamOf } from '../kit/revisions.ts';
import { walk } from '../kit/walk.ts';
import { patchId } from './rebase.ts';

const NO_UPSTREAM = `Could not find a tracked remote branch, please specify <upstream> manually.
usage: git cherry [-v] [<upstream> [<head> [<limit>]]]

    --abbrev[=<n>]        use <n> digits to display object names
    -v, --verbose         be verbose
`;

/** Lists the commits that are not upstream, and marks those whose changes are there in another commit. */
export const cherry: Command = async (git, args) => {
  const given = parse('cherry', args, 'v|verbose abbrev?');
  const repo = await git.repo();
  const { ref } = await repo.refs.head();
  const [upstream = ref && upstreamOf(repo, ref), head = 'HEAD', limit] = given.operands;
  if (upstream === undefined) throw new Fatal(NO_UPSTREAM, 129, '');
  const [theirs, ours] = [await commitNamed(repo, upstream), await commitNamed(repo, head)];
  const limits = limit === undefined ? [] : [await commitNamed(repo, limit)];
  const there = new Set<string>();
  for (const commit of await between(repo, theirs, [ours])) there.add(await patchId(git, repo, commit));
  for (const commit of await between(repo, ours, [theirs, ...limits]))
    git.out(await line(git, repo, commit, there, given.has('verbose'), idLength(given.value('abbrev'))));
  return 0;
};

function idLength(abbrev: string | undefined): number {
  return abbrev === undefined ? 40 : Number(abbrev || 7);
}

async function line(
  git: Git,
  repo: Repo,
  commit: Commit,
  there: ReadonlySet<string>,
  isVerbose: boolean,
  length: number,
): Promise<string> {
  const mark = there.has(await patchId(git, repo, commit)) ? '-' : '+';
  const subject = isVerbose ? ` ${subjectOf(commit.message)}` : '';
  return `${mark} ${commit.oid.slice(0, length)}${subject}\n`;
}

async function commitNamed(repo: Repo, word: string): Promise<string> {
  if ((await tryResolve(repo, word)) === undefined) throw new Fatal(`unknown commit ${word}`);
  return resolveCommit(repo, word);
}

/** The commits of one line of history that another does not have, the oldest first, without merges. */
async function between(repo: Repo, include: string, exclude: readonly string[]): Promise<Commit[]> {
  const found: Commit[] = [];
  for await (const commit of walk(repo, { include: [include], exclude }))
    if (commit.parents.length < 2) found.push(commit);
  return found.reverse();
}
