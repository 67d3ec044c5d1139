import { combinedConflict } from '../diff/combined.ts';
import { DIFF_WORDS, diffOptions, type DiffOptions } from '../diff/options.ts';
import { readsShown, type Change, type ReadVersion } from '../diff/renames.ts';
import { changesFor, readsBoth, showChanges } from '../diff/show.ts';
import { noIndex } from '../diff/no-index.ts';
import { Fatal } from '../kit/fatal.ts';
import { whyUnknown } from '../kit/missing-path.ts';
import type { Command, Git } from '../kit/git.ts';
import { aroundDashes, parse, type Given } from '../kit/options.ts';
import type { Pathspec } from '../kit/pathspec.ts';
import type { Repo } from '../kit/repo.ts';
import { checkShown, resolve, tryResolve } from '../kit/revisions.ts';
import { filesOf, filesOfIndex, pairsOf, treePairs, type Pair } from '../kit/trees.ts';
import { mergeBases } from '../kit/walk.ts';

const WORDS = `${DIFF_WORDS} staged|cached no-index merge-base 1|base 2|ours 3|theirs 0 output:`;

export const diff: Command = async (git, args) => {
  const given = parse('diff', args, WORDS);
  const place = await git.place();
  git.page();
  const file = given.value('output');
  if (file !== undefined) git.writeTo(git.files.fs.resolvePath(git.cwd, file));
  if (given.has('no-index') || (!place && given.operands.length === 2)) return noIndex(git, given);
  if (!place)
    throw new Fatal(
      'Not a git repository. Use --no-index to compare two paths outside a working tree',
      129,
      'warning: ',
    );
  const repo = await git.repo();
  const options = await diffOptions(git, given);
  const { revisions, paths } = await argumentsOf(git, repo, given);
  const found = await compared(
    repo,
    given,
    revisions,
    paths.length > 0 ? repo.pathspec(paths) : undefined,
    options,
  );
  const shown = relativeTo(repo, found.changes, options);
  const formats = options.isSilent ? [] : options.formats.length > 0 ? options.formats : (['patch'] as const);
  const isQuiet = given.has('quiet');
  if (!isQuiet) {
    if (formats.includes('patch'))
      for (const text of await conflictTexts(repo, shown, options, found.isWorktree)) git.out(text);
    const plain = formats.every((format) => format === 'patch')
      ? shown.filter(({ status }) => status !== 'U' || !found.isWorktree)
      : shown;
    await showChanges(git, plain, found.read, options, formats);
  }
  if (given.has('check')) return checkBlanks(git, shown, found.read);
  return (given.has('exit-code') || isQuiet) && shown.length > 0 ? 1 : 0;
};

interface Compared {
  readonly changes: readonly Change[];
  readonly read: ReadVersion;
  readonly isWorktree: boolean;
}

async function argumentsOf(
  git: Git,
  repo: Repo,
  given: Given,
): Promise<{ revisions: string[]; paths: string[] }> {
  const [before, after] = aroundDashes(given);
  const revisions: string[] = [];
  for (const [at, word] of before.entries()) {
    const range = /^([^:]*?)\.\.\.?(.*)$/s.exec(word);
    const isRange = range !== null && !/^\.\.?(\/|$)/.test(word);
    const isRevision = isRange
      ? (await tryResolve(repo, range[1] || 'HEAD')) !== undefined &&
        (await tryResolve(repo, range[2] || 'HEAD')) !== undefined
      : (await tryResolve(repo, word)) !== undefined;
    if (isRevision) {
      revisions.push(word);
      continue;
    }
    if (after !== undefined) throw new Fatal(`bad revision '${word}'`);
    for (const each of before.slice(at)) {
      const full = git.files.fs.resolvePath(git.cwd, each);
      if (!/^:|[*?[]/.test(each) && !(await git.files.lstat(full))) throw await whyUnknown(repo, each);
    }
    return { revisions, paths: [...before.slice(at)] };
  }
  return { revisions, paths: [...(after ?? [])] };
}

/** Finds what the words ask to compare. */
async function compared(
  repo: Repo,
  given: Given,
  words: readonly string[],
  paths: Pathspec | undefined,
  options: DiffOptions,
): Promise<Compared> {
  const wanted = (pairs: readonly Pair[]) =>
    paths ? pairs.filter(({ path }) => paths.matches(path)) : pairs;
  const objects = readsShown(repo);
  const treeOf = async (spec: string) => {
    const oid = await resolve(repo, spec);
    const tree = await repo.objects.peel(oid, 'tree');
    if (tree === undefined) throw new Fatal(`${spec} is no tree`);
    return tree;
  };
  const [one, other] = await sidesOf(repo, words, given.has('merge-base'));
  if (one !== undefined && other !== undefined) {
    const blobs = await blobPair(repo, one, other);
    const pairs = blobs ?? wanted(await treePairs(repo.objects, await treeOf(one), await treeOf(other)));
    const changes = await changesFor(pairs, objects, options);
    return {
      changes: blobs ? changes.map((change) => ({ ...change, from: pathIn(one) })) : changes,
      read: objects,
      isWorktree: false,
    };
  }
  if (given.has('cached')) {
    const head = one ?? ((await repo.refs.resolve('HEAD')) === undefined ? undefined : 'HEAD');
    const before = await filesOf(repo.objects, head === undefined ? undefined : await treeOf(head));
    const entries = await repo.index();
    const unmerged = unmergedChanges(entries).filter(({ path }) => !paths || paths.matches(path));
    const inConflict = new Set(unmerged.map(({ path }) => path));
    const pairs = wanted(pairsOf(before, filesOfIndex(entries))).filter(({ path }) => !inConflict.has(path));
    return {
      changes: [...(await changesFor(pairs, objects, options)), ...unmerged],
      read: objects,
      isWorktree: false,
    };
  }
  const changed = await repo.worktreePairs(paths);
  const entries = await repo.index();
  const unmerged = unmergedChanges(entries).filter(({ path }) => !paths || paths.matches(path));
  if (one === undefined) {
    const read = readsBoth(repo, changed);
    return {
      changes: [...(await changesFor(changed, read, options)), ...unmerged].sort((a, b) =>
        a.path < b.path ? -1 : a.path > b.path ? 1 : 0,
      ),
      read,
      isWorktree: true,
    };
  }
  const now = filesOfIndex(entries);
  for (const { path, after } of changed) {
    if (after) now.set(path, after);
    else now.delete(path);
  }
  for (const { path } of unmerged) {
    const stat = await repo.worktree.lstat(path);
    if (stat) now.set(path, await repo.worktree.version(path, stat));
  }
  const pairs = wanted(pairsOf(await filesOf(repo.objects, await treeOf(one)), now));
  const changedPaths = new Set([...changed.map(({ path }) => path), ...unmerged.map(({ path }) => path)]);
  const read = readsBoth(
    repo,
    pairs.filter(({ path }) => changedPaths.has(path)),
  );
  return { changes: await changesFor(pairs, read, options), read, isWorktree: false };
}

async function sidesOf(
  repo: Repo,
  words: readonly string[],
  fromBase: boolean,
): Promise<[string | undefined, string | undefined]> {
  const [first, second] = words;
  if (words.length > 2) throw new Fatal('more than two revisions can not be compared');
  const [, from, dots, to] = /^(.*?)(\.\.\.?)(.*)$/s.exec(first ?? '') ?? [];
  if (dots !== undefined) {
    const [a, b] = [from || 'HEAD', to || 'HEAD'];
    return dots === '..' ? [a, b] : [await baseOf(repo, a, b), b];
  }
  if (!fromBase || first === undefined) return [first, second];
  return [await baseOf(repo, first, second ?? 'HEAD'), second];
}

async function baseOf(repo: Repo, one: string, other: string): Promise<string> {
  const [a, b] = await Promise.all([resolve(repo, `${one}^{commit}`), resolve(repo, `${other}^{commit}`)]);
  const [base] = await mergeBases(repo, a, b);
  if (base === undefined) throw new Fatal(`${one}...${other}: no merge base`);
  return base;
}

/** Two blobs, such as `HEAD:a` and `HEAD:b`, are compared directly. */
async function blobPair(repo: Repo, one: string, other: string): Promise<Pair[] | undefined> {
  const [a, b] = await Promise.all([resolve(repo, one), resolve(repo, other)]);
  const types = await Promise.all([repo.objects.read(a), repo.objects.read(b)]);
  if (types.some(({ type }) => type !== 'blob')) return undefined;
  await Promise.all([checkShown(repo, one), checkShown(repo, other)]);
  return a === b
    ? []
    : [{ path: pathIn(other), before: { mode: 0o100644, oid: a }, after: { mode: 0o100644, oid: b } }];
}

function pathIn(spec: string): string {
  return spec.slice(spec.indexOf(':') + 1);
}

function unmergedChanges(entries: readonly { readonly path: string; readonly stage: number }[]): Change[] {
  const paths = [...new Set(entries.flatMap(({ path, stage }) => (stage > 0 ? [path] : [])))];
  return paths.map((path) => ({
    status: 'U',
    from: path,
    path,
    before: undefined,
    after: undefined,
    score: 0,
  }));
}

async function conflictTexts(
  repo: Repo,
  changes: readonly Change[],
  options: DiffOptions,
  isWorktree: boolean,
): Promise<string[]> {
  if (!isWorktree) return [];
  const texts: string[] = [];
  for (const { status, path } of changes)
    if (status === 'U') texts.push(await combinedConflict(repo, path, options));
  return texts;
}

/** With `--relative`, names are those below the folder, and what is elsewhere is left out. */
function relativeTo(repo: Repo, changes: readonly Change[], { relative }: DiffOptions): readonly Change[] {
  if (relative === undefined) return changes;
  const prefix = relative === '' ? repo.prefix : `${relative.replace(/\/$/, '')}/`;
  const cut = (path: string) => (path.startsWith(prefix) ? path.slice(prefix.length) : path);
  return changes
    .filter(({ path }) => path.startsWith(prefix))
    .map((change) => ({ ...change, from: cut(change.from), path: cut(change.path) }));
}

async function checkBlanks(git: Git, changes: readonly Change[], read: ReadVersion): Promise<number> {
  let code = 0;
  for (const { path, after, before } of changes) {
    if (!after) continue;
    const text = new TextDecoder().decode(await read(after, path)).split('\n');
    const old = new Set(before ? new TextDecoder().decode(await read(before, path)).split('\n') : []);
    for (const [at, line] of text.entries()) {
      if (!/[ \t]+$/.test(line) || old.has(line)) continue;
      git.out(`${path}:${at + 1}: trailing whitespace.\n+${line}\n`);
      code = 2;
    }
  }
  return code;
}
