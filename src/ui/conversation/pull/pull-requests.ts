import { FaultError } from '../../../base/fault.ts';
import { shellWord } from '../../../base/shell-word.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import type { NewBranch } from './new-branch.ts';

/** The texts that the person wrote for a pull request. */
export interface PullRequestTexts {
  readonly title: string;
  readonly body: string;
  /** The branch that it should go into; empty for the default branch. */
  readonly base: string;
  readonly isDraft: boolean;
}

type Processes = Pick<Workspace, 'spawn'>;

/** The address of the open pull request of the branch, if there is one. */
export async function openPullRequest(workspace: Processes, of: NewBranch): Promise<string | undefined> {
  const lines = (await run(workspace, ['gh', 'pr', 'list', '--repo', of.repository])).split('\n');
  const line = lines.map((each) => each.split('\t')).find((fields) => fields.at(-2) === of.branch);
  const [number] = /^\d+$/.exec(line?.[0] ?? '') ?? [];
  return number === undefined ? undefined : `https://github.com/${of.repository}/pull/${number}`;
}

/** Subject and body of the newest commit of the branch, which is what a pull request of one commit says too. */
export async function proposedTexts(
  workspace: Processes,
  { branch }: NewBranch,
): Promise<Pick<PullRequestTexts, 'title' | 'body'>> {
  const message = await run(workspace, ['git', 'log', '-1', '--format=%B', `refs/heads/${branch}`, '--']);
  const [title = '', ...rest] = message.trim().split('\n');
  return { title, body: rest.join('\n').trim() };
}

/** Makes the pull request with the workspace's `gh`, and resolves to its address. Rejects with GitHub's reason. */
export async function createPullRequest(
  workspace: Processes,
  { repository, branch }: NewBranch,
  { title, body, base, isDraft }: PullRequestTexts,
): Promise<string> {
  const output = await run(workspace, [
    ...['gh', 'pr', 'create', '--repo', repository, '--head', branch, '--title', title, '--body', body],
    ...(base === '' ? [] : ['--base', base]),
    ...(isDraft ? ['--draft'] : []),
  ]);
  const [, number] = /\/pull\/(\d+)\s*$/.exec(output) ?? [];
  if (number === undefined) throw new FaultError({ code: 'pull-request-failed', what: output.trim() });
  // The address is made here, since what a program printed could lead anywhere.
  return `https://github.com/${repository}/pull/${number}`;
}

async function run(workspace: Processes, args: readonly string[]): Promise<string> {
  const process = workspace.spawn(args.map(shellWord).join(' '), { stdin: '' });
  let output = '';
  for await (const chunk of process.output) output += chunk;
  const { exitCode } = await process.exited;
  if (exitCode === 0) return output;
  const what = output.replace(/^(?:fatal|error): /gm, '').trim();
  throw new FaultError({ code: 'pull-request-failed', what: what || `${args[0]} ended without saying why.` });
}
