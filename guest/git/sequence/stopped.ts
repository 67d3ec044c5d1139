import type { Git } from '../kit/git.ts';
import type { Commit } from '../kit/objects.ts';
import type { Person } from '../kit/person.ts';
import type { Repo } from '../kit/repo.ts';
import { diffOptions } from '../diff/options.ts';
import { contentsOf, patchOf } from '../diff/patch.ts';
import { readsShown } from '../diff/renames.ts';
import { parse } from '../kit/options.ts';
import { changesIn } from '../log/print.ts';

export const FOLDER = 'rebase-merge';

/** Returns the changes of a commit as a patch. */
export async function patchText(git: Git, repo: Repo, commit: Commit): Promise<string> {
  const options = { ...(await diffOptions(git, parse('rebase', [], ''))), renames: undefined };
  const read = readsShown(repo);
  const texts: string[] = [];
  for (const change of await changesIn(repo, commit, commit.parents[0], options))
    texts.push(patchOf(change, await contentsOf(change, read), options));
  return texts.join('');
}

export interface Stop {
  readonly command: string;
  readonly commit: Commit;
  /** The message of the commit that is to be made. */
  readonly message: string;
  /** Whether going on changes the commit that HEAD is at. */
  readonly amends: boolean;
}

/** Keeps what git needs to go on after a stop: native git reads the same files. */
export async function keepStop(
  git: Git,
  repo: Repo,
  { command, commit, message, amends }: Stop,
): Promise<void> {
  const keep = (name: string, text: string) => repo.writeState(`${FOLDER}/${name}`, text);
  await keep('stopped-sha', `${commit.oid}\n`);
  await keep('stopped-command', `${command}\n`);
  await keep('author-script', authorScript(commit.author));
  await keep('message', message);
  await keep('patch', await patchText(git, repo, commit));
  if (amends) await keep('amend', `${(await repo.refs.resolve('HEAD')) ?? ''}\n`);
  await repo.writeState('REBASE_HEAD', `${commit.oid}\n`);
}

function authorScript({ name, email, time, zone }: Person): string {
  const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  return `GIT_AUTHOR_NAME=${quoted(name)}
GIT_AUTHOR_EMAIL=${quoted(email)}
GIT_AUTHOR_DATE=${quoted(`@${time} ${zone}`)}
`;
}

export async function forgetStop(repo: Repo): Promise<void> {
  const own = ['stopped-sha', 'stopped-command', 'author-script', 'message', 'patch', 'amend'];
  await repo.removeState(
    ...own.map((name) => `${FOLDER}/${name}`),
    'REBASE_HEAD',
    'MERGE_MSG',
    'CHERRY_PICK_HEAD',
  );
}
