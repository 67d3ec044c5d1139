import { diffOptions, DIFF_WORDS } from '../diff/options.ts';
import { readsShown } from '../diff/renames.ts';
import { changesFor, showChanges } from '../diff/show.ts';
import { Fatal, problem } from '../kit/fatal.ts';
import type { Command, Git } from '../kit/git.ts';
import { NO_STAT, type IndexEntry } from '../kit/index-file.ts';
import type { Commit } from '../kit/objects.ts';
import { subjectOf } from '../kit/message.ts';
import { aroundDashes, parse, type Given } from '../kit/options.ts';
import type { Repo } from '../kit/repo.ts';
import { resolve } from '../kit/revisions.ts';
import {
  filesOf,
  filesOfIndex,
  pairsOf,
  treePairs,
  writeTrees,
  type Pair,
  type Version,
} from '../kit/trees.ts';
import { writeCommit } from '../kit/write-commit.ts';
import { showReflog } from '../log/reflog.ts';
import { LOG_WORDS } from './log.ts';
import { applyMerge } from '../merge/apply.ts';
import { mergeTrees } from '../merge/trees.ts';
import { gather } from '../status/gather.ts';
import { longStatus } from '../status/long.ts';
import { checkout } from './checkout.ts';
import { switchFiles } from '../tree/switch.ts';

const REF = 'refs/stash';
const PUSH = 'p|patch k|keep-index no-keep-index q|quiet u|include-untracked a|all m|message:';

export const stash: Command = async (git, args) => {
  const [first = 'push', ...rest] = args;
  const repo = await git.repo();
  switch (first) {
    case 'list':
      return list(git, repo, rest);
    case 'create':
      return create(git, repo, rest);
    case 'store':
      return store(git, repo, rest);
    case 'show':
      return show(git, repo, rest);
    case 'pop':
    case 'apply':
      return apply(git, repo, rest, first);
    case 'drop': {
      const given = parse('stash drop', rest, 'q|quiet');
      return drop(git, repo, given.operands[0], given.has('quiet'));
    }
    case 'clear':
      await repo.refs.delete(REF);
      return 0;
    case 'branch':
      return toBranch(git, repo, rest);
    case 'save':
    case 'push':
      return push(git, repo, rest, first === 'save');
  }
  if (!first.startsWith('-')) throw new Fatal(`unknown subcommand: ${first}`, 129, 'error: ');
  return push(git, repo, args, false);
};

async function push(git: Git, repo: Repo, args: readonly string[], isSave: boolean): Promise<number> {
  const given = parse('stash push', args, PUSH);
  if (given.has('patch'))
    throw problem('-p is not there for stash: name the paths with git stash push -- PATH...');
  const head = await firstCommit(repo);
  const [before, after] = aroundDashes(given);
  const words = isSave ? [] : [...before, ...(after ?? [])];
  const pathspec = repo.pathspec(words);
  const headFiles = await filesOf(repo.objects, head.tree);
  const wanted = (path: string) => pathspec.matches(path);
  const changed = (await repo.worktreePairs()).filter(({ path }) => wanted(path));
  const index = await indexFiles(repo);
  const withUntracked = given.has('include-untracked') || given.has('all');
  const others = withUntracked ? await untrackedFiles(repo, given, wanted) : [];
  const staged = pairsOf(headFiles, index).filter(({ path }) => wanted(path));
  if (words.length > 0) {
    const unmatched = pathspec.unmatched([...index.keys(), ...others]);
    if (unmatched !== undefined)
      throw problem(
        `pathspec ':(prefix:0)${unmatched}' did not match any file(s) known to git\nDid you forget to 'git add'?`,
      );
  }
  if (changed.length === 0 && staged.length === 0 && others.length === 0) {
    if (!given.has('quiet')) git.out('No local changes to save\n');
    return 0;
  }
  const work = await workFiles(repo, index, changed);
  if (words.length > 0)
    for (const [path] of pairsOf(headFiles, index).map(({ path }) => [path] as const))
      if (!wanted(path)) restoreIn(work, headFiles, path);
  const text = isSave ? given.operands.join(' ') : (given.value('message') ?? '');
  const { oid, message } = await record(git, repo, head.oid, { index, work, others, text });
  await repo.refs.update(REF, oid, message);
  if (!given.has('quiet')) git.out(`Saved working directory and index state ${message}\n`);
  await cleanUp(repo, given, { headFiles, index, work, others, wanted });
  return 0;
}

async function firstCommit(repo: Repo): Promise<Commit> {
  const head = await repo.headCommit();
  if (!head) throw problem('You do not have the initial commit yet');
  return head;
}

async function indexFiles(repo: Repo): Promise<Map<string, Version>> {
  const entries = await repo.index();
  const conflict = entries.find(({ stage }) => stage > 0);
  if (conflict) throw problem(`${conflict.path}: needs merge`);
  return filesOfIndex(entries);
}

/** The files of the working tree, stored as objects. */
async function workFiles(
  repo: Repo,
  index: ReadonlyMap<string, Version>,
  changed: readonly Pair[],
): Promise<Map<string, Version>> {
  const work = new Map(index);
  for (const { path, after } of changed)
    if (after) work.set(path, await stored(repo, path));
    else work.delete(path);
  return work;
}

/** Makes the commits of a stash, and leaves everything else as it is. */
async function create(git: Git, repo: Repo, words: readonly string[]): Promise<number> {
  const head = await firstCommit(repo);
  const index = await indexFiles(repo);
  const changed = await repo.worktreePairs();
  const staged = pairsOf(await filesOf(repo.objects, head.tree), index);
  if (changed.length === 0 && staged.length === 0) return 0;
  const work = await workFiles(repo, index, changed);
  const { oid } = await record(git, repo, head.oid, { index, work, others: [], text: words.join(' ') });
  git.out(`${oid}\n`);
  return 0;
}

/** Puts commits that `stash create` has made into the list. */
async function store(git: Git, repo: Repo, args: readonly string[]): Promise<number> {
  const given = parse('stash store', args, 'm|message: q|quiet');
  const [word, ...others] = given.operands;
  if (word === undefined || others.length > 0) {
    if (!given.has('quiet')) await git.err('"git stash store" requires one <commit> argument\n');
    return 1;
  }
  const { oid } = await repo.objects.commit(await resolve(repo, word));
  if ((await repo.refs.resolve(REF)) === oid) return 0;
  await repo.refs.update(REF, oid, given.value('message') ?? 'Created via "git stash store".');
  return 0;
}

function restoreIn(files: Map<string, Version>, from: ReadonlyMap<string, Version>, path: string): void {
  const version = from.get(path);
  if (version) files.set(path, version);
  else files.delete(path);
}

async function stored(repo: Repo, path: string): Promise<Version> {
  const stat = await repo.worktree.lstat(path);
  if (!stat) throw new Fatal(`${path} is gone`);
  const { oid, mode } = await repo.entryFor(path, stat);
  return { oid, mode };
}

async function untrackedFiles(
  repo: Repo,
  given: Given,
  wanted: (path: string) => boolean,
): Promise<string[]> {
  const tracked = new Set((await repo.index()).map(({ path }) => path));
  const ignores = given.has('all') ? undefined : repo.ignores;
  const { untracked } = await repo.worktree.untracked(tracked, ignores, { all: true });
  return untracked.filter((path) => !path.endsWith('/') && wanted(path));
}

interface Stashing {
  readonly index: ReadonlyMap<string, Version>;
  readonly work: ReadonlyMap<string, Version>;
  readonly others: readonly string[];
  readonly text: string;
}

/** Writes the commits of a stash. */
async function record(
  git: Git,
  repo: Repo,
  head: string,
  { index, work, others, text }: Stashing,
): Promise<{ readonly oid: string; readonly message: string }> {
  const { ref } = await repo.refs.head();
  const branch = ref === undefined ? '(no branch)' : ref.replace(/^refs\/heads\//, '');
  const base = `${branch}: ${head.slice(0, 7)} ${subjectOf((await repo.objects.commit(head)).message)}`;
  const [author, committer] = [await git.person('AUTHOR'), await git.person('COMMITTER')];
  const make = async (files: ReadonlyMap<string, Version>, parents: readonly string[], message: string) =>
    writeCommit(repo.objects, {
      tree: await writeTrees(repo.objects, files),
      parents,
      author,
      committer,
      message,
    });
  const indexCommit = await make(index, [head], `index on ${base}\n`);
  const parents = [head, indexCommit];
  if (others.length > 0) {
    const files = new Map<string, Version>();
    for (const path of others) files.set(path, await stored(repo, path));
    parents.push(await make(files, [], `untracked files on ${base}\n`));
  }
  const message = text === '' ? `WIP on ${base}` : `On ${branch}: ${text}`;
  return { oid: await make(work, parents, message), message };
}

interface Cleaning {
  readonly headFiles: ReadonlyMap<string, Version>;
  readonly index: ReadonlyMap<string, Version>;
  readonly work: ReadonlyMap<string, Version>;
  readonly others: readonly string[];
  readonly wanted: (path: string) => boolean;
}

/** Takes what was stashed out of the working tree. */
async function cleanUp(
  repo: Repo,
  given: Given,
  { headFiles, index, others, wanted }: Cleaning,
): Promise<void> {
  const target = new Map<string, Version>();
  const keeps = given.has('keep-index');
  for (const path of new Set([...headFiles.keys(), ...index.keys()])) {
    const version = wanted(path) && !keeps ? headFiles.get(path) : index.get(path);
    if (version) target.set(path, version);
  }
  const all = [...new Set([...headFiles.keys(), ...index.keys()])];
  if (all.every(wanted)) await switchFiles(repo, index, target, { what: 'reset', force: true });
  else {
    const writes = [...target].filter(([path]) => wanted(path));
    const gone = all.filter((path) => wanted(path) && !target.has(path));
    await Promise.all(writes.map(([path, version]) => repo.worktree.write(path, version, repo.objects)));
    await repo.worktree.remove(gone);
    const touched = new Set([...writes.map(([path]) => path), ...gone]);
    const fresh = await Promise.all(writes.map(([path, version]) => repo.writtenEntry(path, version)));
    await repo.saveIndex([...(await repo.index()).filter(({ path }) => !touched.has(path)), ...fresh]);
  }
  await repo.worktree.remove(others);
}

async function list(git: Git, repo: Repo, args: readonly string[]): Promise<number> {
  const given = parse('stash list', args, LOG_WORDS, { number: 'max-count' });
  git.page();
  if ((await repo.refs.resolve(REF)) === undefined) return 0;
  // The whole name stands where git chooses the format itself.
  const operands = [given.has('oneline') ? REF : 'stash'];
  return showReflog(git, repo, { ...given, operands }, '%gd: %gs');
}

function numberOf(word: string | undefined): number {
  const [, digits] = /^(?:stash@\{)?(\d+)\}?$/.exec(word ?? '0') ?? [];
  if (digits === undefined) throw problem(`${word ?? ''} is not a valid reference`);
  return Number(digits);
}

async function find(repo: Repo, word: string | undefined) {
  const entries = await repo.refs.entries(REF);
  const at = numberOf(word);
  const entry = entries[at];
  if (!entry) {
    if (entries.length === 0) throw problem('No stash entries found.');
    throw problem(`stash@{${at}} is not a valid reference`);
  }
  return { at, oid: entry.to, entries };
}

async function show(git: Git, repo: Repo, args: readonly string[]): Promise<number> {
  const given = parse('stash show', args, `${DIFF_WORDS} include-untracked`);
  const { oid } = await find(repo, given.operands[0]);
  const { tree, parents } = await repo.objects.commit(oid);
  const base = parents[0] === undefined ? undefined : (await repo.objects.commit(parents[0])).tree;
  const options = await diffOptions(git, given);
  const read = readsShown(repo);
  git.page();
  const changes = await changesFor(await treePairs(repo.objects, base, tree), read, options);
  await showChanges(git, changes, read, options, options.formats.length > 0 ? options.formats : ['stat']);
  return 0;
}

async function apply(git: Git, repo: Repo, args: readonly string[], kind: 'pop' | 'apply'): Promise<number> {
  const given = parse(`stash ${kind}`, args, 'index q|quiet');
  const { at, oid } = await find(repo, given.operands[0]);
  const hasConflicts = await applyStash(git, repo, oid, given.has('index'));
  git.forget();
  const fresh = await git.repo();
  if (!given.has('quiet')) {
    const status = await gather(fresh, { untracked: 'normal', ignored: false, renames: true });
    git.out(await longStatus(git, fresh, status, { untracked: 'normal', showsIgnored: false }));
  }
  if (hasConflicts) {
    if (kind === 'pop') git.out('The stash entry is kept in case you need it again.\n');
    return 1;
  }
  return kind === 'pop' ? drop(git, fresh, String(at), given.has('quiet')) : 0;
}

/** Answers whether there are conflicts. */
async function applyStash(git: Git, repo: Repo, oid: string, withIndex: boolean): Promise<boolean> {
  const { tree, parents } = await repo.objects.commit(oid);
  const treeOf = async (commit: string | undefined) =>
    commit === undefined ? undefined : (await repo.objects.commit(commit)).tree;
  const [base, work, staged] = await Promise.all([
    treeOf(parents[0]).then((each) => filesOf(repo.objects, each)),
    filesOf(repo.objects, tree),
    treeOf(parents[1]).then((each) => filesOf(repo.objects, each)),
  ]);
  const entries = await repo.index();
  if (entries.some(({ stage }) => stage > 0))
    throw problem(`${entries.find(({ stage }) => stage > 0)?.path ?? ''}: needs merge`);
  const ours = filesOfIndex(entries);
  const labels = { ours: 'Updated upstream', base: 'Stash base', theirs: 'Stashed changes' };
  if (pairsOf(base, work).length === 0) git.out('Already up to date.\n');
  const index = withIndex ? await mergeTrees(repo.objects, base, ours, staged, { labels }) : undefined;
  if (index && index.conflicts.length > 0) throw problem('conflicts in index. Try without --index.');
  const merged = await mergeTrees(repo.objects, base, ours, work, { labels });
  for (const line of merged.messages) git.out(`${line}\n`);
  await applyMerge(repo, ours, merged);
  await restoreUntracked(repo, await treeOf(parents[2]));
  if (merged.conflicts.length > 0) return true;
  const now = await repo.index();
  await repo.saveIndex(index ? stagedAgain(now, index.files) : stagedBefore(now, entries));
  return false;
}

/** Stages the versions that the stash had staged. Those that differ from the working tree are compared with it again. */
function stagedAgain(now: readonly IndexEntry[], files: ReadonlyMap<string, Version>): IndexEntry[] {
  const known = new Map(now.map((entry) => [entry.path, entry]));
  return [...files].map(([path, version]) => {
    const entry = known.get(path);
    return entry?.oid === version.oid ? entry : { ...NO_STAT, ...version, path, stage: 0 };
  });
}

/** Leaves staged what was staged before the stash was applied. Only the stash's new files are staged too. */
function stagedBefore(now: readonly IndexEntry[], before: readonly IndexEntry[]): IndexEntry[] {
  const known = new Map(before.map((entry) => [entry.path, entry]));
  const there = new Set(now.map(({ path }) => path));
  return [
    ...now.map((entry) => {
      const own = known.get(entry.path);
      return own && own.oid !== entry.oid ? own : entry;
    }),
    ...before.filter(({ path }) => !there.has(path)),
  ];
}

async function restoreUntracked(repo: Repo, tree: string | undefined): Promise<void> {
  if (tree === undefined) return;
  const files = await filesOf(repo.objects, tree);
  for (const path of files.keys())
    if (await repo.worktree.lstat(path))
      throw problem(
        `${path} already exists, no checkout\nerror: could not restore untracked files from stash`,
      );
  await Promise.all([...files].map(([path, version]) => repo.worktree.write(path, version, repo.objects)));
}

async function drop(git: Git, repo: Repo, word: string | undefined, quiet: boolean): Promise<number> {
  const { at, oid, entries } = await find(repo, word);
  const left = entries.filter((_, index) => index !== at);
  if (left.length === 0) await repo.refs.delete(REF);
  else {
    // Each entry says where the one before it was.
    const chained = left.map((entry, index) => ({ ...entry, from: left[index + 1]?.to ?? '0'.repeat(40) }));
    await repo.writeState(REF, `${left[0]?.to ?? ''}\n`);
    await repo.refs.writeLog(REF, chained);
  }
  const name = word === undefined || /^\d+$/.test(word) ? `refs/stash@{${at}}` : word;
  if (!quiet) git.out(`Dropped ${name} (${oid})\n`);
  return 0;
}

async function toBranch(git: Git, repo: Repo, args: readonly string[]): Promise<number> {
  const [name = '', word] = args;
  const { oid } = await find(repo, word);
  const [start = 'HEAD'] = (await repo.objects.commit(oid)).parents;

  const code = await checkout(git, ['-b', name, start]);
  git.forget();
  return code === 0
    ? apply(git, await git.repo(), ['--index', ...(word === undefined ? [] : [word])], 'pop')
    : code;
}
