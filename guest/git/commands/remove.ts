import { Fatal } from '../kit/fatal.ts';
import { baseOf } from '../kit/files.ts';
import type { Command, Git } from '../kit/git.ts';
import type { IndexEntry } from '../kit/index-file.ts';
import { aroundDashes, parse, type Given } from '../kit/options.ts';
import { normalPath } from '../kit/pathspec.ts';
import type { Repo } from '../kit/repo.ts';

export const rm: Command = async (git, args) => {
  const given = parse('rm', args, 'cached f|force r q|quiet n|dry-run ignore-unmatch sparse');
  const repo = await git.repo();
  const [before, after] = aroundDashes(given);
  const words = [...before, ...(after ?? [])];
  if (words.length === 0) throw new Fatal('No pathspec was given. Which files should I remove?');
  const pathspec = repo.pathspec(words);
  const entries = await repo.index();
  const paths = [...new Set(entries.map(({ path }) => path).filter((path) => pathspec.matches(path)))];
  const unmatched = pathspec.unmatched(paths);
  if (unmatched !== undefined) {
    if (given.has('ignore-unmatch')) return 0;
    throw new Fatal(`pathspec '${unmatched}' did not match any files`);
  }
  if (!given.has('r'))
    for (const { literal, text } of pathspec.patterns)
      if (literal !== undefined && !paths.includes(literal))
        throw new Fatal(`not removing '${text}' recursively without -r`);
  if (!given.has('force')) await checkSafe(repo, paths, given);
  for (const path of paths) if (!given.has('quiet')) git.out(`rm '${path}'\n`);
  if (given.has('dry-run')) return 0;
  const gone = new Set(paths);
  const kept = given.has('cached') ? [] : await repo.worktree.remove(paths);
  // As git does, which gives up only where nothing has been removed yet.
  if (kept.length > 0 && kept.length === paths.length)
    throw new Fatal(`git rm: '${paths[0]}': Permission denied`);
  await repo.saveIndex(entries.filter(({ path }) => !gone.has(path)));
  return 0;
};

/** Refuses to remove content that is nowhere else: staged changes, and changes of the working tree. */
async function checkSafe(repo: Repo, paths: readonly string[], given: Given): Promise<void> {
  const head = await repo.headFiles();
  const index = new Map(
    (await repo.index()).filter(({ stage }) => stage === 0).map((entry) => [entry.path, entry]),
  );
  const changed = new Set((await repo.worktreePairs()).filter(({ after }) => after).map(({ path }) => path));
  const kinds: Record<'both' | 'staged' | 'local', string[]> = { both: [], staged: [], local: [] };
  for (const path of paths) {
    const entry = index.get(path);
    if (!entry || entry.intent) continue;
    const isStaged = head.get(path)?.oid !== entry.oid;
    if (isStaged && changed.has(path)) kinds.both.push(path);
    else if (given.has('cached')) continue;
    else if (isStaged) kinds.staged.push(path);
    else if (changed.has(path)) kinds.local.push(path);
  }
  const text = (list: readonly string[], has: string, way: string) =>
    list.length === 0
      ? ''
      : `error: the following file${list.length === 1 ? ' has' : 's have'} ${has}:\n${list.map((path) => `    ${path}\n`).join('')}(use ${way})\n`;
  const all =
    text(kinds.both, 'staged content different from both the\nfile and the HEAD', '-f to force removal') +
    text(kinds.staged, 'changes staged in the index', '--cached to keep the file, or -f to force removal') +
    text(kinds.local, 'local modifications', '--cached to keep the file, or -f to force removal');
  if (all !== '') throw new Fatal(all.trimEnd(), 1, '');
}

export const mv: Command = async (git, args) => {
  const given = parse('mv', args, 'f|force n|dry-run v|verbose sparse');
  const repo = await git.repo();
  const target = given.operands.at(-1);
  const sources = given.operands.slice(0, -1);
  if (target === undefined || sources.length === 0)
    throw new Fatal('git mv [<options>] <source>... <destination>', 129, 'usage: ');
  const to = normalPath(repo.prefix, target);
  const intoFolder = await repo.files.isFolder(repo.worktree.absolute(to));
  if (sources.length > 1 && !intoFolder) throw new Fatal(`destination '${target}' is not a directory`);
  for (const source of sources) {
    const from = normalPath(repo.prefix, source);
    const at = intoFolder ? (to === '' ? baseOf(from) : `${to}/${baseOf(from)}`) : to;
    await moveOne(git, repo, given, from, at);
  }
  return 0;
};

async function moveOne(git: Git, repo: Repo, given: Given, from: string, to: string): Promise<void> {
  const entries = await repo.index();
  const stat = await repo.files.lstat(repo.worktree.absolute(from));
  const said = `source=${from}, destination=${to}`;
  if (!stat) throw new Fatal(`bad source, ${said}`);
  const moved = entries.filter(({ path }) => path === from || path.startsWith(`${from}/`));
  if (moved.length === 0)
    throw new Fatal(
      `${stat.isDirectory ? 'source directory is empty' : 'not under version control'}, ${said}`,
    );
  if (moved.some(({ stage }) => stage > 0)) throw new Fatal(`conflicted, ${said}`);
  const isCaseOnly = from.toLowerCase() === to.toLowerCase();
  if ((await repo.files.exists(repo.worktree.absolute(to))) && !given.has('force') && !isCaseOnly)
    throw new Fatal(`destination exists, ${said}`);
  const above = to.includes('/') ? to.slice(0, to.lastIndexOf('/')) : '';
  if (!(await repo.files.isFolder(repo.worktree.absolute(above))))
    throw new Fatal(`renaming '${from}' failed: No such file or directory`);
  if (given.has('verbose') || given.has('dry-run')) git.out(`Renaming ${from} to ${to}\n`);
  if (given.has('dry-run')) return;
  await repo.files.fs.mv(repo.worktree.absolute(from), repo.worktree.absolute(to));
  const renamed = (path: string) => to + path.slice(from.length);
  const paths = new Set(moved.flatMap(({ path }) => [path, renamed(path)]));
  const kept: IndexEntry[] = entries.filter(({ path }) => !paths.has(path));
  await repo.saveIndex([...kept, ...moved.map((entry) => ({ ...entry, path: renamed(entry.path) }))]);
}
