import { Fatal, problem } from '../kit/fatal.ts';
import type { Git } from '../kit/git.ts';
import { cleanMessage, edited, subjectOf } from '../kit/message.ts';
import type { Given } from '../kit/options.ts';
import type { Repo } from '../kit/repo.ts';
import { resolveCommit } from '../kit/revisions.ts';
import { walk } from '../kit/walk.ts';
import { filesOfIndex, writeTrees } from '../kit/trees.ts';
import { status } from '../commands/status.ts';
import { commitSummary } from '../commands/commit.ts';
import { resetFiles } from '../commands/reset.ts';
import { rangeOf } from '../log/arguments.ts';
import { commitOn, conflictNote, pickChanges } from './pick.ts';

export type Kind = 'cherry-pick' | 'revert';

const TODO = 'sequencer/todo';
const HEAD = 'sequencer/head';
const SAFETY = 'sequencer/abort-safety';
const OPTIONS = 'sequencer/opts';

const stateOf = (kind: Kind): string => (kind === 'revert' ? 'REVERT_HEAD' : 'CHERRY_PICK_HEAD');

/** Runs `git cherry-pick` or `git revert`: a series of commits, each repeated or undone on top of HEAD. */
export async function sequence(git: Git, repo: Repo, given: Given, kind: Kind): Promise<number> {
  if (given.has('abort')) return abort(repo, kind);
  if (given.has('quit')) {
    await repo.removeState('sequencer', stateOf(kind), 'MERGE_MSG');
    return 0;
  }
  if (given.has('continue') || given.has('skip')) return goOn(git, repo, given, kind);
  if (given.operands.length === 0) throw new Fatal(`git ${kind} needs a commit`, 129, 'usage: ');
  const oids = await wanted(git, repo, given, kind);
  const head = await repo.refs.resolve('HEAD');
  if (!given.has('no-commit')) await expectClean(repo, kind);
  if (oids.length > 1 && !given.has('no-commit')) {
    await repo.writeState(HEAD, `${head ?? ''}\n`);
    await repo.writeState(TODO, await todoText(repo, oids, kind));
    const options = optionsText(given);
    if (options !== '') await repo.writeState(OPTIONS, options);
  }
  return run(git, repo, given, kind, oids);
}

async function expectClean(repo: Repo, kind: Kind): Promise<void> {
  const entries = await repo.index();
  if (entries.some(({ stage }) => stage > 0))
    throw problem(
      `${kind === 'revert' ? 'Reverting' : 'Cherry-picking'} is not possible because you have unmerged files.\nhint: Fix them up in the work tree, and then use 'git add/rm <file>'\nhint: as appropriate to mark resolution and make a commit.\nfatal: ${kind} failed`,
      128,
    );
  const head = await repo.headFiles();
  const isSame =
    entries.length === head.size && entries.every(({ path, oid }) => head.get(path)?.oid === oid);
  if (!isSame)
    throw problem(
      `your local changes would be overwritten by ${kind}.\nhint: commit your changes or stash them to proceed.\nfatal: ${kind} failed`,
      128,
    );
}

async function wanted(git: Git, repo: Repo, given: Given, kind: Kind): Promise<string[]> {
  const found: string[] = [];
  for (const word of given.operands) {
    if (!/\.\.|^\^/.test(word)) {
      found.push(await resolveCommit(repo, word));
      continue;
    }
    const range = await rangeOf(git, repo, { ...given, operands: [word], dashes: undefined });
    const inRange: string[] = [];
    for await (const { oid } of walk(repo, { include: range.include, exclude: range.exclude, order: 'topo' }))
      inRange.push(oid);
    found.push(...(kind === 'revert' ? inRange : inRange.reverse()));
  }
  if (found.length === 0) throw problem('empty commit set passed', 128);
  return found;
}

async function todoText(repo: Repo, oids: readonly string[], kind: Kind): Promise<string> {
  const lines = oids.map(async (oid) => {
    const { message } = await repo.objects.commit(oid);
    return `${kind === 'revert' ? 'revert' : 'pick'} ${oid} ${subjectOf(message)}\n`;
  });
  return (await Promise.all(lines)).join('');
}

/** The options that hold for what is left of a series, with the names that git keeps them by. */
const KEPT: readonly (readonly [option: string, kept: string])[] = [
  ['x', 'record-origin'],
  ['signoff', 'signoff'],
  ['allow-empty', 'allow-empty'],
  ['keep-redundant-commits', 'keep-redundant-commits'],
  ['edit', 'edit'],
];

function optionsText(given: Given): string {
  const lines = KEPT.filter(([option]) => given.has(option)).map(([, kept]) => `\t${kept} = true\n`);
  return lines.length === 0 ? '' : `[options]\n${lines.join('')}`;
}

async function keptOptions(repo: Repo): Promise<ReadonlySet<string>> {
  const text = (await repo.readState(OPTIONS)) ?? '';
  return new Set(
    KEPT.filter(([, kept]) => new RegExp(`^\\s*${kept} = true$`, 'm').test(text)).map(([option]) => option),
  );
}

async function run(git: Git, repo: Repo, given: Given, kind: Kind, oids: readonly string[]): Promise<number> {
  const isSeries = (await repo.readState(TODO)) !== undefined;
  for (const [at, oid] of oids.entries()) {
    if (isSeries) {
      await repo.writeState(TODO, await todoText(repo, oids.slice(at), kind));
      // Native git rewinds HEAD only where it finds it at the commit that is named here.
      await repo.writeState(SAFETY, `${(await repo.refs.resolve('HEAD')) ?? ''}\n`);
    }
    const code = await one(git, repo, given, kind, oid);
    if (code !== 0) return code;
  }
  await repo.removeState('sequencer');
  return 0;
}

async function one(git: Git, repo: Repo, given: Given, kind: Kind, oid: string): Promise<number> {
  const commit = await repo.objects.commit(oid);
  const subject = subjectOf(commit.message);
  const reverts = kind === 'revert';
  if (commit.parents.length > 1 && !given.has('mainline'))
    throw problem(`commit ${oid} is a merge but no -m option was given.\nfatal: ${kind} failed`, 128);
  const favour = given.values('strategy-option').find((each) => each === 'ours' || each === 'theirs');
  const mainline = given.value('mainline');
  const picked = await pickChanges(git, repo, commit, {
    reverts,
    ...(mainline !== undefined && { mainline: Number(mainline) }),
    ...((favour === 'ours' || favour === 'theirs') && { favour }),
  });
  const message = await messageFor(given, kind, oid, commit.message, commit.parents);
  if (given.has('no-commit')) {
    if (reverts) await repo.writeState(stateOf(kind), `${oid}\n`);
    await repo.writeState('MERGE_MSG', message + conflictNote(picked.conflicts));
    if (!picked.isClean) await complainConflict(git, kind, oid, subject);
    return picked.isClean ? 0 : 1;
  }
  if (!picked.isClean) {
    await repo.writeState(stateOf(kind), `${oid}\n`);
    await repo.writeState('MERGE_MSG', message + conflictNote(picked.conflicts));
    await complainConflict(git, kind, oid, subject);
    return 1;
  }
  const parentTree =
    commit.parents[0] === undefined ? undefined : (await repo.objects.commit(commit.parents[0])).tree;
  const wasEmpty = parentTree === commit.tree;
  if (picked.isEmpty && !(wasEmpty && given.has('allow-empty')) && !given.has('keep-redundant-commits'))
    return empty(git, repo, kind, oid, message);
  const author = reverts ? await git.person('AUTHOR') : commit.author;
  const text =
    given.has('edit') && !given.has('no-edit')
      ? cleanMessage(await edited(git, repo, 'COMMIT_EDITMSG', message, 'leave -e away'), 'strip')
      : message;
  const made = await commitOn(git, repo, {
    tree: picked.tree,
    author,
    message: text,
    log: `${kind}: ${subjectOf(text)}`,
  });
  await commitSummary(git, repo, made, { showsDate: true });
  return 0;
}

async function empty(git: Git, repo: Repo, kind: Kind, oid: string, message: string): Promise<number> {
  await repo.writeState(stateOf(kind), `${oid}\n`);
  await repo.writeState('MERGE_MSG', message);
  await git.err(
    `The previous ${kind} is now empty, possibly due to conflict resolution.\nIf you wish to commit it anyway, use:\n\n    git commit --allow-empty\n\nOtherwise, please use 'git ${kind} --skip'\n`,
  );

  await status(git, []);
  return 1;
}

async function messageFor(
  given: Given,
  kind: Kind,
  oid: string,
  message: string,
  parents: readonly string[],
): Promise<string> {
  if (kind === 'revert') {
    const subject = subjectOf(message);
    const merged =
      parents.length > 1
        ? `, reversing\nchanges made to ${parents[Number(given.value('mainline') ?? 1) - 1] ?? ''}`
        : '';
    return `Revert "${subject}"\n\nThis reverts commit ${oid}${merged}.\n`;
  }
  return given.has('x')
    ? `${message.trimEnd()}\n${/\n[A-Za-z][\w-]*: .*\s*$/.test(message) ? '' : '\n'}(cherry picked from commit ${oid})\n`
    : message;
}

async function complainConflict(git: Git, kind: Kind, oid: string, subject: string): Promise<void> {
  const verb = kind === 'revert' ? 'revert' : 'apply';
  await git.err(`error: could not ${verb} ${oid.slice(0, 7)}... ${subject}
hint: After resolving the conflicts, mark them with
hint: "git add/rm <pathspec>", then run
hint: "git ${kind} --continue".
hint: You can instead skip this commit with "git ${kind} --skip".
hint: To abort and get back to the state before "git ${kind}",
hint: run "git ${kind} --abort".
`);
}

async function goOn(git: Git, repo: Repo, given: Given, kind: Kind): Promise<number> {
  const at = (await repo.readState(stateOf(kind)))?.trim();
  const todo = await repo.readState(TODO);
  if (at === undefined && todo === undefined)
    throw problem(`no cherry-pick or revert in progress\nfatal: ${kind} failed`, 128);
  if (given.has('skip')) {
    const head = await repo.headCommit();
    await resetFiles(repo, head?.tree ?? '', 'hard');
  } else if (at !== undefined) {
    const entries = await repo.index();
    if (entries.some(({ stage }) => stage > 0))
      throw problem(
        `Committing is not possible because you have unmerged files.\nhint: Fix them up in the work tree, and then use 'git add/rm <file>'\nhint: as appropriate to mark resolution and make a commit.\nfatal: Exiting because of an unresolved conflict.`,
        128,
      );
    const message = cleanMessage((await repo.readState('MERGE_MSG')) ?? '', 'strip');
    const author = kind === 'revert' ? await git.person('AUTHOR') : (await repo.objects.commit(at)).author;
    const tree = await writeTrees(repo.objects, filesOfIndex(entries));
    const log =
      kind === 'revert' ? `commit: ${subjectOf(message)}` : `commit (cherry-pick): ${subjectOf(message)}`;
    const made = await commitOn(git, repo, { tree, author, message, log });
    await commitSummary(git, repo, made, { showsDate: true });
  }
  await repo.removeState(stateOf(kind), 'MERGE_MSG');
  const left = await Promise.all(
    (todo ?? '')
      .split('\n')
      .filter(Boolean)
      .slice(1)
      .map((line) => resolveCommit(repo, line.split(' ')[1] ?? '')),
  );
  const kept = await keptOptions(repo);
  return run(git, repo, { ...given, has: (name) => kept.has(name) || given.has(name) }, kind, left);
}

async function abort(repo: Repo, kind: Kind): Promise<number> {
  const start = (await repo.readState(HEAD))?.trim();
  const at = await repo.readState(stateOf(kind));
  if (start === undefined && at === undefined)
    throw problem(`no cherry-pick or revert in progress\nfatal: ${kind} failed`, 128);
  const oid = start ?? (await repo.refs.resolve('HEAD'));
  if (oid !== undefined) {
    await resetFiles(repo, (await repo.objects.commit(oid)).tree, 'merge');
    await repo.refs.update('HEAD', oid, `reset: moving to ${oid}`);
  }
  await repo.removeState('sequencer', stateOf(kind), 'MERGE_MSG', 'AUTO_MERGE');
  return 0;
}
