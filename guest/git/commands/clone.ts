import { ConfigFile } from '../kit/config.ts';
import { Fatal } from '../kit/fatal.ts';
import { baseOf } from '../kit/files.ts';
import { Git, type Command } from '../kit/git.ts';
import { parse, type Given } from '../kit/options.ts';
import type { Repo } from '../kit/repo.ts';
import { resolve } from '../kit/revisions.ts';
import { filesOf } from '../kit/trees.ts';
import { openRemote } from '../transfer/open.ts';
import { isAddress } from '../transfer/other.ts';
import type { Remote, RemoteRef } from '../transfer/remote.ts';
import { switchFiles } from '../tree/switch.ts';
import { track } from './checkout.ts';
import { makeRepository } from './init.ts';
import { numberOf } from './transfer.ts';
import { fetchAddress } from '../transfer/addresses.ts';

const CLONE = `no-remote-submodules no-sparse no-dissociate no-reject-shallow no-also-filter-submodules b|branch: bare mirror n|no-checkout q|quiet v|verbose depth: single-branch no-single-branch o|origin: l|local no-hardlinks
  s|shared recurse-submodules? filter: progress shallow-submodules j|jobs:`;

/** Names the address of a clone that has not come to its end. The next clone of the same goes on from there. */
const UNFINISHED = 'vitrine-clone';

/** The answers that the other repository and the command line give before a clone begins. */
interface Plan {
  readonly url: string;
  readonly other: Remote;
  readonly given: Given;
  readonly isBare: boolean;
  readonly origin: string;
  /** The branch or tag that is checked out; undefined where the other repository is empty. */
  readonly branch: string | undefined;
  /** The default branch of the other repository. */
  readonly head: string | undefined;
  readonly refs: readonly RemoteRef[];
  readonly isSingle: boolean;
  readonly depth: number | undefined;
}

export const clone: Command = async (git, args) => {
  const given = parse('clone', args, CLONE);
  const [url, named] = given.operands;
  if (url === undefined)
    throw new Fatal(
      'You must specify a repository to clone.\n\nusage: git clone [<options>] [--] <repo> [<dir>]',
      129,
      '',
    );
  const address = fetchAddress(await git.config(), url);
  const other = await openRemote(git, address, git.cwd).catch((error: unknown) => {
    if (error instanceof Fatal && !isAddress(url)) throw new Fatal(`repository '${url}' does not exist`);
    throw error;
  });
  const isBare = given.has('bare') || given.has('mirror');
  const name =
    named ?? `${baseOf(url.replace(/\/+$/, '').replace(/(\/\.git|\.git)$/, ''))}${isBare ? '.git' : ''}`;
  const folder = git.files.fs.resolvePath(git.cwd, name);
  const gitdir = isBare ? folder : `${folder}/.git`;
  const wasThere = await git.files.exists(folder);
  const isResumed = (await git.files.text(`${gitdir}/${UNFINISHED}`))?.trim() === url;
  if (wasThere && !isResumed && (await git.files.list(folder)).length > 0)
    throw new Fatal(`destination path '${name}' already exists and is not an empty directory.`);
  if (!given.has('quiet')) await git.err(`Cloning into ${isBare ? 'bare repository ' : ''}'${name}'...\n`);
  const plan = await planOf(git, url, other, given, isBare);
  await git.files.write(`${gitdir}/${UNFINISHED}`, `${url}\n`);
  await makeRepository(git.files, gitdir, plan.branch ?? 'main', isBare);
  const inside = new Git(git.call, { ...git.globals, cwd: folder, gitDir: undefined, workTree: undefined });
  try {
    await fill(inside, plan);
  } catch (error) {
    // Objects that have come are kept for another try. Without any, the clone leaves nothing behind.
    const objects = (await git.files.list(`${gitdir}/objects`)).filter(({ name: each }) =>
      /^[0-9a-f]{2}$/.test(each),
    );
    if (objects.length === 0) await git.files.remove(wasThere && !isBare ? gitdir : folder);
    throw error;
  }
  await git.files.remove(`${gitdir}/${UNFINISHED}`);
  if (!given.has('quiet')) await git.err('done.\n');
  return 0;
};

async function planOf(git: Git, url: string, other: Remote, given: Given, isBare: boolean): Promise<Plan> {
  const head = (await other.headRef())?.replace(/^refs\/heads\//, '');
  const asked = given.value('branch');
  // As native git does, it is left out for a repository at a path.
  const depth = isAddress(url) ? (numberOf(given, 'depth') ?? other.usualDepth) : undefined;
  const isSingle =
    given.has('single-branch') ||
    (depth !== undefined && !given.order.some(([each]) => each === 'no-single-branch'));
  const branch = asked ?? head ?? 'main';
  const names = [`refs/heads/${branch}`, ...(asked === undefined ? [] : [`refs/tags/${branch}`])];
  const all = await other.refs(isSingle ? names : undefined);
  const refs = all.filter(({ name }) =>
    isSingle ? names.includes(name) : /^refs\/(heads|tags)\//.test(name),
  );
  const isEmpty = all.length === 0;
  const origin = given.value('origin') ?? 'origin';
  if (!isEmpty && !names.some((name) => refs.some((ref) => ref.name === name)))
    throw new Fatal(`Remote branch ${branch} not found in upstream ${origin}`);
  if (depth === 1 && given.value('depth') === undefined && !given.has('quiet'))
    await git.err('note: only the newest commit comes; git fetch --deepen=10 brings ten more.\n');
  return {
    url,
    other,
    given,
    isBare,
    origin,
    branch: isEmpty ? undefined : branch,
    head,
    refs,
    isSingle,
    depth,
  };
}

async function fill(git: Git, plan: Plan): Promise<void> {
  const { other, given, isBare, branch, refs, depth } = plan;
  await configure(git, plan);
  const repo = await git.repo();
  await other.receive(
    repo,
    refs.map(({ oid }) => oid),
    { depth, progress: given.has('progress'), isClone: true },
  );
  await writeRefs(repo, plan);
  git.forget();
  if (branch === undefined) await git.err('warning: You appear to have cloned an empty repository.\n');
  else if (!isBare) await checkOut(git, await git.repo(), plan, branch);
}

async function configure(git: Git, { url, isBare, origin, branch, refs, isSingle }: Plan): Promise<void> {
  const place = await git.place();
  const file = new ConfigFile(git.files, `${place?.gitdir ?? ''}/config`);
  await file.set(`remote.${origin}.url`, isAddress(url) ? url : git.files.fs.resolvePath(git.call.cwd, url));
  if (!isBare) {
    const isTag = refs.length > 0 && !refs.some(({ name }) => name === `refs/heads/${branch ?? ''}`);
    const single = isTag
      ? `+refs/tags/${branch ?? ''}:refs/tags/${branch ?? ''}`
      : `+refs/heads/${branch ?? ''}:refs/remotes/${origin}/${branch ?? ''}`;
    const isOne = isSingle && branch !== undefined;
    await file.set(`remote.${origin}.fetch`, isOne ? single : `+refs/heads/*:refs/remotes/${origin}/*`);
  }
  git.forget();
}

async function writeRefs(repo: Repo, { refs, isBare, origin, head }: Plan): Promise<void> {
  for (const { name, oid } of refs) {
    const isKept = isBare || name.startsWith('refs/tags/');
    const target = isKept ? name : name.replace(/^refs\/heads\//, `refs/remotes/${origin}/`);
    await repo.files.write(`${repo.gitdir}/${target}`, `${oid}\n`);
  }
  if (!isBare && head !== undefined && refs.some(({ name }) => name === `refs/heads/${head}`))
    await repo.refs.symbolic(`refs/remotes/${origin}/HEAD`, `refs/remotes/${origin}/${head}`);
}

async function checkOut(git: Git, repo: Repo, { origin, given }: Plan, branch: string): Promise<void> {
  const upstream = `refs/remotes/${origin}/${branch}`;
  const oid = await repo.refs.resolve(upstream);
  const from = `clone: from ${repo.config.get(`remote.${origin}.url`) ?? ''}`;
  const commit = oid ?? (await resolve(repo, `refs/tags/${branch}^{commit}`));
  if (oid === undefined) await repo.refs.moveHead(commit, commit, from);
  else {
    await repo.refs.update(`refs/heads/${branch}`, oid, from);
    await track(git, repo, branch, upstream, true);
  }
  if (given.has('no-checkout')) return;
  // Force, because a clone that was cut off may have begun to write the files.
  await switchFiles(repo, new Map(), await filesOf(repo.objects, (await repo.objects.commit(commit)).tree), {
    what: 'checkout',
    force: true,
  });
}
