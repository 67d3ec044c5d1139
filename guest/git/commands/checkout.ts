import { Fatal, problem } from '../kit/fatal.ts';
import { ConfigFile } from '../kit/config.ts';
import type { Command, Git } from '../kit/git.ts';
import { aroundDashes, parse, type Given } from '../kit/options.ts';
import { isGoodRefName } from '../kit/refs.ts';
import type { Repo } from '../kit/repo.ts';
import {
  branchNamed,
  commitOrBase,
  previousBranch,
  refNamed,
  resolveCommit,
  resolveTree,
  tryResolve,
} from '../kit/revisions.ts';
import { moveTo } from '../tree/head.ts';
import { restore } from '../tree/restore.ts';

const CHECKOUT = `no-merge b: B: q|quiet f|force d|detach t|track? no-track guess orphan: 2|ours 3|theirs
  progress overwrite-ignore ignore-skip-worktree-bits recurse-submodules`;
const SWITCH = `no-merge c|create: C|force-create: q|quiet f|force|discard-changes d|detach t|track? no-track guess orphan: progress
  recurse-submodules`;

export const checkout: Command = async (git, args) => {
  const given = parse('checkout', args, CHECKOUT);
  const repo = await git.repo();
  const [before, after] = aroundDashes(given);
  const fresh = given.value('b') ?? given.value('B');
  if (fresh !== undefined || given.has('orphan'))
    return create(git, repo, given, fresh, given.has('B'), before);
  const [first, ...rest] = before;
  // Only behind `--` are all words paths for sure; of others, native git says how many files they named.
  if (after !== undefined && after.length > 0) return checkoutPaths(git, repo, given, first, after, true);
  if (first === undefined) {
    if (given.has('detach')) return enter(git, repo, given, 'HEAD');
    return 0;
  }
  const isRevision = first === '-' || (await tryResolve(repo, first)) !== undefined;
  if (!isRevision && after !== undefined) throw new Fatal(`invalid reference: ${first}`);
  if (rest.length > 0)
    return checkoutPaths(git, repo, given, isRevision ? first : undefined, isRevision ? rest : before);
  if (isRevision) return enter(git, repo, given, first);
  const isFile =
    (await git.files.lstat(git.files.fs.resolvePath(git.cwd, first))) !== undefined ||
    (await isTracked(repo, first));
  if (!isFile || /[*?[]/.test(first)) {
    const remote = isFile ? undefined : await remoteFor(repo, first);
    if (remote !== undefined) return createTracking(git, repo, given, first, remote);
    if (!/[*?[]/.test(first)) throw problem(`pathspec '${first}' did not match any file(s) known to git`);
  }
  return checkoutPaths(git, repo, given, undefined, [first]);
};

async function isTracked(repo: Repo, word: string): Promise<boolean> {
  const pathspec = repo.pathspec([word]);
  return (await repo.index()).some(({ path }) => pathspec.matches(path));
}

const UNDER_WAY = [
  ['MERGE_HEAD', 'merging'],
  ['CHERRY_PICK_HEAD', 'cherry-picking'],
  ['REVERT_HEAD', 'reverting'],
  ['rebase-merge/onto', 'rebasing'],
] as const;

export const switchBranch: Command = async (git, args) => {
  const given = parse('switch', args, SWITCH);
  const repo = await git.repo();
  for (const [file, doing] of UNDER_WAY)
    if ((await repo.readState(file)) !== undefined) throw new Fatal(`cannot switch branch while ${doing}`);
  const fresh = given.value('create') ?? given.value('force-create');
  if (fresh !== undefined || given.has('orphan'))
    return create(git, repo, given, fresh, given.has('force-create'), given.operands);
  const [name] = given.operands;
  if (name === undefined) {
    if (given.has('detach')) return enter(git, repo, given, 'HEAD');
    throw new Fatal('missing branch or commit argument');
  }
  const branch = await branchNamed(repo, name);
  if (branch !== undefined || given.has('detach')) return enter(git, repo, given, name);
  const remote = await remoteFor(repo, name);
  if (remote !== undefined) return createTracking(git, repo, given, name, remote);
  if ((await tryResolve(repo, name)) === undefined) throw new Fatal(`invalid reference: ${name}`);
  const ref = await refNamed(repo, name);
  const kind = ref?.startsWith('refs/tags/')
    ? 'tag'
    : ref?.startsWith('refs/remotes/')
      ? 'remote branch'
      : 'commit';
  throw new Fatal(
    `a branch is expected, got ${kind} '${name}'\nhint: If you want to detach HEAD at the commit, try again with the --detach option.`,
  );
};

/** The branch of that name in the only remote that has one. */
async function remoteFor(repo: Repo, name: string): Promise<string | undefined> {
  const found: string[] = [];
  for (const remote of repo.config.names('remote'))
    if ((await repo.refs.resolve(`refs/remotes/${remote}/${name}`)) !== undefined) found.push(remote);
  return found.length === 1 ? found[0] : undefined;
}

async function createTracking(
  git: Git,
  repo: Repo,
  given: Given,
  name: string,
  remote: string,
): Promise<number> {
  const from = `refs/remotes/${remote}/${name}`;
  const oid = await resolveCommit(repo, from);
  await repo.refs.update(`refs/heads/${name}`, oid, `branch: Created from ${from}`);
  await track(git, repo, name, from);
  await moveTo(git, repo, { to: `refs/heads/${name}`, name, oid, isNew: true, quiet: given.has('quiet') });
  return 0;
}

/** Makes a branch follow another one, which may be of a remote, and says so. */
export async function track(
  git: Git,
  repo: Repo,
  name: string,
  upstream: string,
  quiet = false,
): Promise<void> {
  const [, remote = '.', branch = ''] = /^refs\/remotes\/([^/]+)\/(.*)$/.exec(upstream) ?? [];
  const file = new ConfigFile(repo.files, `${repo.gitdir}/config`);
  await file.set(`branch.${name}.remote`, remote);
  await file.set(`branch.${name}.merge`, remote === '.' ? upstream : `refs/heads/${branch}`);
  const shown = upstream.replace(/^refs\/(remotes|heads)\//, '');
  if (!quiet) git.out(`branch '${name}' set up to track '${shown}'.\n`);
  git.forget();
}

async function create(
  git: Git,
  repo: Repo,
  given: Given,
  name: string | undefined,
  isForced: boolean,
  operands: readonly string[],
): Promise<number> {
  const [start] = operands;
  const orphan = given.value('orphan');
  if (orphan !== undefined) {
    await repo.refs.symbolic('HEAD', `refs/heads/${orphan}`);
    await git.err(`Switched to a new branch '${orphan}'\n`);
    return 0;
  }
  if (name === undefined) throw new Fatal('a branch name is needed');
  if (!isGoodRefName(name) || name.startsWith('-')) throw new Fatal(`'${name}' is not a valid branch name`);
  const full = `refs/heads/${name}`;
  const isThere = (await repo.refs.resolve(full)) !== undefined;
  if (isThere && !isForced) throw new Fatal(`a branch named '${name}' already exists`);
  const head = await repo.refs.head();
  if (head.oid === undefined && start === undefined) {
    await repo.refs.symbolic('HEAD', full);
    if (!given.has('quiet')) await git.err(`Switched to a new branch '${name}'\n`);
    return 0;
  }
  const oid = await startOf(repo, start ?? 'HEAD');
  await repo.refs.update(
    full,
    oid,
    isThere ? `branch: Reset to ${start ?? 'HEAD'}` : `branch: Created from ${start ?? 'HEAD'}`,
  );
  const from = start === undefined ? undefined : await refNamed(repo, start);
  if (from?.startsWith('refs/remotes/') && !given.has('no-track')) await track(git, repo, name, from);
  const options = { quiet: given.has('quiet'), force: given.has('force') || given.has('discard-changes') };
  await moveTo(git, repo, { to: full, name, oid, isNew: true, isReset: isThere, ...options });
  return 0;
}

async function startOf(repo: Repo, word: string): Promise<string> {
  if (!word.includes('...') && (await tryResolve(repo, word)) === undefined)
    throw new Fatal(`'${word}' is not a commit and a branch cannot be created from it`);
  return commitOrBase(repo, word);
}

async function enter(git: Git, repo: Repo, given: Given, word: string): Promise<number> {
  const options = { quiet: given.has('quiet'), force: given.has('force') || given.has('discard-changes') };
  const branch = given.has('detach') ? undefined : await branchNamed(repo, word);
  if (branch !== undefined) {
    const name = branch.replace(/^refs\/heads\//, '');
    await moveTo(git, repo, { to: branch, name, oid: await repo.refs.resolve(branch), ...options });
    return 0;
  }
  const name = word === '-' ? ((await previousBranch(repo, 1)) ?? '') : word;
  if (name === '') throw problem(`pathspec '-' did not match any file(s) known to git`);
  const oid = await startOf(repo, name);
  await moveTo(git, repo, { to: oid, name: word === '-' ? name : word, oid, ...options });
  return 0;
}

async function checkoutPaths(
  git: Git,
  repo: Repo,
  given: Given,
  source: string | undefined,
  words: readonly string[],
  quiet = given.has('quiet'),
): Promise<number> {
  const side = given.has('ours') ? 2 : given.has('theirs') ? 3 : undefined;
  const tree = source === undefined ? undefined : await resolveTree(repo, source);
  const count = await restore(repo, repo.pathspec(words), {
    tree,
    index: tree !== undefined,
    worktree: true,
    removes: false,
    ...(side && { side }),
  });
  const from = tree === undefined ? 'the index' : tree.slice(0, 7);
  if (!quiet) await git.err(`Updated ${count} path${count === 1 ? '' : 's'} from ${from}\n`);
  return 0;
}

const RESTORE = `s|source: S|staged W|worktree q|quiet 2|ours 3|theirs progress overlay
  ignore-skip-worktree-bits recurse-submodules`;

export const restoreFiles: Command = async (git, args) => {
  const given = parse('restore', args, RESTORE);
  const repo = await git.repo();
  if (given.operands.length === 0) throw new Fatal('you must specify path(s) to restore');
  const index = given.has('staged');
  const source = given.value('source') ?? (index ? 'HEAD' : undefined);
  const isUnborn = source === 'HEAD' && (await repo.refs.resolve('HEAD')) === undefined;
  if (isUnborn) throw new Fatal('could not resolve HEAD');
  const side = given.has('ours') ? 2 : given.has('theirs') ? 3 : undefined;
  await restore(repo, repo.pathspec(given.operands), {
    tree: source === undefined ? undefined : await resolveTree(repo, source),
    index,
    worktree: given.has('worktree') || !index,
    removes: !given.has('overlay'),
    ...(side && { side }),
  });
  return 0;
};
