import { Fatal, problem } from '../kit/fatal.ts';
import type { Command, Git } from '../kit/git.ts';
import { runHook } from '../kit/hooks.ts';
import { parse, type Given } from '../kit/options.ts';
import type { Repo } from '../kit/repo.ts';
import { refNamed, resolve, tryResolve, upstreamOf } from '../kit/revisions.ts';
import { isAncestor } from '../kit/walk.ts';
import { fetchFrom, type FetchOptions } from '../transfer/fetch.ts';
import { openRemote } from '../transfer/open.ts';
import type { Changed, Remote, RemoteRef } from '../transfer/remote.ts';
import { track } from './checkout.ts';
import { MERGE_WORDS, mergeNames } from './merge.ts';
import { rebase } from './rebase.ts';
import { fetchAddress, pushAddress, remoteAddress, remotePushAddress } from '../transfer/addresses.ts';

function defaultRemote(repo: Repo, branch: string): string {
  const own = repo.config.get(`branch.${branch}.remote`);
  const names = repo.config.names('remote');
  return own ?? (names.length === 1 ? (names[0] ?? 'origin') : 'origin');
}

const FETCH = `no-auto-gc no-auto-maintenance no-show-forced-updates no-write-commit-graph no-keep no-prune-tags no-atomic all p|prune t|tags no-tags q|quiet v|verbose f|force n|dry-run depth: unshallow progress a|append multiple
  j|jobs: recurse-submodules? update-head-ok set-upstream no-recurse-submodules deepen: refetch`;

function fetchOptions(given: Given): FetchOptions {
  return {
    prune: given.has('prune'),
    tags: given.has('tags'),
    noTags: given.has('no-tags'),
    quiet: given.has('quiet'),
    dry: given.has('dry-run'),
    depth: given.has('unshallow') ? Infinity : numberOf(given, 'depth'),
    deepen: numberOf(given, 'deepen'),
    progress: given.has('progress'),
  };
}

export function numberOf(given: Given, name: string): number | undefined {
  const text = given.value(name);
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < 1) throw new Fatal(`depth ${text} is not a positive number`);
  return number;
}

export const fetch: Command = async (git, args) => {
  const given = parse('fetch', args, FETCH);
  const repo = await git.repo();
  const { ref } = await repo.refs.head();
  const [named, ...specs] = given.operands;
  const remotes = given.has('all')
    ? repo.config.names('remote')
    : [named ?? defaultRemote(repo, (ref ?? '').replace(/^refs\/heads\//, ''))];
  if (named === undefined && repo.config.names('remote').length === 0) return 0;
  for (const remote of remotes) await fetchFrom(git, repo, remote, specs, fetchOptions(given));
  return 0;
};

const PULL = `${MERGE_WORDS.replace('s|strategy:', 'strategy:').replace('no-commit', 'no-commit rebase? no-rebase')} p|prune t|tags a|append
  no-recurse-submodules no-show-forced-updates no-keep f|force depth: deepen: progress all dry-run unshallow set-upstream`;

export const pull: Command = async (git, args) => {
  const given = parse('pull', args, PULL);
  const repo = await git.repo();
  const { ref } = await repo.refs.head();
  const branch = (ref ?? '').replace(/^refs\/heads\//, '');
  const [named, ...specs] = given.operands;
  const remote = named ?? defaultRemote(repo, branch);
  const upstream = ref && upstreamOf(repo, ref);
  if (named === undefined && upstream === undefined)
    throw new Fatal(
      `There is no tracking information for the current branch.\nPlease specify which branch you want to merge with.\nSee git-pull(1) for details.\n\n    git pull <remote> <branch>\n\nIf you wish to set tracking information for this branch you can do so with:\n\n    git branch --set-upstream-to=${repo.config.names('remote').length > 0 ? remote : '<remote>'}/<branch> ${branch}\n`,
      1,
      '',
    );
  const fetched = await fetchFrom(git, repo, remote, specs, fetchOptions(given));
  const wanted = fetched.filter(({ isForMerge }) => isForMerge);
  const [first] = wanted;
  if (!first)
    throw new Fatal(
      `Your configuration specifies to merge with the ref '${repo.config.get(`branch.${branch}.merge`) ?? ''}'\nfrom the remote, but no such ref was fetched.`,
      1,
      '',
    );
  const rebases = given.has('rebase')
    ? given.value('rebase') !== 'false'
    : repo.config.get(`branch.${branch}.rebase`) === 'true' || repo.config.get('pull.rebase') === 'true';
  const head = await repo.refs.resolve('HEAD');
  const isDiverged =
    head !== undefined &&
    !(await isAncestor(repo, head, first.oid)) &&
    !(await isAncestor(repo, first.oid, head));
  const isDecided =
    ['rebase', 'no-rebase', 'ff', 'no-ff', 'ff-only'].some((name) =>
      given.order.some(([each]) => each === name),
    ) ||
    repo.config.get('pull.rebase') !== undefined ||
    repo.config.get('pull.ff') !== undefined;
  if (isDiverged && !isDecided) throw new Fatal(DIVERGED, 128, '');
  if (rebases) return rebase(git, [first.oid]);
  const config = repo.config.get('pull.ff');
  const asked = {
    ...given,
    has: (name: string) => given.has(name) || (name === 'ff-only' && config === 'only'),
  };
  return mergeNames(
    git,
    repo,
    asked,
    [first.oid],
    `Merge ${first.note}${branch === 'main' || branch === 'master' ? '' : ` into ${branch}`}\n`,
  );
};

const DIVERGED = `hint: You have divergent branches and need to specify how to reconcile them.
hint: You can do so by running one of the following commands sometime before
hint: your next pull:
hint:
hint:   git config pull.rebase false  # merge
hint:   git config pull.rebase true   # rebase
hint:   git config pull.ff only       # fast-forward only
hint:
hint: You can replace "git config" with "git config --global" to set a default
hint: preference for all repositories. You can also pass --rebase, --no-rebase,
hint: or --ff-only on the command line to override the configured default per
hint: invocation.
fatal: Need to specify how to reconcile divergent branches.`;

const PUSH = `no-follow-tags no-signed no-force-if-includes u|set-upstream f|force force-with-lease? d|delete all|branches tags mirror prune n|dry-run q|quiet
  v|verbose porcelain no-verify progress atomic thin recurse-submodules:`;

interface Target {
  /** The id, or undefined to delete. */
  readonly oid: string | undefined;
  readonly source: string;
  /** The answers call the source by this name; it is there only if the source was given as `HEAD`. */
  readonly shown?: string;
  readonly target: string;
  readonly isForced: boolean;
}

export const push: Command = async (git, args) => {
  const given = parse('push', args, PUSH);
  const repo = await git.repo();
  const { ref } = await repo.refs.head();
  const branch = (ref ?? '').replace(/^refs\/heads\//, '');
  const [named, ...specs] = given.operands;
  const remote = named ?? defaultRemote(repo, branch);
  const url =
    remotePushAddress(repo.config, remote) ??
    (named === undefined ? undefined : pushAddress(repo.config, remote));
  if (url === undefined)
    throw new Fatal(
      'No configured push destination.\nEither specify the URL from the command-line or configure a remote repository using\n\n    git remote add <name> <url>\n\nand then push using the remote name\n\n    git push <name>\n',
    );
  const targets = await targetsOf(git, repo, given, remote, specs);
  const other = await openRemote(git, url, repo.isBare ? repo.gitdir : repo.worktree.top);
  const input = targets
    .map(
      ({ source, shown = source, target, oid }) =>
        `${shown} ${oid ?? '0'.repeat(40)} ${target} ${'0'.repeat(40)}\n`,
    )
    .join('');
  if (!given.has('no-verify') && (await runHook(git, repo, 'pre-push', [remote, url], input)) !== 0)
    throw problem(`failed to push some refs to '${url}'`);
  return send(git, repo, other, given, { remote, url, targets });
};

async function targetsOf(
  git: Git,
  repo: Repo,
  given: Given,
  remote: string,
  specs: readonly string[],
): Promise<Target[]> {
  const isForced = given.has('force') || given.has('force-with-lease');
  const whole = [
    ...(given.has('branches') || given.has('mirror') ? ['refs/heads/'] : []),
    ...(given.has('tags') || given.has('mirror') ? ['refs/tags/'] : []),
  ];
  const found: Target[] = [];
  for (const prefix of whole)
    for (const [name, oid] of await repo.refs.list(prefix))
      found.push({ oid, source: name, target: name, isForced });
  const { ref } = await repo.refs.head();
  if (specs.length === 0 && whole.length === 0) {
    if (ref === undefined)
      throw new Fatal(
        'You are not currently on a branch.\nTo push the history leading to the current (detached HEAD)\nstate now, use\n\n    git push <remote> HEAD:<name-of-remote-branch>\n',
      );
    const upstream = upstreamOf(repo, ref);
    const short = ref.replace(/^refs\/heads\//, '');
    const isSimple = !['current', 'matching', 'upstream'].includes(
      repo.config.get('push.default') ?? 'simple',
    );
    if (
      upstream === undefined &&
      isSimple &&
      !given.has('set-upstream') &&
      !repo.config.flag('push.autosetupremote')
    )
      throw new Fatal(
        `The current branch ${short} has no upstream branch.\nTo push the current branch and set the remote as upstream, use\n\n    git push --set-upstream ${remote} ${short}\n\nTo have this happen automatically for branches without a tracking\nupstream, see 'push.autoSetupRemote' in 'git help config'.\n`,
      );
    found.push({
      oid: await resolve(repo, ref),
      source: ref,
      target: repo.config.get(`branch.${short}.merge`) ?? ref,
      isForced,
    });
  }
  for (const word of specs) {
    const forced = isForced || word.startsWith('+');
    const [source = '', target] = word.replace(/^\+/, '').split(':');
    if (given.has('delete') || source === '') {
      const name = target ?? source;
      found.push({
        oid: undefined,
        source: '',
        target: name.startsWith('refs/') ? name : `refs/heads/${name}`,
        isForced: true,
      });
      continue;
    }
    if ((await tryResolve(repo, source)) === undefined)
      throw problem(
        `src refspec ${source} does not match any\nerror: failed to push some refs to '${remote}'`,
      );
    const isHead = source === 'HEAD' || source === '@';
    const full = isHead ? (ref ?? 'HEAD') : ((await refNamed(repo, source)) ?? source);
    const name = target ?? full;
    const folder = full.startsWith('refs/tags/') ? 'refs/tags/' : 'refs/heads/';
    found.push({
      oid: await resolve(repo, source),
      source: full,
      ...(isHead && { shown: 'HEAD' }),
      target: name.startsWith('refs/') ? name : `${folder}${name}`,
      isForced: forced,
    });
  }
  git.forget();
  return found;
}

interface Sending {
  readonly remote: string;
  readonly url: string;
  readonly targets: readonly Target[];
}

async function send(
  git: Git,
  repo: Repo,
  other: Remote,
  given: Given,
  { remote, url, targets }: Sending,
): Promise<number> {
  const lines: string[] = [];
  const said: string[] = [];
  const isNamed = repo.config.get(`remote.${remote}.url`) !== undefined;
  let isRejected = false;
  const refs = await other.refs(targets.map(({ target }) => target));
  for (const target of targets) {
    const how = { dry: given.has('dry-run'), progress: given.has('progress') };
    const answer = await sendOne(repo, other, refs, target, how);
    if (answer.line !== '') lines.push(answer.line);
    said.push(...(answer.changed?.says ?? []));
    isRejected ||= answer.isRejected;
    if (answer.isRejected || given.has('dry-run')) continue;
    if (answer.changed?.oid !== undefined) await adopt(git, repo, target, answer.changed.oid);
    if (isNamed) await follow(repo, remote, target, answer.changed?.oid ?? target.oid);
  }
  if (!given.has('quiet') && said.length > 0)
    await git.err(said.map((line) => `remote: ${line}`.trimEnd() + '\n').join(''));
  if (lines.length === 0) await git.err('Everything up-to-date\n');
  else if (!given.has('quiet')) await git.err(`To ${url}\n${lines.join('')}`);
  if (isRejected) {
    const isBehind = lines.some((line) => /\((non-fast-forward|fetch first)\)\n$/.test(line));
    await git.err(`error: failed to push some refs to '${url}'\n${isBehind ? BEHIND : ''}`);
    return 1;
  }
  if (given.has('set-upstream'))
    for (const { source, target } of targets)
      if (source.startsWith('refs/heads/'))
        await track(
          git,
          repo,
          source.slice(11),
          target.replace(/^refs\/heads\//, `refs/remotes/${remote}/`),
          given.has('quiet'),
        );
  return 0;
}

const BEHIND = `hint: Updates were rejected because the tip of your current branch is behind
hint: its remote counterpart. Integrate the remote changes (e.g.
hint: 'git pull ...') before pushing again.
hint: See the 'Note about fast-forwards' in 'git push --help' for details.
`;

/** Notes where the branch of the other repository is now. */
async function follow(
  repo: Repo,
  remote: string,
  { target }: Target,
  oid: string | undefined,
): Promise<void> {
  if (!target.startsWith('refs/heads/')) return;
  const tracking = target.replace(/^refs\/heads\//, `refs/remotes/${remote}/`);
  if (oid === undefined) await repo.refs.delete(tracking);
  else if ((await repo.refs.resolve(tracking)) !== oid)
    await repo.refs.update(tracking, oid, 'update by push');
}

/** The other side wrote the same commits otherwise: the branch follows, so that both have one history. */
async function adopt(git: Git, repo: Repo, { source, oid }: Target, made: string): Promise<void> {
  if (!source.startsWith('refs/heads/') || (await repo.refs.resolve(source)) !== oid) return;
  await repo.refs.update(source, made, 'push: as the remote has written it');
  await git.err(
    `note: the remote has written the same commits with other ids; ${source.slice(11)} is now at ${made.slice(0, 7)}.\n`,
  );
}

interface Sent {
  readonly line: string;
  readonly isRejected: boolean;
  readonly changed?: Changed;
}

const rejected = (line: string): Sent => ({ line, isRejected: true });

async function sendOne(
  repo: Repo,
  other: Remote,
  refs: readonly RemoteRef[],
  { oid, source, shown = source, target, isForced }: Target,
  { dry, progress }: { readonly dry: boolean; readonly progress: boolean },
): Promise<Sent> {
  const before = refs.find(({ name }) => name === target)?.oid;
  const short = target.replace(/^refs\/(heads|tags)\//, '');
  const from = shown.replace(/^refs\/(heads|tags)\//, '');
  const change = { target, oid, before, isForced, progress };
  if (oid === undefined) {
    if (before === undefined)
      return rejected(` ! [remote rejected] ${short} (unable to delete: remote ref does not exist)\n`);
    const changed = dry ? {} : await other.change(repo, change);
    if (changed.refusal !== undefined)
      return rejected(` ! [remote rejected] ${short} (${changed.refusal})\n`);
    return { line: ` - [deleted]         ${short}\n`, isRejected: false };
  }
  if (before === oid) return { line: '', isRejected: false };
  const refusal = await other.refusal(target);
  if (refusal !== undefined) return rejected(` ! [remote rejected] ${from} -> ${short} (${refusal})\n`);
  const isKnown = before === undefined || (await repo.objects.has(before));
  const isForward =
    before === undefined ||
    (isKnown && !target.startsWith('refs/tags/') && (await isAncestor(repo, before, oid)));
  if (!isForward && !isForced)
    return rejected(
      ` ! [rejected]        ${from} -> ${short} (${isKnown ? 'non-fast-forward' : 'fetch first'})\n`,
    );
  const changed: Changed = dry ? {} : await other.change(repo, change);
  if (changed.refusal !== undefined) {
    const isRace = changed.refusal === 'non-fast-forward';
    return rejected(
      ` ! [${isRace ? 'rejected]        ' : 'remote rejected] '}${from} -> ${short} (${changed.refusal})\n`,
    );
  }
  const isTag = target.startsWith('refs/tags/');
  if (before === undefined)
    return {
      line: ` * [new ${isTag ? 'tag]        ' : 'branch]     '} ${from} -> ${short}\n`,
      isRejected: false,
      changed,
    };
  const dots = isForward ? '..' : '...';
  const now = (changed.oid ?? oid).slice(0, 7);
  return {
    line: ` ${isForward ? ' ' : '+'} ${before.slice(0, 7)}${dots}${now}${isForward ? ' ' : ''} ${from} -> ${short}${isForward ? '' : ' (forced update)'}\n`,
    isRejected: false,
    changed,
  };
}

const LS_REMOTE =
  'h|heads|branches t|tags refs q|quiet exit-code get-url symref sort: o|server-option: upload-pack:';

/** Lists the refs of another repository. */
export const lsRemote: Command = async (git, args) => {
  const given = parse('ls-remote', args, LS_REMOTE);
  const [named, ...patterns] = given.operands;
  const place = await git.place();
  const config = await git.config();
  const url =
    named === undefined
      ? remoteAddress(config, 'origin')
      : (remoteAddress(config, named) ?? fetchAddress(config, named));
  if (url === undefined) throw new Fatal('No remote configured to list refs from.');
  if (given.has('get-url')) {
    git.out(`${url}\n`);
    return 0;
  }
  const other = await openRemote(git, url, place?.top ?? git.cwd);
  const names = [
    ...(given.has('branches') ? ['refs/heads/'] : []),
    ...(given.has('tags') ? ['refs/tags/'] : []),
  ];
  const refs = await other.refs(names.length > 0 ? names : undefined);
  const shown = refs.filter(({ name }) =>
    name === 'HEAD'
      ? names.length === 0 && !given.has('refs') && isWanted(name, patterns)
      : (names.length === 0 || names.some((each) => name.startsWith(each))) && isWanted(name, patterns),
  );
  if (named === undefined && !given.has('quiet')) await git.err(`From ${url}\n`);
  const head = await other.headRef();
  for (const { name, oid } of shown) {
    if (given.has('symref') && name === 'HEAD' && head !== undefined) git.out(`ref: ${head}\tHEAD\n`);
    git.out(`${oid}\t${name}\n`);
  }
  return shown.length === 0 && given.has('exit-code') ? 2 : 0;
};

/** A pattern stands for the last parts of a name. */
function isWanted(name: string, patterns: readonly string[]): boolean {
  if (patterns.length === 0) return true;
  return patterns.some((pattern) => {
    const source = pattern
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.');
    return new RegExp(`(^|/)${source}$`).test(name);
  });
}
