import { plainChange } from '../diff/renames.ts';
import { Fatal } from '../kit/fatal.ts';
import type { Command, Git } from '../kit/git.ts';
import { subjectOf } from '../kit/message.ts';
import { whyUnknown } from '../kit/missing-path.ts';
import { aroundDashes, parse } from '../kit/options.ts';
import type { Repo } from '../kit/repo.ts';
import { resolveCommit, resolveTree, tryResolve } from '../kit/revisions.ts';
import { filesOf } from '../kit/trees.ts';
import { shownPath } from '../status/long.ts';
import { restore } from '../tree/restore.ts';
import { switchFiles } from '../tree/switch.ts';

export const reset: Command = async (git, args) => {
  const given = parse('reset', args, 'soft mixed hard merge keep q|quiet refresh recurse-submodules?');
  const repo = await git.repo();
  const [before, after] = aroundDashes(given);
  const [first] = before;
  const isRevision = first !== undefined && (await tryResolve(repo, first)) !== undefined;
  const words = [...before.slice(isRevision ? 1 : 0), ...(after ?? [])];
  if (first !== undefined && !isRevision && after === undefined)
    for (const word of words) {
      const isKnown =
        (await git.files.lstat(git.files.fs.resolvePath(git.cwd, word))) ??
        (await repo.index()).some(({ path }) => repo.pathspec([word]).matches(path));
      if (!isKnown) throw await whyUnknown(repo, word);
    }
  const mode = ['soft', 'hard', 'merge', 'keep'].find((each) => given.has(each)) ?? 'mixed';
  if (words.length > 0) {
    if (mode !== 'mixed') throw new Fatal(`Cannot do ${mode} reset with paths.`);
    await resetPaths(repo, isRevision ? first : 'HEAD', words);
  } else await resetTo(git, repo, isRevision ? first : 'HEAD', mode, given.has('quiet'));
  if (mode === 'mixed' && !given.has('quiet')) await showUnstaged(git, repo);
  return 0;
};

async function resetPaths(repo: Repo, word: string, words: readonly string[]): Promise<void> {
  const isUnborn = word === 'HEAD' && (await repo.refs.resolve('HEAD')) === undefined;
  const pathspec = repo.pathspec(words);
  if (isUnborn) return repo.saveIndex((await repo.index()).filter(({ path }) => !pathspec.matches(path)));
  const tree = await resolveTree(repo, word);
  const known = [
    ...(await filesOf(repo.objects, tree)).keys(),
    ...(await repo.index()).map(({ path }) => path),
  ];
  if (pathspec.unmatched(known) !== undefined) return;
  await restore(repo, pathspec, { tree, index: true, worktree: false, removes: true });
}

async function resetTo(git: Git, repo: Repo, word: string, mode: string, quiet: boolean): Promise<void> {
  const head = await repo.refs.head();
  if (head.oid === undefined && word === 'HEAD') {
    if (mode === 'soft') return;
    if (mode === 'hard') await switchFiles(repo, new Map(), new Map(), { what: 'reset', force: true });
    else await repo.saveIndex([]);
    return;
  }
  const oid = await resolveCommit(repo, word);
  const commit = await repo.objects.commit(oid);
  const inMerge = (await repo.readState('MERGE_HEAD')) !== undefined;
  if (mode === 'soft' && inMerge) throw new Fatal('Cannot do a soft reset in the middle of a merge.');
  await resetFiles(repo, commit.tree, mode);
  if (head.oid !== undefined) await repo.writeState('ORIG_HEAD', `${head.oid}\n`);
  await repo.refs.update('HEAD', oid, `reset: moving to ${word}`);
  await repo.endOperation();
  await repo.removeState('AUTO_MERGE');
  if (mode === 'hard' && !quiet) git.out(`HEAD is now at ${oid.slice(0, 7)} ${subjectOf(commit.message)}\n`);
}

/** Brings the index, and with some modes the working tree, to the files of a tree. */
export async function resetFiles(repo: Repo, tree: string, mode: string): Promise<void> {
  if (mode === 'soft') return;
  const files = await filesOf(repo.objects, tree);
  if (mode === 'hard')
    return switchFiles(repo, await repo.headFiles(), files, { what: 'reset', force: true });
  if (mode === 'merge' || mode === 'keep') {
    const unmerged = (await repo.index()).some(({ stage }) => stage > 0);
    return switchFiles(repo, await repo.headFiles(), files, { what: 'reset', force: unmerged });
  }
  const known = new Map(
    (await repo.index()).flatMap((entry) => (entry.stage === 0 ? [[entry.path, entry] as const] : [])),
  );
  await repo.saveIndex(
    [...files].map(([path, { mode: bits, oid }]) => {
      const entry = known.get(path);
      if (entry?.oid === oid && entry.mode === bits) return entry;
      return { path, mode: bits, oid, stage: 0, seconds: 0, nanoseconds: 0, inode: 0, size: 0 };
    }),
  );
}

async function showUnstaged(git: Git, repo: Repo): Promise<void> {
  const changes = (await repo.worktreePairs()).map(plainChange);
  if (changes.length === 0) return;
  git.out('Unstaged changes after reset:\n');
  for (const { status, path } of changes) git.out(`${status}\t${shownPath(repo, path)}\n`);
}
