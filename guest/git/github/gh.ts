import { readAll } from '../../shell/kit/io.ts';
import type { ProgramCall } from '../../shell/program.ts';
import { asText } from '../kit/bytes.ts';
import { Fatal } from '../kit/fatal.ts';
import { Git } from '../kit/git.ts';
import { parse, type Given } from '../kit/options.ts';
import { gitHubName, type GitHubName } from './address.ts';
import { Api } from './api.ts';
import { listOf, objectOf, textOf, type Json } from './json.ts';
import { remoteAddress } from '../transfer/addresses.ts';

const USAGE = `gh has these commands here; git does the rest:
  gh auth status
  gh repo clone OWNER/NAME [DIRECTORY]
  gh pr create --title TEXT --body TEXT [--base BRANCH] [--head BRANCH] [--draft] [--fill]
  gh pr list [--state open|closed|merged|all] [--head BRANCH] [--limit NUMBER]
`;

const AUTH = `github.com
  Requests of git and gh go out through the page. It adds the GitHub token of Settings, Tools and servers, after asking the user for each
  repository. Programs do not see the token, and are not told whether there is one.
`;

/** The part of GitHub's `gh` that goes with pushing a branch. */
export async function gh(call: ProgramCall): Promise<number> {
  const git = new Git(call, {
    ...{ cwd: call.cwd, settings: [], gitDir: undefined, workTree: undefined },
    ...{ isBare: false, usesPager: false },
  });
  const [topic, verb, ...args] = call.args;
  const code = await commandOf(git, `${topic ?? ''} ${verb ?? ''}`.trim(), args);
  await git.finish();
  return code;
}

async function commandOf(git: Git, name: string, args: readonly string[]): Promise<number> {
  switch (name) {
    case 'auth status':
      git.out(AUTH);
      return 0;
    case 'repo clone': {
      const [repository = '', ...rest] = args.filter((arg) => arg !== '--');
      const url = /^[\w.-]+\/[\w.-]+$/.test(repository) ? `https://github.com/${repository}` : repository;
      return git.call.run(['git', 'clone', url, ...rest]);
    }
    case 'pr create':
      return create(git, args);
    case 'pr list':
      return list(git, args);
    case '--version':
    case 'version':
      git.out('gh version 2.40.0 (Vitrine)\n');
      return 0;
    case '':
    case 'help':
    case '--help':
      git.out(USAGE);
      return 0;
  }
  throw new Fatal(`gh: '${name}' is not there in this workspace.\n${USAGE}`.trimEnd(), 1, '');
}

/** Labels, reviewers and the like are refused, because a pull request would be made without them. */
const CREATE =
  't|title: b|body: F|body-file: B|base: H|head: d|draft f|fill fill-first R|repo: no-maintainer-edit';

/** Makes a pull request of a branch that has been pushed, and prints its address. */
async function create(git: Git, args: readonly string[]): Promise<number> {
  const given = parse('pr create', args, CREATE);
  const api = await apiOf(git, given);
  const head = given.value('head') ?? (await branchOf(git));
  const base = given.value('base') ?? textOf((await api.about()).default_branch);
  if (head === base)
    throw new Fatal(
      `the pull request would be from ${head} into itself: switch to a branch of your own first`,
      1,
      '',
    );
  const { title, body } = await textsOf(git, given);
  const answer = await api.send('/pulls', 'POST', {
    ...{ title, body, head, base, draft: given.has('draft') },
    ...(given.has('no-maintainer-edit') && { maintainer_can_modify: false }),
  });
  if (answer.status >= 300) {
    const reason = api.reason(answer);
    const hint = /head/i.test(reason) ? `\nPush the branch first: git push -u origin ${head}` : '';
    throw new Fatal(`pull request create failed: ${reason}${hint}`, 1, '');
  }
  git.out(`${textOf(objectOf(JSON.parse(asText(answer.bytes))).html_url)}\n`);
  return 0;
}

async function textsOf(git: Git, given: Given): Promise<{ readonly title: string; readonly body: string }> {
  const file = given.value('body-file');
  const read = async (path: string) =>
    asText(
      path === '-' ? await readAll(git.call.stdin) : await git.files.fs.readFileBuffer(git.call.path(path)),
    );
  const body = given.value('body') ?? (file === undefined ? undefined : await read(file));
  const title = given.value('title');
  if (title !== undefined) return { title, body: body ?? '' };
  if (!given.has('fill') && !given.has('fill-first'))
    throw new Fatal('must provide `--title` and `--body` (or `--fill`): nothing can be typed here', 1, '');
  const repo = await git.repo();
  const commit = await repo.headCommit();
  const [subject = '', ...rest] = (commit?.message ?? '').split('\n');
  return { title: subject, body: body ?? rest.join('\n').trim() };
}

/** GitHub knows a pull request that went in as a closed one. */
const STATES: Readonly<Record<string, string>> = {
  open: 'open',
  closed: 'closed',
  merged: 'closed',
  all: 'all',
};

async function list(git: Git, args: readonly string[]): Promise<number> {
  const given = parse('pr list', args, 'R|repo: L|limit: s|state: H|head:');
  const state = given.value('state') ?? 'open';
  const limit = given.value('limit') ?? 'Infinity';
  if (!Object.hasOwn(STATES, state))
    throw invalid(state, 'state', `one of ${Object.keys(STATES).join(', ')}`);
  if (!/^(?:[1-9]\d*|Infinity)$/.test(limit)) throw invalid(limit, 'limit', 'a number from 1');
  const api = await apiOf(git, given);
  const head = given.value('head');
  const pulls = listOf(await api.all(`/pulls?state=${STATES[state]}`))
    .map(pullOf)
    .filter((pull) => state !== 'merged' || pull.state === 'MERGED')
    .filter((pull) => head === undefined || pull.branch === head);
  for (const { number, title, label, state: its } of pulls.slice(0, Number(limit)))
    git.out(`${number}\t${title}\t${label}\t${its}\n`);
  return 0;
}

function invalid(value: string, option: string, wanted: string): Fatal {
  return new Fatal(`invalid argument '${value}' for --${option}: give ${wanted}`, 1, '');
}

interface Pull {
  readonly number: number;
  readonly title: string;
  readonly branch: string;
  /** The branch, with its owner in front where it is in a fork. */
  readonly label: string;
  readonly state: string;
}

function pullOf({ number, title, state, merged_at: merged, head, base }: Json): Pull {
  const from = objectOf(head);
  const branch = textOf(from.ref);
  const repositoryOf = ({ repo }: Json) => (repo ? objectOf(repo).full_name : undefined);
  return {
    number: Number(number),
    title: textOf(title),
    branch,
    label: repositoryOf(from) === repositoryOf(objectOf(base)) ? branch : textOf(from.label),
    state: typeof merged === 'string' ? 'MERGED' : textOf(state).toUpperCase(),
  };
}

async function branchOf(git: Git): Promise<string> {
  const { ref } = await (await git.repo()).refs.head();
  if (ref === undefined) throw new Fatal('no branch is checked out: name one with --head', 1, '');
  return ref.replace(/^refs\/heads\//, '');
}

/** The repository that is named, or that of the remote of the branch. */
async function apiOf(git: Git, given: Given): Promise<Api> {
  const named = given.value('repo');
  const name = named === undefined ? await remoteName(git) : gitHubName(`https://github.com/${named}`);
  if (!name)
    throw new Fatal(
      named === undefined
        ? 'none of the git remotes is at github.com'
        : `'${named}' is no repository: write OWNER/NAME`,
      1,
      '',
    );
  return new Api(name, git.call.fetch);
}

async function remoteName(git: Git): Promise<GitHubName | undefined> {
  const { config, refs } = await git.repo();
  const branch = (await refs.head()).ref?.replace(/^refs\/heads\//, '') ?? '';
  const names = [config.get(`branch.${branch}.remote`) ?? 'origin', ...config.names('remote')];
  for (const each of names) {
    const found = gitHubName(remoteAddress(config, each) ?? '');
    if (found) return found;
  }
  return undefined;
}
