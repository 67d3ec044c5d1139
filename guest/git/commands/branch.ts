import { Fatal, problem } from '../kit/fatal.ts';
import { ConfigFile } from '../kit/config.ts';
import type { Command, Git } from '../kit/git.ts';
import { subjectOf } from '../kit/message.ts';
import { parse, type Given } from '../kit/options.ts';
import { globSource } from '../kit/pathspec.ts';
import { isGoodRefName } from '../kit/refs.ts';
import type { Repo } from '../kit/repo.ts';
import { branchNamed, refNamed, resolveCommit, tryResolve, upstreamOf } from '../kit/revisions.ts';
import { isAncestor } from '../kit/walk.ts';
import { filterRefs } from '../refs/filter.ts';
import { refFormatted, sortRefs, type NamedRef } from '../refs/format.ts';
import { detachedAt, trackingOf } from '../status/gather.ts';
import { track } from './checkout.ts';

const WORDS = `no-column no-ignore-case no-create-reflog a|all r|remotes v|verbose q|quiet d|delete D m|move M c|copy C f|force t|track? no-track u|set-upstream-to: unset-upstream
  l|list show-current merged! no-merged! contains! no-contains! sort: format: points-at: color? abbrev?`;

export const branch: Command = async (git, args) => {
  const given = parse('branch', args, WORDS);
  const repo = await git.repo();
  if (given.has('show-current')) {
    const { ref } = await repo.refs.head();
    if (ref !== undefined) git.out(`${ref.replace(/^refs\/heads\//, '')}\n`);
    return 0;
  }
  if (given.has('delete') || given.has('D')) return remove(git, repo, given);
  if (given.has('move') || given.has('M') || given.has('copy') || given.has('C')) return rename(repo, given);
  if (given.has('set-upstream-to') || given.has('unset-upstream')) return setUpstream(git, repo, given);
  const isList = [
    'list',
    'all',
    'remotes',
    'merged',
    'no-merged',
    'contains',
    'no-contains',
    'points-at',
    'format',
    'sort',
  ].some((name) => given.has(name));
  if (given.operands.length === 0 || isList || (given.has('verbose') && given.operands.length === 0))
    return list(git, repo, given);
  return create(git, repo, given);
};

async function create(git: Git, repo: Repo, given: Given): Promise<number> {
  const [name = '', start = 'HEAD'] = given.operands;
  if (!isGoodRefName(name) || name.startsWith('-') || name === 'HEAD')
    throw new Fatal(`'${name}' is not a valid branch name`);
  const full = `refs/heads/${name}`;
  const isThere = (await repo.refs.resolve(full)) !== undefined;
  const head = await repo.refs.head();
  if (isThere && !given.has('force')) throw new Fatal(`a branch named '${name}' already exists`);
  if (isThere && head.ref === full)
    throw new Fatal(`cannot force update the branch '${name}' used by worktree at '${repo.worktree.top}'`);
  if ((await tryResolve(repo, start)) === undefined) throw new Fatal(`not a valid object name: '${start}'`);
  const oid = await resolveCommit(repo, start);
  const shown = start === 'HEAD' ? (head.ref ?? 'HEAD').replace(/^refs\/heads\//, '') : start;
  await repo.refs.update(full, oid, `branch: ${isThere ? 'Reset to' : 'Created from'} ${shown}`);
  const from = await refNamed(repo, start);
  const follows = from?.startsWith('refs/remotes/') ?? false;
  if (from !== undefined && !given.has('no-track') && (follows || given.has('track')))
    await track(git, repo, name, from);
  return 0;
}

async function remove(git: Git, repo: Repo, given: Given): Promise<number> {
  if (given.operands.length === 0) throw new Fatal('branch name required');
  let code = 0;
  const head = await repo.refs.head();
  const start = given.has('remotes') ? 'refs/remotes/' : 'refs/heads/';
  for (const name of given.operands) {
    const full = given.has('remotes')
      ? `${start}${name}`
      : ((await branchNamed(repo, name)) ?? `${start}${name}`);
    const oid = await repo.refs.resolve(full);
    const short = full.slice(start.length);
    if (oid === undefined) {
      await git.err(`error: branch '${short}' not found.\n`);
      code = 1;
    } else if (full === head.ref) {
      await git.err(`error: Cannot delete branch '${short}' checked out at '${repo.worktree.top}'\n`);
      code = 1;
    } else if (
      !given.has('D') &&
      !given.has('force') &&
      !given.has('remotes') &&
      !(await isMerged(repo, full, oid))
    ) {
      await git.err(
        `error: The branch '${short}' is not fully merged.\nIf you are sure you want to delete it, run 'git branch -D ${short}'.\n`,
      );
      code = 1;
    } else {
      await repo.refs.delete(full);
      if (!given.has('remotes'))
        await new ConfigFile(repo.files, `${repo.gitdir}/config`).section(`branch.${short}`, undefined);
      const kind = given.has('remotes') ? 'remote-tracking branch' : 'branch';
      if (!given.has('quiet')) git.out(`Deleted ${kind} ${short} (was ${oid.slice(0, 7)}).\n`);
    }
  }
  return code;
}

async function isMerged(repo: Repo, full: string, oid: string): Promise<boolean> {
  const upstream = upstreamOf(repo, full);
  const target = (upstream && (await repo.refs.resolve(upstream))) ?? (await repo.refs.resolve('HEAD'));
  return target !== undefined && isAncestor(repo, oid, target);
}

async function rename(repo: Repo, given: Given): Promise<number> {
  const head = await repo.refs.head();
  const [one = '', other] = given.operands;
  const isCopy = given.has('copy') || given.has('C');
  const from =
    other === undefined ? (head.ref ?? '') : ((await branchNamed(repo, one)) ?? `refs/heads/${one}`);
  const name = other ?? one;
  const to = `refs/heads/${name}`;
  if (from === '') throw new Fatal('cannot rename the current branch while not on any.');
  if (!isGoodRefName(name)) throw new Fatal(`'${name}' is not a valid branch name`);
  const short = from.replace(/^refs\/heads\//, '');
  const oid = await repo.refs.resolve(from);
  const isForced = given.has('M') || given.has('C') || given.has('force');
  if (oid === undefined && head.ref !== from) throw problem(`refname ${from} not found`, 128);
  if (to !== from && !isForced && (await repo.refs.resolve(to)) !== undefined)
    throw new Fatal(`a branch named '${name}' already exists`);
  if (to === from) return 0;
  const file = new ConfigFile(repo.files, `${repo.gitdir}/config`);
  if (isCopy) {
    if (oid !== undefined) await repo.refs.update(to, oid, `Branch: copied ${from} to ${to}`);
    return 0;
  }
  if (oid !== undefined) {
    await repo.refs.renameLog(from, to);
    await repo.refs.delete(from);
    await repo.refs.update(to, oid, `Branch: renamed ${from} to ${to}`);
  }
  if (head.ref === from) {
    await repo.refs.symbolic('HEAD', to);
    if (oid !== undefined) await repo.refs.log('HEAD', oid, oid, `Branch: renamed ${from} to ${to}`);
  }
  await file.section(`branch.${short}`, `branch.${name}`);
  return 0;
}

async function setUpstream(git: Git, repo: Repo, given: Given): Promise<number> {
  const head = await repo.refs.head();
  const [name = (head.ref ?? '').replace(/^refs\/heads\//, '')] = given.operands;
  const file = new ConfigFile(repo.files, `${repo.gitdir}/config`);
  if (given.has('unset-upstream')) {
    if (upstreamOf(repo, `refs/heads/${name}`) === undefined)
      throw new Fatal(`Branch '${name}' has no upstream information`);
    await file.unset(`branch.${name}.remote`);
    await file.unset(`branch.${name}.merge`);
    return 0;
  }
  const wanted = given.value('set-upstream-to') ?? '';
  const upstream = await refNamed(repo, wanted);
  if (upstream === undefined) throw new Fatal(`the requested upstream branch '${wanted}' does not exist`);
  await track(git, repo, name, upstream);
  return 0;
}

async function list(git: Git, repo: Repo, given: Given): Promise<number> {
  git.page();
  const head = await repo.refs.head();
  const painter = await git.painter(
    'branch',
    given.has('color') ? given.value('color') || 'always' : undefined,
  );
  const refs = await wantedRefs(repo, given);
  const format = given.value('format');
  if (format !== undefined) {
    for (const ref of refs) git.out(`${await refFormatted(git, repo, format, ref)}\n`);
    return 0;
  }
  const isAll = given.has('all');
  const rows = await Promise.all(
    refs.map(async ({ name, oid }) => {
      const target = name.endsWith('/HEAD') ? await repo.refs.symbolicTarget(name) : undefined;
      const short = name.replace(/^refs\/heads\//, '').replace(/^refs\/remotes\//, isAll ? 'remotes/' : '');
      return {
        short,
        oid,
        isCurrent: name === head.ref,
        isRemote: name.startsWith('refs/remotes/'),
        ref: name,
        target,
      };
    }),
  );
  if (
    head.ref === undefined &&
    head.oid !== undefined &&
    !given.has('remotes') &&
    given.operands.length === 0
  )
    rows.unshift({
      short: `(${await detachedAt(repo)})`,
      oid: head.oid,
      isCurrent: true,
      isRemote: false,
      ref: 'HEAD',
      target: undefined,
    });
  const width = Math.max(0, ...rows.map(({ short }) => [...short].length));
  const length = given.has('no-abbrev') ? 40 : Number(given.value('abbrev') || 7);
  const detail = given.order.filter(([name]) => name === 'verbose').length;
  for (const { short, oid, isCurrent, isRemote, ref, target } of rows) {
    const mark = isCurrent ? '* ' : '  ';
    const name = painter.paint(
      isCurrent ? 'green' : isRemote ? 'red' : 'normal',
      detail > 0 ? short.padEnd(width) : short,
    );
    if (target !== undefined) {
      git.out(`${mark}${name} -> ${target.replace(/^refs\/remotes\//, '')}\n`);
      continue;
    }
    if (detail === 0) {
      git.out(`${mark}${name}\n`);
      continue;
    }
    const subject = subjectOf((await repo.objects.commit(oid)).message);
    git.out(`${mark}${name} ${oid.slice(0, length)} ${await trackingNote(repo, ref, detail)}${subject}\n`);
  }
  return 0;
}

async function trackingNote(repo: Repo, ref: string, detail: number): Promise<string> {
  const tracking = ref.startsWith('refs/heads/') ? await trackingOf(repo, ref) : undefined;
  if (!tracking) return '';
  const { name, counts } = tracking;
  const state = !counts
    ? ['gone']
    : [
        ...(counts.ahead > 0 ? [`ahead ${counts.ahead}`] : []),
        ...(counts.behind > 0 ? [`behind ${counts.behind}`] : []),
      ];
  if (detail === 1) return state.length > 0 ? `[${state.join(', ')}] ` : '';
  return `[${name}${state.length > 0 ? `: ${state.join(', ')}` : ''}] `;
}

async function wantedRefs(repo: Repo, given: Given): Promise<NamedRef[]> {
  const prefixes = given.has('all')
    ? ['refs/heads/', 'refs/remotes/']
    : given.has('remotes')
      ? ['refs/remotes/']
      : ['refs/heads/'];
  const found: NamedRef[] = [];
  for (const prefix of prefixes)
    for (const [name, oid] of await repo.refs.list(prefix)) found.push({ name, oid });
  const globs = given.operands.map((glob) => new RegExp(`^${globSource(glob, false)}$`));
  const named = found.filter(
    ({ name }) =>
      globs.length === 0 || globs.some((glob) => glob.test(name.replace(/^refs\/(heads|remotes)\//, ''))),
  );
  const kept = await filterRefs(repo, named, given);
  const sort = given.values('sort');
  return sort.length > 0 ? sortRefs(repo, kept, sort) : kept;
}
