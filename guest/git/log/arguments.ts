import type { Git } from '../kit/git.ts';
import { Fatal } from '../kit/fatal.ts';
import { globSource } from '../kit/pathspec.ts';
import { aroundDashes, type Given } from '../kit/options.ts';
import type { Repo } from '../kit/repo.ts';
import { whyUnknown } from '../kit/missing-path.ts';
import { resolveCommit, tryResolve } from '../kit/revisions.ts';
import { mergeBases } from '../kit/walk.ts';

export interface Range {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** The words that are no revisions: paths. */
  readonly paths: readonly string[];
  /** The two sides of `A...B`. */
  readonly sides: readonly [string, string] | undefined;
  /** Whether a revision or an option such as `--all` was given. */
  readonly isGiven: boolean;
  /** The words that are revisions. */
  readonly words: readonly string[];
}

export const REVISION_WORDS = 'all branches? tags? remotes? not';

/** Reads revisions and paths. Without `--`, the first word that is no revision has to be a path. */
export async function rangeOf(git: Git, repo: Repo, given: Given): Promise<Range> {
  const [before, after] = aroundDashes(given);
  const include: string[] = [];
  const exclude: string[] = [];
  const words: string[] = [];
  const paths: string[] = [];
  let sides: readonly [string, string] | undefined;
  const isNot = given.has('not');
  for (const [at, word] of before.entries()) {
    const positive = await revisionOf(repo, word);
    // Behind `--not`, which has to come last, revisions are left out.
    const found =
      positive && isNot
        ? { include: positive.exclude, exclude: positive.include, sides: positive.sides }
        : positive;
    if (!found) {
      if (after === undefined && (await isPath(git, repo, word))) {
        const rest = before.slice(at);
        for (const each of rest.slice(1))
          if (!(await isPath(git, repo, each))) throw await whyUnknown(repo, each);
        paths.push(...rest);
        break;
      }
      if (after !== undefined) throw new Fatal(`bad revision '${word}'`);
      throw await whyUnknown(repo, word);
    }
    words.push(word);
    include.push(...found.include);
    exclude.push(...found.exclude);
    sides = found.sides ?? sides;
  }
  const isGiven = words.length > 0 || ['all', 'branches', 'tags', 'remotes'].some((name) => given.has(name));
  include.push(...(await allOf(repo, given)));
  return { include, exclude, paths: [...paths, ...(after ?? [])], sides, isGiven, words };
}

const FOLDERS = new Map([
  ['all', 'refs/'],
  ['branches', 'refs/heads/'],
  ['tags', 'refs/tags/'],
  ['remotes', 'refs/remotes/'],
]);

/** A pattern without wildcards names a folder of refs. */
function isLike(ref: string, glob: string): boolean {
  const whole = /[*?[]/.test(glob) ? glob : `${glob.replace(/\/$/, '')}/*`;
  return new RegExp(`^${globSource(whole, false)}$`).test(ref);
}

async function allOf(repo: Repo, given: Given): Promise<string[]> {
  const found: string[] = [];
  for (const [option, glob] of given.order) {
    const folder = FOLDERS.get(option);
    if (folder === undefined) continue;
    for (const [name, oid] of await repo.refs.list(folder)) {
      if (glob !== '' && !isLike(name, `${folder}${glob}`)) continue;
      const commit = await repo.objects.peel(oid, 'commit');
      if (commit !== undefined) found.push(commit);
    }
  }
  const head = given.has('all') ? await repo.refs.resolve('HEAD') : undefined;
  return head === undefined ? found : [...found, head];
}

async function isPath(git: Git, repo: Repo, word: string): Promise<boolean> {
  if (repo.isBare) return false;
  if (word.startsWith(':') || /[*?[]/.test(word)) return true;
  return (await git.files.lstat(git.files.fs.resolvePath(git.cwd, word))) !== undefined;
}

export interface Revision {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly sides?: readonly [string, string] | undefined;
}

/** Undefined where the word names nothing. */
export async function revisionOf(repo: Repo, word: string): Promise<Revision | undefined> {
  const range = /^(.*?)(\.\.\.?)(.*)$/s.exec(word);
  if (range && !/^\.\.?(\/|$)/.test(word)) {
    const [, from = '', dots, to = ''] = range;
    const [a, b] = await Promise.all([commitOf(repo, from || 'HEAD'), commitOf(repo, to || 'HEAD')]);
    if (a === undefined || b === undefined) return undefined;
    if (dots === '..') return { include: [b], exclude: [a] };
    return { include: [a, b], exclude: await mergeBases(repo, a, b), sides: [a, b] };
  }
  if (word.startsWith('^')) {
    const oid = await commitOf(repo, word.slice(1));
    return oid === undefined ? undefined : { include: [], exclude: [oid] };
  }
  const many = /^(.*)\^(@|!|-(\d*))$/.exec(word);
  if (many) {
    const oid = await commitOf(repo, many[1] ?? '');
    if (oid === undefined) return undefined;
    const { parents } = await repo.objects.commit(oid);
    if (many[2] === '@') return { include: parents, exclude: [] };
    const number = Number(many[3] || 1);
    return { include: [oid], exclude: many[2] === '!' ? parents : parents.slice(number - 1, number) };
  }
  const oid = await commitOf(repo, word);
  return oid === undefined ? undefined : { include: [oid], exclude: [] };
}

async function commitOf(repo: Repo, word: string): Promise<string | undefined> {
  const oid = await tryResolve(repo, word);
  if (oid === undefined) return undefined;
  try {
    return await repo.objects.peel(oid, 'commit');
  } catch (error) {
    if (error instanceof Fatal && /^[0-9a-f]{40}$/.test(word)) throw new Fatal(`bad object ${word}`);
    throw error;
  }
}

/** Adds HEAD where no revision was given. */
export async function withHead(repo: Repo, range: Range): Promise<Range> {
  if (range.isGiven) return range;
  const { ref, oid } = await repo.refs.head();
  if (oid === undefined)
    throw new Fatal(
      `your current branch '${(ref ?? 'HEAD').replace(/^refs\/heads\//, '')}' does not have any commits yet`,
    );
  return { ...range, include: [await resolveCommit(repo, 'HEAD')] };
}
