import type { Git } from '../kit/git.ts';
import { subjectOf } from '../kit/message.ts';
import type { Repo } from '../kit/repo.ts';
import { filesOf } from '../kit/trees.ts';
import { trackingOf } from '../status/gather.ts';
import { shownPath, trackingText } from '../status/long.ts';
import { pairsOf } from '../kit/trees.ts';
import { plainChange } from '../diff/renames.ts';
import { switchFiles } from './switch.ts';

export interface Move {
  /** The full name of a branch, or the id of a commit. */
  readonly to: string;
  /** The word under which it was asked for, for the log. */
  readonly name: string;
  /** Undefined for a branch that has no commit yet. */
  readonly oid: string | undefined;
  readonly force?: boolean;
  readonly isNew?: boolean;
  readonly isReset?: boolean;
  readonly quiet?: boolean;
}

async function describe(repo: Repo, oid: string): Promise<string> {
  return `${oid.slice(0, 7)} ${subjectOf((await repo.objects.commit(oid)).message)}`;
}

const shortName = (ref: string): string => ref.replace(/^refs\/heads\//, '');

/** Checks out a branch or commit and says so, as `git checkout` and `git switch` do. */
export async function moveTo(git: Git, repo: Repo, move: Move): Promise<void> {
  const head = await repo.refs.head();
  const before = await filesOf(
    repo.objects,
    head.oid === undefined ? undefined : (await repo.objects.commit(head.oid)).tree,
  );
  if (move.oid !== undefined && (move.oid !== head.oid || move.force)) {
    const after = await filesOf(repo.objects, (await repo.objects.commit(move.oid)).tree);
    await switchFiles(repo, before, after, { what: 'checkout', ...(move.force && { force: true }) });
  }
  const from = head.ref === undefined ? (head.oid ?? '') : shortName(head.ref);
  await repo.refs.moveHead(move.to, move.oid, `checkout: moving from ${from} to ${move.name}`);
  if (move.quiet) return;
  const isHere = move.isNew && move.oid === head.oid && !move.isReset;
  if (!isHere && (!move.force || move.oid === head.oid)) await showLocal(git, repo);
  const isBranch = move.to.startsWith('refs/heads/');
  if (head.ref === undefined && head.oid !== undefined && (isBranch || head.oid !== move.oid))
    await git.err(`Previous HEAD position was ${await describe(repo, head.oid)}\n`);
  if (!isBranch) {
    if (head.ref !== undefined && repo.config.flag('advice.detachedhead') !== false)
      await git.err(detachedText(move.name));
    if (move.oid !== undefined) await git.err(`HEAD is now at ${await describe(repo, move.oid)}\n`);
    return;
  }
  const name = shortName(move.to);
  if (move.isReset) await git.err(`Reset branch '${name}'\n`);
  else if (move.isNew) await git.err(`Switched to a new branch '${name}'\n`);
  else await git.err(move.to === head.ref ? `Already on '${name}'\n` : `Switched to branch '${name}'\n`);
  const tracking = move.isNew ? undefined : await trackingOf(repo, move.to);
  if (tracking) git.out(trackingText(tracking));
}

/** Lists what is changed against HEAD, one line a file. */
async function showLocal(git: Git, repo: Repo): Promise<void> {
  const files = await repo.headFiles();
  const now = new Map(
    (await repo.index()).flatMap(({ path, mode, oid, stage, intent }) =>
      stage === 0 && !intent ? [[path, { mode, oid }] as const] : [],
    ),
  );
  for (const { path, after } of await repo.worktreePairs()) {
    if (after) now.set(path, after);
    else now.delete(path);
  }
  for (const { status, path } of pairsOf(files, now).map(plainChange))
    git.out(`${status}\t${shownPath(repo, path)}\n`);
}

function detachedText(name: string): string {
  return `Note: switching to '${name}'.

You are in 'detached HEAD' state. You can look around, make experimental
changes and commit them, and you can discard any commits you make in this
state without impacting any branches by switching back to a branch.

If you want to create a new branch to retain commits you create, you may
do so (now or later) by using -c with the switch command. Example:

  git switch -c <new-branch-name>

Or undo this operation with:

  git switch -

Turn off this advice by setting config variable advice.detachedHead to false

`;
}
