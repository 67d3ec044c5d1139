import { relative } from '../../shell/kit/relative.ts';
import type { Change } from '../diff/renames.ts';
import type { Git } from '../kit/git.ts';
import type { Painter } from '../kit/paint.ts';
import { quotePath } from '../kit/quote.ts';
import type { Repo } from '../kit/repo.ts';
import { detachedAt, type Status, type Tracking, type Unmerged } from './gather.ts';
import { progressOf } from './progress.ts';

/** A path as seen from the folder in which the command runs. */
export function shownPath(repo: Repo, path: string): string {
  if (repo.prefix === '') return quotePath(path);
  const isFolder = path.endsWith('/');
  const seen = relative(`/${repo.prefix.slice(0, -1)}`, `/${isFolder ? path.slice(0, -1) : path}`);
  return quotePath(seen === '.' ? './' : isFolder ? `${seen}/` : seen);
}

export interface LongOptions {
  readonly untracked: 'no' | 'normal' | 'all';
  readonly showsIgnored: boolean;
  /** `git commit` shows this status because there is nothing that it could commit. */
  readonly isForCommit?: boolean;
  /** The commit would have replaced the last one. */
  readonly isAmended?: boolean;
}

const LABELS: Readonly<Record<Change['status'], string>> = {
  A: 'new file:',
  C: 'copied:',
  D: 'deleted:',
  M: 'modified:',
  R: 'renamed:',
  T: 'typechange:',
  U: 'unmerged:',
};

const UNMERGED: readonly string[] = [
  '',
  'both deleted:',
  'added by us:',
  'deleted by them:',
  'added by them:',
  'deleted by us:',
  'both added:',
  'both modified:',
];

/** The lines about the upstream of a branch, each with its line end. */
export function trackingText({ name, counts }: Tracking): string {
  if (!counts)
    return `Your branch is based on '${name}', but the upstream is gone.\n  (use "git branch --unset-upstream" to fixup)\n`;
  const { ahead, behind } = counts;
  const commits = (count: number) => `${count} commit${count === 1 ? '' : 's'}`;
  if (ahead === 0 && behind === 0) return `Your branch is up to date with '${name}'.\n`;
  if (behind === 0)
    return `Your branch is ahead of '${name}' by ${commits(ahead)}.\n  (use "git push" to publish your local commits)\n`;
  if (ahead === 0)
    return `Your branch is behind '${name}' by ${commits(behind)}, and can be fast-forwarded.\n  (use "git pull" to update your local branch)\n`;
  return `Your branch and '${name}' have diverged,\nand have ${ahead} and ${behind} different commits each, respectively.\n  (use "git pull" to merge the remote branch into yours)\n`;
}

export async function longStatus(
  git: Git,
  repo: Repo,
  status: Status,
  options: LongOptions,
): Promise<string> {
  const painter = await git.painter('status');
  const progress = await progressOf(repo, status);
  const parts: string[] = [];
  if (progress?.title !== undefined) parts.push(`${progress.title}\n`);
  else if (status.branch !== undefined) parts.push(`On branch ${status.branch}\n`);
  else
    parts.push(
      `${painter.isOn ? painter.paint('red', 'HEAD detached') + (await detachedAt(repo)).slice(13) : await detachedAt(repo)}\n`,
    );
  if (status.tracking && status.head !== undefined && !progress?.title)
    parts.push(trackingText(status.tracking), '\n');
  if (progress) parts.push(...progress.lines.map((line) => `${line}\n`), '\n');
  if (status.head === undefined)
    parts.push(options.isForCommit ? '\nInitial commit\n\n' : '\nNo commits yet\n\n');
  const page = {
    repo,
    painter,
    status,
    isPlain: progress?.kind !== 'merge' && progress?.kind !== 'cherry-pick',
  };
  parts.push(stagedText(page), unmergedText(page), unstagedText(page));
  parts.push(
    othersText(page, 'Untracked files:', 'add', 'include in what will be committed', status.untracked),
  );
  if (options.showsIgnored)
    parts.push(
      othersText(page, 'Ignored files:', 'add -f', 'include in what will be committed', status.ignored),
    );
  const hasStaged = status.staged.length > 0;
  if (options.untracked === 'no' && hasStaged)
    parts.push('Untracked files not listed (use -u option to show untracked files)\n');
  if (options.isAmended) parts.push('No changes\n');
  else if (
    !hasStaged &&
    status.head === undefined &&
    status.untracked.length === 0 &&
    status.unstaged.length === 0 &&
    status.unmerged.length === 0
  )
    parts.push('nothing to commit (create/copy files and use "git add" to track)\n');
  else if (!hasStaged) parts.push(endText(status, options, progress?.kind === 'merge'));
  return parts.join('');
}

interface Page {
  readonly repo: Repo;
  readonly painter: Painter;
  readonly status: Status;
  /** Neither a merge nor a cherry-pick is under way. */
  readonly isPlain: boolean;
}

function endText({ unstaged, untracked, unmerged }: Status, options: LongOptions, isMerge: boolean): string {
  if (unstaged.length > 0 || unmerged.length > 0)
    return 'no changes added to commit (use "git add" and/or "git commit -a")\n';
  if (untracked.length > 0)
    return 'nothing added to commit but untracked files present (use "git add" to track)\n';
  if (isMerge) return '';
  if (options.untracked === 'no') return 'nothing to commit (use -u to show untracked files)\n';
  return 'nothing to commit, working tree clean\n';
}

function unstageHint({ status, isPlain }: Page): string {
  if (!isPlain) return '';
  return status.head === undefined
    ? '  (use "git rm --cached <file>..." to unstage)\n'
    : '  (use "git restore --staged <file>..." to unstage)\n';
}

function changeLine({ repo, painter }: Page, change: Change, colour: string): string {
  const from = change.from === change.path ? '' : `${shownPath(repo, change.from)} -> `;
  return `\t${painter.paint(colour, `${LABELS[change.status].padEnd(11)} ${from}${shownPath(repo, change.path)}`)}\n`;
}

function stagedText(page: Page): string {
  const { staged } = page.status;
  if (staged.length === 0) return '';
  return `Changes to be committed:\n${unstageHint(page)}${staged.map((change) => changeLine(page, change, 'green')).join('')}\n`;
}

function unmergedText(page: Page): string {
  const { unmerged } = page.status;
  if (unmerged.length === 0) return '';
  const bothDeleted = unmerged.some(({ stages }) => stages === 1);
  const oneDeleted = unmerged.some(({ stages }) => stages === 3 || stages === 5);
  const hint = oneDeleted
    ? 'use "git add/rm <file>..." as appropriate to mark resolution'
    : bothDeleted
      ? 'use "git rm <file>..." to mark resolution'
      : 'use "git add <file>..." to mark resolution';
  const line = ({ path, stages }: Unmerged) =>
    `\t${page.painter.paint('red', `${(UNMERGED[stages] ?? '').padEnd(16)} ${shownPath(page.repo, path)}`.replace(/^(.{15}) {2}/, '$1  '))}\n`;
  return `Unmerged paths:\n${unstageHint(page)}  (${hint})\n${unmerged.map(line).join('')}\n`;
}

function unstagedText(page: Page): string {
  const { unstaged } = page.status;
  if (unstaged.length === 0) return '';
  const word = unstaged.some(({ status }) => status === 'D') ? 'add/rm' : 'add';
  return `Changes not staged for commit:
  (use "git ${word} <file>..." to update what will be committed)
  (use "git restore <file>..." to discard changes in working directory)
${unstaged.map((change) => changeLine(page, change, 'red')).join('')}\n`;
}

function othersText(
  { repo, painter }: Page,
  title: string,
  command: string,
  why: string,
  paths: readonly string[],
): string {
  if (paths.length === 0) return '';
  const lines = paths.map((path) => `\t${painter.paint('red', shownPath(repo, path))}\n`);
  return `${title}\n  (use "git ${command} <file>..." to ${why})\n${lines.join('')}\n`;
}
