import { Fatal, problem } from '../kit/fatal.ts';
import type { Git } from '../kit/git.ts';
import { cleanMessage, edited, subjectOf } from '../kit/message.ts';
import type { Commit } from '../kit/objects.ts';
import type { Repo } from '../kit/repo.ts';
import { resolveCommit } from '../kit/revisions.ts';
import { filesOf, filesOfIndex, writeTrees } from '../kit/trees.ts';
import { writeCommit } from '../kit/write-commit.ts';
import { commitSummary } from '../commands/commit.ts';
import { resetFiles } from '../commands/reset.ts';
import { switchFiles } from '../tree/switch.ts';
import { commitOn, conflictNote, pickChanges } from './pick.ts';
import { FOLDER, forgetStop, keepStop } from './stopped.ts';

const TODO = `${FOLDER}/git-rebase-todo`;
const DONE = `${FOLDER}/done`;

export interface Step {
  readonly command: string;
  /** The id of a commit, or what `exec` runs. */
  readonly argument: string;
  readonly rest: string;
}

const SHORT: Readonly<Record<string, string>> = {
  p: 'pick',
  r: 'reword',
  e: 'edit',
  s: 'squash',
  f: 'fixup',
  d: 'drop',
  x: 'exec',
  b: 'break',
};

export function stepsIn(text: string): Step[] {
  return text.split('\n').flatMap((line) => {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#') || trimmed === 'noop') return [];
    const [word = '', ...others] = trimmed.split(' ');
    const command = SHORT[word] ?? word;
    if (command === 'exec') return [{ command, argument: others.join(' '), rest: '' }];
    const [first = '', ...rest] = others[0] === '-C' || others[0] === '-c' ? others.slice(1) : others;
    return [{ command, argument: first, rest: rest.join(' ') }];
  });
}

export const stepText = ({ command, argument, rest }: Step): string =>
  `${[command, argument, rest].filter(Boolean).join(' ')}\n`;

export async function isRebasing(repo: Repo): Promise<boolean> {
  return repo.files.isFolder(`${repo.gitdir}/${FOLDER}`);
}

export interface Start {
  /** The full name of the branch, or `detached HEAD`. */
  readonly name: string;
  readonly from: string;
  readonly onto: string;
  readonly ontoName: string;
  readonly steps: readonly Step[];
}

export async function startRebase(
  git: Git,
  repo: Repo,
  { name, from, onto, ontoName, steps }: Start,
): Promise<number> {
  await repo.writeState(`${FOLDER}/head-name`, `${name}\n`);
  await repo.writeState(`${FOLDER}/onto`, `${onto}\n`);
  await repo.writeState(`${FOLDER}/orig-head`, `${from}\n`);
  await repo.writeState(`${FOLDER}/interactive`, '');
  await repo.writeState(`${FOLDER}/end`, `${steps.length}\n`);
  // Native git, when it goes on here, does as this one: it drops what has become empty, and a failed `exec` is not run again.
  await repo.writeState(`${FOLDER}/drop_redundant_commits`, '');
  await repo.writeState(`${FOLDER}/no-reschedule-failed-exec`, '');
  await repo.writeState(TODO, steps.map(stepText).join(''));
  await repo.writeState(`${TODO}.backup`, steps.map(stepText).join(''));
  await repo.writeState(DONE, '');
  await repo.writeState('ORIG_HEAD', `${from}\n`);
  const treeOf = async (oid: string) => filesOf(repo.objects, (await repo.objects.commit(oid)).tree);
  try {
    await switchFiles(repo, await treeOf(from), await treeOf(onto), { what: 'checkout' });
  } catch (error) {
    await repo.removeState(FOLDER);
    if (error instanceof Fatal)
      throw new Fatal(`${error.message}\nerror: could not detach HEAD`, 1, error.prefix);
    throw error;
  }
  await repo.refs.moveHead(onto, onto, `rebase (start): checkout ${ontoName}`);
  return runSteps(git, repo);
}

/** Takes the next steps until one stops, or all are done. */
export async function runSteps(git: Git, repo: Repo): Promise<number> {
  for (;;) {
    const [step, ...left] = stepsIn((await repo.readState(TODO)) ?? '');
    if (!step) return finish(git, repo);
    await repo.writeState(TODO, left.map(stepText).join(''));
    const done = ((await repo.readState(DONE)) ?? '') + stepText(step);
    await repo.writeState(DONE, done);
    const end = Number(await repo.readState(`${FOLDER}/end`));
    const count = done.trimEnd().split('\n').length;
    await repo.writeState(`${FOLDER}/msgnum`, `${count}\n`);
    await git.err(`Rebasing (${count}/${end})\r`);
    const code = await takeStep(git, repo, step, left[0]);
    if (code !== undefined) return code;
  }
}

/** Answers an exit code where the rebase stops here. */
async function takeStep(
  git: Git,
  repo: Repo,
  step: Step,
  next: Step | undefined,
): Promise<number | undefined> {
  if (step.command === 'drop' || step.command === 'label') return undefined;
  if (step.command === 'break') {
    await git.err('Stopped\n');
    return 0;
  }
  if (step.command === 'exec') {
    await git.err(`Executing: ${step.argument}\n`);
    await git.finish();
    const code = await git.call.run(['sh', '-c', step.argument], { cwd: repo.worktree.top });
    if (code === 0) return undefined;
    await git.err(
      `warning: execution failed: ${step.argument}\nYou can fix the problem, and then run\n\n  git rebase --continue\n\n\n`,
    );
    return 1;
  }
  if (!['pick', 'reword', 'edit', 'squash', 'fixup'].includes(step.command))
    throw problem(`invalid command '${step.command}'`);
  const oid = await resolveCommit(repo, step.argument);
  const commit = await repo.objects.commit(oid);
  const isJoined = isJoin(step.command);
  const head = await repo.refs.resolve('HEAD');
  if (!isJoined && commit.parents[0] === head && head !== undefined) {
    await forwardTo(repo, oid, step.command, commit.message);
  } else {
    const picked = await pickChanges(git, repo, commit, { reverts: false, isQuiet: true });
    const subject = subjectOf(commit.message);
    if (!picked.isClean) {
      await stop(git, repo, step, commit, picked.conflicts);
      return 1;
    }
    const parent = commit.parents[0];
    const wasEmpty = parent !== undefined && (await repo.objects.commit(parent)).tree === commit.tree;
    if (picked.isEmpty && !wasEmpty && !isJoined) {
      await git.err(`dropping ${oid} ${subject} -- patch contents already upstream\n`);
      return undefined;
    }
    if (isJoined) await join(git, repo, step.command, picked.tree, commit.message, next);
    else
      await commitOn(git, repo, {
        tree: picked.tree,
        author: commit.author,
        message: commit.message,
        log: `rebase (${step.command}): ${subject}`,
      });
  }
  return afterPick(git, repo, step, commit);
}

async function forwardTo(repo: Repo, oid: string, command: string, message: string): Promise<void> {
  const head = await repo.headFiles();
  await switchFiles(repo, head, await filesOf(repo.objects, (await repo.objects.commit(oid)).tree), {
    what: 'checkout',
  });
  await repo.refs.moveHead(oid, oid, `rebase (${command}): ${subjectOf(message)}`);
}

async function afterPick(git: Git, repo: Repo, step: Step, commit: Commit): Promise<number | undefined> {
  const { message } = commit;
  if (step.command === 'reword') {
    const text = cleanMessage(
      await edited(
        git,
        repo,
        'COMMIT_EDITMSG',
        message,
        'amend the message afterwards: git commit --amend -m',
      ),
      'strip',
    );
    await amend(git, repo, text, 'reword', { isTold: true });
  }
  if (step.command !== 'edit') return undefined;
  const oid = await repo.refs.resolve('HEAD');
  await keepStop(git, repo, { command: step.command, commit, message, amends: true });
  await git.err(
    `Stopped at ${(oid ?? '').slice(0, 7)}...  ${subjectOf(message)}\nYou can amend the commit now, with\n\n  git commit --amend \n\nOnce you are satisfied with your changes, run\n\n  git rebase --continue\n`,
  );
  return 0;
}

interface Amending {
  readonly tree?: string;
  /** Whether the commit is shown, as `git commit` shows one: where an editor was asked. */
  readonly isTold?: boolean;
}

async function amend(
  git: Git,
  repo: Repo,
  message: string,
  command: string,
  { tree, isTold = false }: Amending,
): Promise<void> {
  const head = await repo.headCommit();
  if (!head) return;
  const committer = await git.person('COMMITTER');
  const oid = await writeCommit(repo.objects, {
    tree: tree ?? head.tree,
    parents: head.parents,
    author: head.author,
    committer,
    message,
  });
  await repo.refs.update('HEAD', oid, `rebase (${command}): ${subjectOf(message)}`);
  if (isTold) await commitSummary(git, repo, oid, { showsDate: true });
}

const isJoin = (command: string | undefined): boolean => command === 'squash' || command === 'fixup';

/** The message so far of the commit that others are put into. */
async function heldMessage(repo: Repo): Promise<string> {
  return (await repo.readState(`${FOLDER}/message-squash`)) ?? (await repo.headCommit())?.message ?? '';
}

function joined(command: string, held: string, message: string): string {
  return command === 'squash' ? `${held.trimEnd()}\n\n${message}` : held;
}

/** Puts a commit into the one before it. The messages of a series are edited once, at its end. */
async function join(
  git: Git,
  repo: Repo,
  command: string,
  tree: string,
  message: string,
  next: Step | undefined,
): Promise<void> {
  const head = await repo.headCommit();
  if (!head) return;
  const text = joined(command, await heldMessage(repo), message);
  const isEnd = !isJoin(next?.command);
  const needsEditor = (await repo.readState(`${FOLDER}/needs-editor`)) !== undefined || command === 'squash';
  if (!isEnd) {
    await repo.writeState(`${FOLDER}/message-squash`, text);
    if (needsEditor) await repo.writeState(`${FOLDER}/needs-editor`, '');
    return amend(git, repo, text, command, { tree });
  }
  await repo.removeState(`${FOLDER}/message-squash`, `${FOLDER}/needs-editor`);
  const shown = needsEditor
    ? await edited(git, repo, 'COMMIT_EDITMSG', text, 'use fixup instead of squash, or set GIT_EDITOR=true')
    : text;
  await amend(git, repo, cleanMessage(shown, needsEditor ? 'strip' : 'whitespace'), command, {
    tree,
    isTold: needsEditor,
  });
}

/** Stops at a commit whose changes are in conflict with those before it. */
async function stop(
  git: Git,
  repo: Repo,
  { command }: Step,
  commit: Commit,
  conflicts: readonly string[],
): Promise<void> {
  const amends = isJoin(command);
  const held = amends ? await heldMessage(repo) : '';
  const message = amends ? joined(command, held, commit.message) : commit.message;
  await keepStop(git, repo, { command, commit, message, amends });
  await repo.writeState('MERGE_MSG', commit.message + conflictNote(conflicts));
  const name = `${commit.oid.slice(0, 7)}... ${subjectOf(commit.message)}`;
  await git.err(`error: could not apply ${name}
hint: Resolve all conflicts manually, mark them as resolved with
hint: "git add/rm <conflicted_files>", then run "git rebase --continue".
hint: You can instead skip this commit: run "git rebase --skip".
hint: To abort and get back to the state before "git rebase", run "git rebase --abort".
Could not apply ${name}
`);
}

export async function continueRebase(git: Git, repo: Repo): Promise<number> {
  const stopped = (await repo.readState(`${FOLDER}/stopped-sha`))?.trim();
  const entries = await repo.index();
  if (entries.some(({ stage }) => stage > 0)) {
    const path = entries.find(({ stage }) => stage > 0)?.path ?? '';
    git.out(
      `${path}: needs merge\nYou must edit all merge conflicts and then\nmark them as resolved using git add\n`,
    );
    return 1;
  }
  const tree = await writeTrees(repo.objects, filesOfIndex(entries));
  const head = await repo.headCommit();
  const command = (await repo.readState(`${FOLDER}/stopped-command`))?.trim() ?? 'pick';
  const message = cleanMessage((await repo.readState('MERGE_MSG')) ?? '', 'strip');
  const amends = (await repo.readState(`${FOLDER}/amend`)) !== undefined;
  if (stopped !== undefined && tree !== head?.tree && (!amends || isJoin(command))) {
    if (isJoin(command)) {
      const [next] = stepsIn((await repo.readState(TODO)) ?? '');
      await join(git, repo, command, tree, message, next);
    } else {
      const { author } = await repo.objects.commit(stopped);
      const made = await commitOn(git, repo, {
        tree,
        author,
        message,
        log: `rebase (continue): ${subjectOf(message)}`,
      });
      await commitSummary(git, repo, made, { showsDate: false });
    }
  } else if (head && tree !== head.tree && (amends || stopped === undefined))
    await amend(git, repo, head.message, 'continue', { tree });
  await forgetStop(repo);
  return runSteps(git, repo);
}

export async function skipStep(git: Git, repo: Repo): Promise<number> {
  const head = await repo.headCommit();
  await resetFiles(repo, head?.tree ?? '', 'hard');
  await forgetStop(repo);
  return runSteps(git, repo);
}

export async function abortRebase(repo: Repo): Promise<number> {
  const from = (await repo.readState(`${FOLDER}/orig-head`))?.trim() ?? '';
  const name = (await repo.readState(`${FOLDER}/head-name`))?.trim() ?? '';
  await resetFiles(repo, (await repo.objects.commit(from)).tree, 'hard');
  await repo.refs.moveHead(
    name.startsWith('refs/') ? name : from,
    from,
    `rebase (abort): returning to ${name.startsWith('refs/') ? name : from}`,
  );
  await repo.removeState(FOLDER, 'REBASE_HEAD', 'MERGE_MSG');
  return 0;
}

async function finish(git: Git, repo: Repo): Promise<number> {
  const name = (await repo.readState(`${FOLDER}/head-name`))?.trim() ?? '';
  const onto = (await repo.readState(`${FOLDER}/onto`))?.trim() ?? '';
  const oid = await repo.refs.resolve('HEAD');
  if (name.startsWith('refs/') && oid !== undefined) {
    const before = (await repo.refs.resolve(name)) ?? '';
    await repo.files.write(`${repo.gitdir}/${name}`, `${oid}\n`);
    if (before !== oid) await repo.refs.log(name, before, oid, `rebase (finish): ${name} onto ${onto}`);
    await repo.refs.moveHead(name, oid, `rebase (finish): returning to ${name}`);
  }
  await repo.removeState(FOLDER, 'REBASE_HEAD', 'MERGE_MSG');
  await git.err(`\rSuccessfully rebased and updated ${name.startsWith('refs/') ? name : 'detached HEAD'}.\n`);
  return 0;
}
