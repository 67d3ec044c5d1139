import { Fatal } from '../kit/fatal.ts';
import type { Git } from '../kit/git.ts';
import type { Repo } from '../kit/repo.ts';
import { isAncestor } from '../kit/walk.ts';
import { openRemote } from './open.ts';
import type { Remote, RemoteRef } from './remote.ts';
import { fetchAddress, remoteAddress } from './addresses.ts';

export interface Fetched {
  readonly ref: string;
  readonly oid: string;
  /** The description in FETCH_HEAD. */
  readonly note: string;
  readonly isForMerge: boolean;
}

export interface FetchOptions {
  readonly prune: boolean;
  readonly tags: boolean;
  readonly noTags?: boolean;
  readonly quiet: boolean;
  readonly dry: boolean;
  /** How many commits of each line of history come, and how many more than there are. */
  readonly depth?: number | undefined;
  readonly deepen?: number | undefined;
  readonly progress: boolean;
}

interface Update {
  readonly source: string;
  readonly target: string;
  readonly oid: string;
  readonly isForced: boolean;
}

/** The refs of a repository that a refspec such as `+refs/heads/*:refs/remotes/origin/*` names. */
function updatesOf(spec: string, refs: readonly RemoteRef[]): Update[] {
  const isForced = spec.startsWith('+');
  const [source = '', target = ''] = spec.replace(/^\+/, '').split(':');
  if (source.includes('*')) {
    const start = source.slice(0, source.indexOf('*'));
    return refs.flatMap(({ name, oid }) =>
      name.startsWith(start)
        ? [{ source: name, target: target.replace('*', name.slice(start.length)), oid, isForced }]
        : [],
    );
  }
  const found = refs.find(({ name }) =>
    [source, `refs/${source}`, `refs/heads/${source}`, `refs/tags/${source}`].includes(name),
  );
  if (!found) throw new Fatal(`couldn't find remote ref ${source}`);
  const full = target === '' || target.startsWith('refs/') ? target : `refs/heads/${target}`;
  return [{ source: found.name, target: full, oid: found.oid, isForced }];
}

/** The refs that have to be asked for to follow refspecs. */
function namesOf(specs: readonly string[]): string[] {
  return specs.flatMap((spec) => {
    const [source = ''] = spec.replace(/^\+/, '').split(':');
    if (source === 'HEAD') return [];
    if (source.includes('*')) return [source.slice(0, source.lastIndexOf('/', source.indexOf('*')) + 1)];
    if (source.startsWith('refs/')) return [source];
    return [
      ...(source.includes('/') ? [`refs/${source}`] : []),
      `refs/heads/${source}`,
      `refs/tags/${source}`,
    ];
  });
}

/** Brings the commits of another repository here, and notes where its branches are. */
export async function fetchFrom(
  git: Git,
  repo: Repo,
  remote: string,
  specs: readonly string[],
  options: FetchOptions,
): Promise<Fetched[]> {
  const url = remoteAddress(repo.config, remote) ?? fetchAddress(repo.config, remote);
  const isNamed = repo.config.get(`remote.${remote}.url`) !== undefined;
  const other = await openRemote(git, url, repo.isBare ? repo.gitdir : repo.worktree.top);
  const configured = isNamed ? repo.config.getAll(`remote.${remote}.fetch`) : [];
  const asked = specs.length > 0 ? specs : configured.length > 0 ? configured : ['HEAD'];
  const refs = await other.refs(
    namesOf([...asked, ...(specs.length > 0 ? configured.filter((one) => !one.includes('*')) : [])]),
  );
  const updates = asked.flatMap((spec) => updatesOf(spec, refs));
  // A branch that is named alone is noted where the settings would put it, too.
  const also =
    specs.length > 0
      ? configured
          .filter(
            (spec) =>
              spec.includes('*') || refs.some(({ name }) => spec.replace(/^\+/, '').startsWith(`${name}:`)),
          )
          .flatMap((spec) => updatesOf(spec, refs))
          .filter(({ source }) => updates.some((each) => each.source === source && each.target === ''))
      : [];
  const oids = updates.map(({ oid }) => oid);
  const depth = options.deepen === undefined ? options.depth : options.deepen + (await depthOf(repo));
  await other.receive(repo, oids, { depth, progress: options.progress });
  const lines: string[] = [];
  for (const update of [...updates, ...also])
    if (update.target !== '') lines.push(...(await store(repo, update, options)));
  lines.push(...(await followTags(repo, other, options)));
  if (options.prune && isNamed) lines.push(...(await prune(repo, remote, updates, options)));
  if (lines.length > 0 && !options.quiet) await git.err(`From ${url}\n${lines.join('')}`);
  if (specs.length > 0 && !options.quiet && lines.length === 0) {
    const shown = updates.map(
      ({ source }) =>
        ` * branch            ${source.replace(/^refs\/(heads|tags)\//, '').padEnd(10)} -> FETCH_HEAD\n`,
    );
    await git.err(`From ${url}\n${shown.join('')}`);
  }
  return note(repo, url, remote, specs, updates);
}

async function store(
  repo: Repo,
  { source, target, oid, isForced }: Update,
  { dry }: FetchOptions,
): Promise<string[]> {
  const before = await repo.refs.resolve(target);
  if (before === oid) return [];
  const short = source.replace(/^refs\/(heads|tags)\//, '').padEnd(10);
  const shown = target.replace(/^refs\/(heads|tags|remotes)\//, '');
  const isForward = before === undefined || (await isAncestor(repo, before, oid));
  if (!isForward && !isForced) return [` ! [rejected]        ${short} -> ${shown}  (non-fast-forward)\n`];
  if (!dry)
    await repo.refs.update(
      target,
      oid,
      before === undefined
        ? 'fetch: storing head'
        : isForward
          ? 'fetch: fast-forward'
          : 'fetch: forced-update',
    );
  if (before === undefined)
    return [
      ` * [new ${source.startsWith('refs/tags/') ? 'tag]        ' : 'branch]     '} ${short} -> ${shown}\n`,
    ];
  const dots = isForward ? '..' : '...';
  return [
    ` ${isForward ? ' ' : '+'} ${before.slice(0, 7)}${dots}${oid.slice(0, 7)}${isForward ? ' ' : ''} ${short} -> ${shown}${isForward ? '' : '  (forced update)'}\n`,
  ];
}

/** Tags of commits that are here come along. */
async function followTags(repo: Repo, other: Remote, options: FetchOptions): Promise<string[]> {
  if (options.noTags) return [];
  const lines: string[] = [];
  const fresh: RemoteRef[] = [];
  for (const tag of await other.tags(repo, options.tags))
    if ((await repo.refs.resolve(tag.name)) === undefined) fresh.push(tag);
  if (fresh.length > 0) {
    const oids = fresh.map(({ oid }) => oid);
    await other.receive(repo, oids, { depth: options.depth, progress: options.progress });
  }
  for (const { name, oid } of fresh) {
    if (!options.dry) await repo.refs.update(name, oid, '');
    const short = name.slice('refs/tags/'.length);
    lines.push(` * [new tag]         ${short.padEnd(10)} -> ${short}\n`);
  }
  return lines;
}

/** How many commits the longest line from HEAD to the edge of a shallow clone has. */
async function depthOf(repo: Repo): Promise<number> {
  const { oid } = await repo.refs.head();
  const seen = new Set<string>();
  let depth = 0;
  for (let front = oid === undefined ? [] : [oid]; front.length > 0; depth++) {
    const commits = await Promise.all(front.map((each) => repo.objects.commit(each)));
    front = [...new Set(commits.flatMap(({ parents }) => parents))].filter((each) => !seen.has(each));
    for (const each of front) seen.add(each);
  }
  return depth;
}

async function prune(
  repo: Repo,
  remote: string,
  updates: readonly Update[],
  { dry }: FetchOptions,
): Promise<string[]> {
  const lines: string[] = [];
  for (const [name] of await repo.refs.list(`refs/remotes/${remote}/`)) {
    if (name.endsWith('/HEAD') || updates.some(({ target }) => target === name)) continue;
    if (!dry) await repo.refs.delete(name);
    lines.push(` - [deleted]         (none)     -> ${name.slice('refs/remotes/'.length)}\n`);
  }
  return lines;
}

async function note(
  repo: Repo,
  url: string,
  remote: string,
  specs: readonly string[],
  updates: readonly Update[],
): Promise<Fetched[]> {
  const { ref } = await repo.refs.head();
  const branch = (ref ?? '').replace(/^refs\/heads\//, '');
  const merges =
    repo.config.get(`branch.${branch}.remote`) === remote ? repo.config.getAll(`branch.${branch}.merge`) : [];
  const fetched = updates.map(({ source, oid }) => {
    const kind = source.startsWith('refs/heads/') ? 'branch' : source.startsWith('refs/tags/') ? 'tag' : '';
    const isForMerge = specs.length > 0 || merges.includes(source) || source === 'HEAD';
    const name = kind === '' ? '' : `${kind} '${source.replace(/^refs\/(heads|tags)\//, '')}' of `;
    return { ref: source, oid, note: `${name}${url.replace(/\.git$/, '')}`, isForMerge };
  });
  const sorted = [...fetched].sort((a, b) => Number(b.isForMerge) - Number(a.isForMerge));
  await repo.writeState(
    'FETCH_HEAD',
    sorted
      .map(({ oid, note: text, isForMerge }) => `${oid}\t${isForMerge ? '' : 'not-for-merge'}\t${text}\n`)
      .join(''),
  );
  return sorted;
}
