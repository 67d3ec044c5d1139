import { Fatal, problem } from '../kit/fatal.ts';
import type { Command, Git } from '../kit/git.ts';
import { edited, subjectOf } from '../kit/message.ts';
import type { Commit } from '../kit/objects.ts';
import { parse, type Given } from '../kit/options.ts';
import type { Repo } from '../kit/repo.ts';
import { branchNamed, commitOrBase, resolveCommit, tryResolve, upstreamOf } from '../kit/revisions.ts';
import { filesOfIndex, pairsOf } from '../kit/trees.ts';
import { isAncestor, walk } from '../kit/walk.ts';
import {
  abortRebase,
  continueRebase,
  isRebasing,
  skipStep,
  startRebase,
  stepsIn,
  stepText,
  type Step,
} from '../sequence/rebase.ts';
import { patchText } from '../sequence/stopped.ts';
import { moveTo } from '../tree/head.ts';

const WORDS = `no-rerere-autoupdate no-rebase-merges no-reschedule-failed-exec no-update-refs onto: i|interactive continue abort skip quit edit-todo show-current-patch autosquash no-autosquash autostash no-autostash
  q|quiet v|verbose f|force-rebase no-ff root X|strategy-option: s|strategy: m|merge apply keep-empty x|exec:
  fork-point no-fork-point n|no-stat stat reapply-cherry-picks S|gpg-sign? no-verify signoff`;

export const rebase: Command = async (git, args) => {
  const given = parse('rebase', args, WORDS);
  const repo = await git.repo();
  const isRunning = await isRebasing(repo);
  const resumes = ['continue', 'abort', 'skip', 'quit', 'show-current-patch', 'edit-todo'].find((name) =>
    given.has(name),
  );
  if (resumes !== undefined) {
    if (!isRunning) throw new Fatal('No rebase in progress?');
    if (resumes === 'continue') return continueRebase(git, repo);
    if (resumes === 'skip') return skipStep(git, repo);
    if (resumes === 'abort') return abortRebase(repo);
    if (resumes === 'quit') {
      await repo.removeState('rebase-merge');
      return 0;
    }
    throw problem(`--${resumes} is not there: edit .git/rebase-merge/git-rebase-todo`);
  }
  if (isRunning)
    throw new Fatal(
      'It seems that there is already a rebase-merge directory, and\nI wonder if you are in the middle of another rebase.  If that is the\ncase, please try\n\tgit rebase (--continue | --abort | --skip)',
    );
  await expectClean(repo);
  return begin(git, repo, given);
};

async function expectClean(repo: Repo): Promise<void> {
  const isDirty = (await repo.worktreePairs()).length > 0;
  const entries = await repo.index();
  const isStaged =
    pairsOf(await repo.headFiles(), filesOfIndex(entries)).length > 0 ||
    entries.some(({ stage }) => stage > 0);
  if (!isDirty && !isStaged) return;
  const lines = [
    ...(isDirty ? ['cannot rebase: You have unstaged changes.'] : []),
    ...(isStaged
      ? [
          isDirty
            ? 'additionally, your index contains uncommitted changes.'
            : 'cannot rebase: Your index contains uncommitted changes.',
        ]
      : []),
    'Please commit or stash them.',
  ];
  throw problem(lines.join('\nerror: '));
}

async function begin(git: Git, repo: Repo, given: Given): Promise<number> {
  const [first, branch] = given.has('root') ? [undefined, given.operands[0]] : given.operands;
  if (branch !== undefined) await enter(git, repo, branch);
  const head = await repo.refs.head();
  if (head.oid === undefined) throw new Fatal('there is no commit to rebase');
  const upstreamName = first ?? (given.has('root') ? undefined : head.ref && upstreamOf(repo, head.ref));
  if (upstreamName === undefined && !given.has('root'))
    throw new Fatal(
      "There is no tracking information for the current branch.\nPlease specify which branch you want to rebase against.\nSee git-rebase(1) for details.\n\n    git rebase '<branch>'\n",
      1,
      '',
    );
  if (upstreamName !== undefined && (await tryResolve(repo, upstreamName)) === undefined)
    throw new Fatal(`invalid upstream '${upstreamName}'`);
  const upstream = upstreamName === undefined ? undefined : await resolveCommit(repo, upstreamName);
  const ontoName = given.value('onto') ?? upstreamName;
  const onto = ontoName === undefined ? undefined : await commitOrBase(repo, ontoName);
  if (onto === undefined) throw problem('--root needs --onto here');
  const isInteractive = given.has('interactive');
  const commits = await commitsFor(git, repo, upstream, head.oid, given.has('reapply-cherry-picks'));
  const name = head.ref ?? 'detached HEAD';
  const isCurrent = (await isAncestor(repo, onto, head.oid)) && (await isLinear(repo, onto, commits));
  const isForced = given.has('force-rebase') || given.has('no-ff') || given.has('exec') || isInteractive;
  if (isCurrent && upstream !== undefined && !isForced && given.value('onto') === undefined) {
    git.out(
      `${head.ref === undefined ? 'HEAD' : `Current branch ${name.replace(/^refs\/heads\//, '')}`} is up to date.\n`,
    );
    return 0;
  }
  const steps = await stepsFor(git, repo, given, commits, {
    isInteractive,
    onto,
    from: upstream ?? onto,
    head: head.oid,
  });
  if (!steps) return 1;
  return startRebase(git, repo, { name, from: head.oid, onto, ontoName: ontoName ?? '', steps });
}

async function enter(git: Git, repo: Repo, name: string): Promise<void> {
  const branch = await branchNamed(repo, name);
  if (branch === undefined && (await tryResolve(repo, name)) === undefined)
    throw new Fatal(`no such branch/commit '${name}'`);
  const oid = await resolveCommit(repo, branch ?? name);
  await moveTo(git, repo, { to: branch ?? oid, name, oid, quiet: true });
}

async function isLinear(repo: Repo, onto: string, commits: readonly Commit[]): Promise<boolean> {
  let at = onto;
  for (const { parents, oid } of commits) {
    if (parents.length !== 1 || parents[0] !== at) return false;
    at = oid;
  }
  return at === (await repo.refs.resolve('HEAD'));
}

/** The commits that are to be repeated, oldest first. Those that upstream has already are left out. */
async function commitsFor(
  git: Git,
  repo: Repo,
  upstream: string | undefined,
  head: string,
  keeps: boolean,
): Promise<Commit[]> {
  const list = async (include: string, exclude: readonly string[]) => {
    const found: Commit[] = [];
    for await (const commit of walk(repo, { include: [include], exclude, order: 'topo' })) found.push(commit);
    return found.reverse().filter(({ parents }) => parents.length < 2);
  };
  const mine = await list(head, upstream === undefined ? [] : [upstream]);
  if (upstream === undefined || keeps) return mine;
  const theirs = new Set(
    await Promise.all((await list(upstream, [head])).map((commit) => patchId(git, repo, commit))),
  );
  if (theirs.size === 0) return mine;
  const kept: Commit[] = [];
  for (const commit of mine) {
    const id = await patchId(git, repo, commit);
    if (id === '' || !theirs.has(id)) kept.push(commit);
    else await git.err(`warning: skipped previously applied commit ${commit.oid.slice(0, 7)}\n`);
  }
  if (kept.length < mine.length)
    await git.err(
      'hint: use --reapply-cherry-picks to include skipped commits\nhint: Disable this message with "git config advice.skippedCherryPicks false"\n',
    );
  return kept;
}

/** The patch of a commit without the numbers of its lines. */
export async function patchId(git: Git, repo: Repo, commit: Commit): Promise<string> {
  return (await patchText(git, repo, commit)).replace(/^(@@|index) .*$/gm, '').replace(/\s+/g, '');
}

interface Plan {
  readonly isInteractive: boolean;
  readonly onto: string;
  readonly from: string;
  readonly head: string;
}

async function stepsFor(
  git: Git,
  repo: Repo,
  given: Given,
  commits: readonly Commit[],
  plan: Plan,
): Promise<Step[] | undefined> {
  let steps: Step[] = commits.map(({ oid, message }) => ({
    command: 'pick',
    argument: oid,
    rest: subjectOf(message),
  }));
  if (given.has('autosquash') || (repo.config.flag('rebase.autosquash') === true && plan.isInteractive))
    steps = squashed(steps);
  const execs = given.values('exec').map((argument) => ({ command: 'exec', argument, rest: '' }));
  if (execs.length > 0) steps = steps.flatMap((step) => [step, ...execs]);
  if (!plan.isInteractive) return steps;
  const shown =
    steps
      .map((step) =>
        stepText(step.command === 'exec' ? step : { ...step, argument: step.argument.slice(0, 7) }),
      )
      .join('') || 'noop\n';
  const short = (oid: string) => oid.slice(0, 7);
  const text = `${shown}\n# Rebase ${short(plan.from)}..${short(plan.head)} onto ${short(plan.onto)} (${steps.length} command${steps.length === 1 ? '' : 's'})\n`;
  const editor = git.env('GIT_SEQUENCE_EDITOR') ?? repo.config.get('sequence.editor');
  if (editor !== undefined) {
    await repo.writeState('rebase-merge/git-rebase-todo', text);
    await git.finish();
    const code = await git.call.run([
      'sh',
      '-c',
      `${editor} "$@"`,
      editor,
      `${repo.gitdir}/rebase-merge/git-rebase-todo`,
    ]);
    const changed = (await repo.readState('rebase-merge/git-rebase-todo')) ?? '';
    await repo.removeState('rebase-merge');
    if (code !== 0) throw problem(`There was a problem with the editor '${editor}'.`);
    steps = stepsIn(changed);
  } else {
    const changed = await edited(
      git,
      repo,
      'rebase-merge/git-rebase-todo',
      text,
      'set GIT_SEQUENCE_EDITOR to a command that edits the list, such as \'sed -i "2s/pick/squash/"\'',
    );
    await repo.removeState('rebase-merge');
    steps = stepsIn(changed);
  }
  if (steps.length === 0) {
    await git.err('error: nothing to do\n');
    return undefined;
  }
  return Promise.all(
    steps.map(async (step) =>
      ['exec', 'break'].includes(step.command)
        ? step
        : { ...step, argument: await resolveCommit(repo, step.argument) },
    ),
  );
}

/** Moves `fixup!` and `squash!` commits behind those that they are for. */
function squashed(steps: readonly Step[]): Step[] {
  const result: Step[] = [];
  for (const step of steps) {
    const [, kind, subject] = /^(fixup|squash)! (.*)$/.exec(step.rest) ?? [];
    const target =
      kind === undefined
        ? -1
        : result.findIndex(({ rest, argument }) => rest === subject || argument.startsWith(subject ?? '\0'));
    if (kind === undefined || target < 0) {
      result.push(step);
      continue;
    }
    let at = target + 1;
    while (/^(fixup|squash)$/.test(result[at]?.command ?? '')) at++;
    result.splice(at, 0, { ...step, command: kind });
  }
  return result;
}
