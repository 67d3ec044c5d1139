import type { Git } from '../kit/git.ts';
import { subjectOf } from '../kit/message.ts';
import type { Commit } from '../kit/objects.ts';
import type { Person } from '../kit/person.ts';
import type { Repo } from '../kit/repo.ts';
import { filesOf, writeTrees } from '../kit/trees.ts';
import { writeCommit } from '../kit/write-commit.ts';
import { applyMerge } from '../merge/apply.ts';
import type { Favour } from '../merge/text.ts';
import { mergeTrees } from '../merge/trees.ts';

export interface Picking {
  /** Undoes the commit instead of repeating it. */
  readonly reverts: boolean;
  /** Which parent counts, for a merge; from 1. */
  readonly mainline?: number;
  readonly favour?: Favour;
  /** Says nothing of files that were merged without a conflict, as a rebase does. */
  readonly isQuiet?: boolean;
}

export interface Picked {
  readonly isClean: boolean;
  readonly tree: string;
  /** Whether the commit would change nothing. */
  readonly isEmpty: boolean;
  readonly conflicts: readonly string[];
}

/** Brings what a commit changes, or its reverse, into index and working tree. */
export async function pickChanges(git: Git, repo: Repo, commit: Commit, how: Picking): Promise<Picked> {
  const parent = commit.parents[(how.mainline ?? 1) - 1];
  const parentTree = parent === undefined ? undefined : (await repo.objects.commit(parent)).tree;
  const head = await repo.headCommit();
  const ours = await filesOf(repo.objects, head?.tree);
  const [own, before] = await Promise.all([
    filesOf(repo.objects, commit.tree),
    filesOf(repo.objects, parentTree),
  ]);
  const name = `${commit.oid.slice(0, 7)} (${subjectOf(commit.message)})`;
  const merged = await mergeTrees(
    repo.objects,
    how.reverts ? own : before,
    ours,
    how.reverts ? before : own,
    {
      labels: how.reverts
        ? { ours: 'HEAD', base: name, theirs: `parent of ${name}` }
        : { ours: 'HEAD', base: `parent of ${name}`, theirs: name },
      style: repo.config.get('merge.conflictstyle')?.endsWith('diff3') ? 'diff3' : 'merge',
      ...(how.favour && { favour: how.favour }),
    },
  );
  if (!how.isQuiet || merged.conflicts.length > 0) for (const line of merged.messages) git.out(`${line}\n`);
  await applyMerge(repo, ours, merged);
  const isClean = merged.conflicts.length === 0;
  const tree = isClean ? await writeTrees(repo.objects, merged.files) : '';
  return {
    isClean,
    tree,
    isEmpty: isClean && tree === head?.tree,
    conflicts: merged.conflicts.map(({ path }) => path),
  };
}

/** Makes a commit on top of HEAD. */
export async function commitOn(
  git: Git,
  repo: Repo,
  {
    tree,
    author,
    message,
    log,
  }: { readonly tree: string; readonly author: Person; readonly message: string; readonly log: string },
): Promise<string> {
  const head = await repo.refs.resolve('HEAD');
  const committer = await git.person('COMMITTER');
  const oid = await writeCommit(repo.objects, {
    tree,
    parents: head === undefined ? [] : [head],
    author,
    committer,
    message,
  });
  await repo.refs.update('HEAD', oid, log);
  return oid;
}

/** The comment in the message about what was in conflict. */
export function conflictNote(paths: readonly string[]): string {
  return paths.length === 0 ? '' : `\n# Conflicts:\n${paths.map((path) => `#\t${path}\n`).join('')}`;
}
