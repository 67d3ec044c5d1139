import { Fatal } from './fatal.ts';
import { readMoment } from './dates.ts';
import type { ObjectType } from './bytes.ts';
import { normalPath } from './pathspec.ts';
import type { Repo } from './repo.ts';
import { entryAt } from './trees.ts';
import { mergeBases, walk } from './walk.ts';

const TOP_NAMES = /^(?:[A-Z]+_HEAD|HEAD)$/;

/** The full name of the ref that a short name stands for. */
export async function refNamed({ refs }: Repo, name: string): Promise<string | undefined> {
  const places = ['', 'refs/', 'refs/tags/', 'refs/heads/', 'refs/remotes/'].map(
    (start) => `${start}${name}`,
  );
  for (const full of [...places, `refs/remotes/${name}/HEAD`]) {
    if (full === name && !TOP_NAMES.test(name) && !name.startsWith('refs/')) continue;
    if ((await refs.resolve(full)) !== undefined) return full;
  }
  return undefined;
}

/** The branch that a name such as `@{-1}`, `@{upstream}` or `topic` stands for, by its full name. */
export async function branchNamed(repo: Repo, name: string): Promise<string | undefined> {
  const before = /^(?:@\{-(\d+)\}|-)$/.exec(name);
  if (before) {
    const found = await previousBranch(repo, Number(before[1] ?? 1));
    return found === undefined ? undefined : `refs/heads/${found}`;
  }
  const full = `refs/heads/${name}`;
  return (await repo.refs.resolve(full)) === undefined ? undefined : full;
}

/** The branch or commit that was checked out before, as the log of HEAD tells. */
export async function previousBranch({ refs }: Repo, count: number): Promise<string | undefined> {
  const moves = (await refs.entries('HEAD')).flatMap(
    ({ message }) => /^checkout: moving from (\S+) to /.exec(message)?.[1] ?? [],
  );
  return moves[count - 1];
}

/** The upstream of a branch by its full name, such as `refs/remotes/origin/main`. */
export function upstreamOf({ config }: Repo, branch: string): string | undefined {
  const short = branch.replace(/^refs\/heads\//, '');
  const remote = config.get(`branch.${short}.remote`);
  const merge = config.get(`branch.${short}.merge`);
  if (remote === undefined || merge === undefined) return undefined;
  return remote === '.' ? merge : merge.replace(/^refs\/heads\//, `refs/remotes/${remote}/`);
}

/** Finds the object that a revision names, or answers undefined. */
export async function tryResolve(repo: Repo, spec: string): Promise<string | undefined> {
  if (spec.startsWith(':/')) return search(repo, spec.slice(2), await allTips(repo));
  if (spec.startsWith(':')) return inIndex(repo, spec.slice(1));
  const colon = colonOf(spec);
  if (colon >= 0) {
    const start = await tryResolve(repo, spec.slice(0, colon) || 'HEAD');
    const tree = start && (await repo.objects.peel(start, 'tree'));
    if (tree === undefined) return undefined;
    return (await entryAt(repo.objects, tree, fromTop(repo, spec.slice(colon + 1))))?.oid;
  }
  const [, base = '', suffix = ''] = /^(.*?)((?:\^(?:\{[^}]*\}|\d*)|~\d*)*)$/s.exec(spec) ?? [];
  let at = await named(repo, base);
  for (const [step] of suffix.matchAll(/\^\{[^}]*\}|\^\d*|~\d*/g)) {
    if (at === undefined) return undefined;
    at = await stepped(repo, at, step);
  }
  return at;
}

/** The path that a name such as `HEAD:a.txt` or `:0:a.txt` gives an object by, relative to the top. */
export function pathIn(repo: Repo, spec: string): string | undefined {
  if (spec.startsWith(':/')) return undefined;
  const colon = spec.startsWith(':') ? 0 : colonOf(spec);
  if (colon < 0) return undefined;
  const path = spec.slice(colon + 1);
  return fromTop(repo, colon === 0 ? path.replace(/^[0-3]:/, '') : path);
}

/** The path in a revision, relative to the top. It is relative to the folder of the command if it begins with dots. */
export function fromTop({ prefix }: Repo, path: string): string {
  return /^\.\.?\//.test(path) ? normalPath(prefix, path) : path;
}

/** Refuses to show an object that is named by a path which may not be read. */
export async function checkShown(repo: Repo, spec: string): Promise<void> {
  const path = pathIn(repo, spec);
  if (path !== undefined && path !== '' && !(await repo.mayRead(path)))
    throw new Fatal(`the content of '${path}' is kept from this command by the rules for reading`);
}

/** The colon between a revision and a path, outside of braces. */
export function colonOf(spec: string): number {
  let depth = 0;
  for (let at = 0; at < spec.length; at++) {
    const char = spec.charAt(at);
    if (char === '{') depth++;
    else if (char === '}') depth--;
    else if (char === ':' && depth === 0) return at;
  }
  return -1;
}

async function inIndex(repo: Repo, spec: string): Promise<string | undefined> {
  const [, stage = '0', given = ''] = /^(?:([0-3]):)?(.*)$/s.exec(spec) ?? [];
  const path = fromTop(repo, given);
  return (await repo.index()).find((entry) => entry.path === path && entry.stage === Number(stage))?.oid;
}

async function stepped(repo: Repo, at: string, step: string): Promise<string | undefined> {
  const { objects } = repo;
  if (step.startsWith('^{')) {
    const wanted = step.slice(2, -1);
    if (wanted === '' || wanted === 'object') return wanted === '' ? objects.peel(at, 'any') : at;
    if (wanted.startsWith('/')) return search(repo, wanted.slice(1), [at]);
    return objects.peel(at, wanted as ObjectType);
  }
  const commit = await objects.peel(at, 'commit');
  if (commit === undefined) return undefined;
  const count = step.length > 1 ? Number(step.slice(1)) : 1;
  if (step.startsWith('^')) return count === 0 ? commit : (await objects.commit(commit)).parents[count - 1];
  let now: string | undefined = commit;
  for (let left = count; left > 0 && now !== undefined; left--) now = (await objects.commit(now)).parents[0];
  return now;
}

async function named(repo: Repo, name: string): Promise<string | undefined> {
  const { refs, objects } = repo;
  if (name === '' || name === '@') return name === '' ? undefined : refs.resolve('HEAD');
  const braces = /^(.*)@\{([^{}]*)\}$/s.exec(name);
  if (braces) return inBraces(repo, braces[1] ?? '', braces[2] ?? '');
  const ref = await refNamed(repo, name);
  if (ref !== undefined) return refs.resolve(ref);
  const [, described] = /^.+-\d+-g([0-9a-f]{4,40})$/.exec(name) ?? [];
  const hex = (described ?? name).toLowerCase();
  if (/^[0-9a-f]{40}$/.test(hex)) return hex;
  if (!/^[0-9a-f]{4,39}$/.test(hex)) return undefined;
  const found = await objects.startingWith(hex);
  if (found.length > 1) throw new Fatal(`short object ID ${name} is ambiguous`);
  return found[0];
}

async function inBraces(repo: Repo, base: string, inner: string): Promise<string | undefined> {
  const { refs } = repo;
  const earlier = /^-(\d+)$/.exec(inner);
  if (earlier && base === '') {
    const name = await previousBranch(repo, Number(earlier[1]));
    return name === undefined ? undefined : named(repo, name);
  }
  const head = await refs.head();
  const isHead = base === '' || base === 'HEAD' || base === '@';
  if (/^(u|upstream|push)$/i.test(inner)) {
    const branch = isHead ? head.ref : `refs/heads/${base}`;
    const upstream = branch && upstreamOf(repo, branch);
    if (upstream === undefined)
      throw new Fatal(`no upstream configured for branch '${(branch ?? '').slice(11)}'`);
    return refs.resolve(upstream);
  }
  const ref = base === '' ? (head.ref ?? 'HEAD') : base === '@' ? 'HEAD' : await refNamed(repo, base);
  if (ref === undefined) return undefined;
  const entries = await refs.entries(ref);
  if (/^\d+$/.test(inner)) {
    const at = Number(inner);
    if (at === 0) return refs.resolve(ref);
    const found = entries[at]?.to ?? (at === entries.length ? entries[at - 1]?.from : undefined);
    if (found === undefined || /^0+$/.test(found))
      throw new Fatal(
        `log for '${base || (head.ref ?? '').replace('refs/heads/', '')}' only has ${entries.length} entries`,
      );
    return found;
  }
  const moment = readMoment(inner, 'UTC');
  if (moment === undefined) return undefined;
  return (entries.find(({ who }) => who.time <= moment) ?? entries.at(-1))?.to;
}

async function allTips({ refs }: Repo): Promise<string[]> {
  const head = await refs.resolve('HEAD');
  const ids = (await refs.list()).map(([, oid]) => oid);
  return head === undefined ? ids : [head, ...ids];
}

/** The newest commit whose message matches. */
async function search(repo: Repo, pattern: string, tips: readonly string[]): Promise<string | undefined> {
  const regex = new RegExp(pattern.replace(/^!!/, '!'));
  const commits: string[] = [];
  for (const tip of tips) {
    const commit = await repo.objects.peel(tip, 'commit');
    if (commit !== undefined) commits.push(commit);
  }
  for await (const commit of walk(repo, { include: commits }))
    if (regex.test(commit.message)) return commit.oid;
  return undefined;
}

export async function resolve(repo: Repo, spec: string): Promise<string> {
  const found = await tryResolve(repo, spec);
  if (found === undefined) throw unknownRevision(spec);
  return found;
}

/** The commit that a revision names. */
export async function resolveCommit(repo: Repo, spec: string): Promise<string> {
  const oid = await resolve(repo, spec);
  const commit = await repo.objects.peel(oid, 'commit');
  if (commit === undefined) throw new Fatal(`Needed a single revision: ${spec} is no commit`);
  return commit;
}

/** Resolves a commit; `A...B` is the merge base of the two. */
export async function commitOrBase(repo: Repo, word: string): Promise<string> {
  const sides = /^(.*)\.\.\.(.*)$/.exec(word);
  if (!sides) return resolveCommit(repo, word);
  const [base] = await mergeBases(
    repo,
    await resolveCommit(repo, sides[1] || 'HEAD'),
    await resolveCommit(repo, sides[2] || 'HEAD'),
  );
  if (base === undefined) throw new Fatal(`${word}: no merge base`);
  return base;
}

export async function resolveTree(repo: Repo, spec: string): Promise<string> {
  const tree = await repo.objects.peel(await resolve(repo, spec), 'tree');
  if (tree === undefined) throw new Fatal(`not a tree object: ${spec}`);
  return tree;
}

export function unknownRevision(spec: string): Fatal {
  return new Fatal(
    `ambiguous argument '${spec}': unknown revision or path not in the working tree.\n` +
      "Use '--' to separate paths from revisions, like this:\n" +
      "'git <command> [<revision>...] -- [<file>...]'",
  );
}
