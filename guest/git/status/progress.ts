import type { Repo } from '../kit/repo.ts';
import type { Status } from './gather.ts';

/** An operation that is under way in a repository, for the lines of `git status` about it. */
export interface Progress {
  readonly kind: 'merge' | 'rebase' | 'cherry-pick' | 'revert';
  /** The head of the status where it replaces the name of the branch. */
  readonly title?: string;
  readonly lines: readonly string[];
}

export async function progressOf(repo: Repo, { unmerged }: Status): Promise<Progress | undefined> {
  const hasConflicts = unmerged.length > 0;
  const rebase = await rebaseOf(repo, hasConflicts);
  if (rebase) return rebase;
  if ((await repo.readState('MERGE_HEAD')) !== undefined)
    return {
      kind: 'merge',
      lines: hasConflicts
        ? [
            'You have unmerged paths.',
            '  (fix conflicts and run "git commit")',
            '  (use "git merge --abort" to abort the merge)',
          ]
        : ['All conflicts fixed but you are still merging.', '  (use "git commit" to conclude merge)'],
    };
  for (const [kind, file, doing] of [
    ['cherry-pick', 'CHERRY_PICK_HEAD', 'cherry-picking'],
    ['revert', 'REVERT_HEAD', 'reverting'],
  ] as const) {
    const at = await repo.readState(file);
    if (at === undefined) continue;
    const fix = hasConflicts ? `fix conflicts and run` : 'all conflicts fixed: run';
    return {
      kind,
      lines: [
        `You are currently ${doing} commit ${at.slice(0, 7)}.`,
        `  (${fix} "git ${kind} --continue")`,
        `  (use "git ${kind} --skip" to skip this patch)`,
        `  (use "git ${kind} --abort" to cancel the ${kind} operation)`,
      ],
    };
  }
  return undefined;
}

async function rebaseOf(repo: Repo, hasConflicts: boolean): Promise<Progress | undefined> {
  const onto = (await repo.readState('rebase-merge/onto'))?.trim();
  if (onto === undefined) return undefined;
  const read = async (name: string) =>
    ((await repo.readState(`rebase-merge/${name}`)) ?? '')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
  const [done, todo, [name = '']] = await Promise.all([
    read('done'),
    read('git-rebase-todo'),
    read('head-name'),
  ]);
  const short = onto.slice(0, 7);
  const command = (line: string) => `   ${line.replace(/\b([0-9a-f]{40})\b/, (oid) => oid.slice(0, 7))}`;
  const shownDone = done.slice(-2).map(command);
  const shownTodo = todo.slice(0, 2).map(command);
  const plural = (count: number) => `${count} ${count === 1 ? 'command' : 'commands'}`;
  const branch = name.startsWith('refs/heads/') ? ` branch '${name.slice(11)}'` : '';
  const steps = [
    done.length === 1
      ? 'Last command done (1 command done):'
      : `Last commands done (${plural(done.length)} done):`,
    ...shownDone,
    ...(done.length > 2 ? ['  (see more in file .git/rebase-merge/done)'] : []),
    ...(todo.length === 0
      ? ['No commands remaining.']
      : [
          todo.length === 1
            ? 'Next command to do (1 remaining command):'
            : `Next commands to do (${todo.length} remaining commands):`,
          ...shownTodo,
          '  (use "git rebase --edit-todo" to view and edit)',
        ]),
  ];
  const state = hasConflicts
    ? [
        `You are currently rebasing${branch} on '${short}'.`,
        '  (fix conflicts and then run "git rebase --continue")',
        '  (use "git rebase --skip" to skip this patch)',
        '  (use "git rebase --abort" to check out the original branch)',
      ]
    : [
        `You are currently rebasing${branch} on '${short}'.`,
        '  (all conflicts fixed: run "git rebase --continue")',
      ];
  return {
    kind: 'rebase',
    title: `interactive rebase in progress; onto ${short}`,
    lines: [...steps, ...state],
  };
}
