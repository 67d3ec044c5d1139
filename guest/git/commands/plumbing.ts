import { decode, readAll } from '../../shell/kit/io.ts';
import { idOf, type ObjectType } from '../kit/bytes.ts';
import { Fatal, problem } from '../kit/fatal.ts';
import { wrongPath } from '../kit/missing-path.ts';
import type { Command, Git } from '../kit/git.ts';
import { MODE, type TreeEntry } from '../kit/objects.ts';
import { aroundDashes, parse } from '../kit/options.ts';
import { quotePath } from '../kit/quote.ts';
import type { Repo } from '../kit/repo.ts';
import { checkShown, resolve, resolveTree, tryResolve } from '../kit/revisions.ts';
import { filesOfIndex, writeTrees } from '../kit/trees.ts';
import { writeCommit } from '../kit/write-commit.ts';
import { shownPath } from '../status/long.ts';
import { NO_STAT } from '../kit/index-file.ts';

const octal = (mode: number): string => mode.toString(8).padStart(6, '0');

async function prettyObject(git: Git, repo: Repo, oid: string): Promise<void> {
  const { type, bytes } = await repo.objects.read(oid);
  if (type !== 'tree') return git.outBytes(bytes);
  for (const { mode, name, oid: id } of await repo.objects.tree(oid))
    git.out(`${octal(mode)} ${typeOf(mode)} ${id}\t${quotePath(name)}\n`);
}

function typeOf(mode: number): ObjectType {
  return mode === MODE.tree ? 'tree' : mode === MODE.submodule ? 'commit' : 'blob';
}

export const catFile: Command = async (git, args) => {
  const given = parse('cat-file', args, 'p t s e batch? batch-check?');
  const repo = await git.repo();
  if (given.has('batch') || given.has('batch-check')) {
    const isFull = given.has('batch');
    for (const line of decode(await readAll(git.call.stdin))
      .split('\n')
      .filter(Boolean)) {
      const oid = await tryResolve(repo, line);
      if (oid === undefined || !(await repo.objects.has(oid))) {
        git.out(`${line} missing\n`);
        continue;
      }
      const { type, bytes } = await repo.objects.read(oid);
      git.out(`${oid} ${type} ${bytes.length}\n`);
      if (!isFull) continue;
      if (type === 'blob') await checkShown(repo, line);
      await git.outBytes(bytes);
      git.out('\n');
    }
    return 0;
  }
  const [first = '', second] = given.operands;
  const name = second ?? first;
  const oid = await tryResolve(repo, name);
  if (given.has('e') && oid !== undefined) return (await repo.objects.has(oid)) ? 0 : 1;
  if (oid === undefined) throw (await wrongPath(repo, name)) ?? new Fatal(`Not a valid object name ${name}`);
  const { type, bytes } = await repo.objects.read(oid);
  if (given.has('t')) git.out(`${type}\n`);
  else if (given.has('s')) git.out(`${bytes.length}\n`);
  else if (type === 'blob') {
    await checkShown(repo, name);
    await git.outBytes(bytes);
  } else if (given.has('p')) await prettyObject(git, repo, oid);
  else {
    const peeled = await repo.objects.peel(oid, first as ObjectType);
    if (peeled === undefined) throw new Fatal(`git cat-file ${name}: bad file`);
    await git.outBytes((await repo.objects.read(peeled)).bytes);
  }
  return 0;
};

export const hashObject: Command = async (git, args) => {
  const given = parse('hash-object', args, 'w stdin stdin-paths t: path: no-filters literally');
  const type = (given.value('t') ?? 'blob') as ObjectType;
  const contents: Uint8Array[] = [];
  if (given.has('stdin')) contents.push(await readAll(git.call.stdin));
  const paths = given.has('stdin-paths')
    ? decode(await readAll(git.call.stdin))
        .split('\n')
        .filter(Boolean)
    : given.operands;
  for (const path of paths) {
    const bytes = await git.files.read(git.files.fs.resolvePath(git.cwd, path));
    if (!bytes) throw new Fatal(`could not open '${path}' for reading: No such file or directory`);
    contents.push(bytes);
  }
  for (const bytes of contents)
    git.out(`${given.has('w') ? await (await git.repo()).objects.write(type, bytes) : idOf(type, bytes)}\n`);
  return 0;
};

const LS_FILES = `c|cached d|deleted m|modified o|others i|ignored s|stage u|unmerged z|null t exclude-standard
  error-unmatch full-name directory recurse-submodules`;

export const lsFiles: Command = async (git, args) => {
  const given = parse('ls-files', args, LS_FILES);
  const repo = await git.repo();
  const [before, after] = aroundDashes(given);
  const words = [...before, ...(after ?? [])];
  const pathspec = words.length === 0 && repo.prefix !== '' ? repo.pathspec(['.']) : repo.pathspec(words);
  const end = given.has('null') ? '\0' : '\n';
  const name = (path: string) =>
    given.has('null') ? path : given.has('full-name') ? quotePath(path) : shownPath(repo, path);
  const entries = (await repo.index()).filter(({ path }) => pathspec.matches(path));
  const tagged = (letter: string) => (given.has('t') ? `${letter} ` : '');
  if (given.has('others'))
    await others(
      git,
      repo,
      {
        isIgnored: given.has('ignored'),
        usesRules: given.has('exclude-standard'),
        isFolders: given.has('directory'),
      },
      (path) => {
        if (pathspec.matches(path.replace(/\/$/, ''))) git.out(`${tagged('?')}${name(path)}${end}`);
      },
    );
  const isStage = given.has('stage') || given.has('unmerged');
  const changes = given.has('deleted') || given.has('modified') ? await repo.worktreePairs(pathspec) : [];
  const isPlain =
    !['others', 'deleted', 'modified'].some((option) => given.has(option)) || given.has('cached');
  if (isPlain)
    for (const { path, mode, oid, stage } of entries) {
      if (given.has('unmerged') && stage === 0) continue;
      git.out(
        `${tagged(stage > 0 ? 'M' : 'H')}${isStage ? `${octal(mode)} ${oid} ${stage}\t` : ''}${name(path)}${end}`,
      );
    }
  for (const { path, after: now } of changes) {
    if (given.has('deleted') && !now) git.out(`${tagged('R')}${name(path)}${end}`);
    if (given.has('modified')) git.out(`${tagged('C')}${name(path)}${end}`);
  }
  const unmatched = pathspec.unmatched(entries.map(({ path }) => path));
  if (!given.has('error-unmatch') || unmatched === undefined) return 0;
  await git.err(
    `error: pathspec '${unmatched}' did not match any file(s) known to git\nDid you forget to 'git add'?\n`,
  );
  return 1;
};

async function others(
  git: Git,
  repo: Repo,
  {
    isIgnored,
    usesRules,
    isFolders,
  }: { readonly isIgnored: boolean; readonly usesRules: boolean; readonly isFolders: boolean },
  show: (path: string) => void,
): Promise<void> {
  const tracked = new Set((await repo.index()).map(({ path }) => path));
  const found = await repo.worktree.untracked(tracked, usesRules || isIgnored ? repo.ignores : undefined, {
    all: !isFolders,
  });
  if (!isIgnored) return found.untracked.forEach(show);
  for (const path of found.ignored) {
    if (!path.endsWith('/') || isFolders) show(path);
    else {
      const folder = path.slice(0, -1);
      const inner = await repo.worktree.untracked(new Set(), undefined, {
        all: true,
        wanted: (each) => each === folder || each.startsWith(path) || folder.startsWith(`${each}/`),
      });
      inner.untracked.filter((each) => each.startsWith(path)).forEach(show);
    }
  }
  await git.finish();
}

export const lsTree: Command = async (git, args) => {
  const given = parse(
    'ls-tree',
    args,
    'r t d l|long z|null name-only name-status full-name abbrev? object-only',
  );
  const repo = await git.repo();
  const [name = '', ...words] = given.operands;
  if ((await tryResolve(repo, name)) === undefined) throw new Fatal(`Not a valid object name ${name}`);
  const tree = await resolveTree(repo, name);
  const pathspec = repo.pathspec(words);
  const end = given.has('null') ? '\0' : '\n';
  const visit = async (oid: string, prefix: string): Promise<void> => {
    for (const entry of await repo.objects.tree(oid)) {
      const path = `${prefix}${entry.name}`;
      const isTree = entry.mode === MODE.tree;
      const literalBelow = words.some(
        (word) =>
          word.replace(/\/+$/, '').startsWith(`${path}/`) ||
          (word.endsWith('/') && word.slice(0, -1) === path),
      );
      if (!pathspec.isEmpty && !pathspec.matches(path) && !literalBelow) continue;
      const descends = isTree && (given.has('r') || literalBelow);
      if (!descends || given.has('t') || (given.has('d') && isTree)) await showEntry(entry, path);
      if (descends && !(given.has('d') && !given.has('r'))) await visit(entry.oid, `${path}/`);
    }
  };
  const showEntry = async ({ mode, oid }: TreeEntry, path: string): Promise<void> => {
    if (given.has('d') && mode !== MODE.tree) return;
    const shown = given.has('null') ? path : shownPath(repo, path);
    if (given.has('name-only') || given.has('name-status')) return git.out(`${shown}${end}`);
    if (given.has('object-only')) return git.out(`${oid}${end}`);
    const size = given.has('long')
      ? ` ${(mode === MODE.tree ? '-' : String((await repo.objects.blob(oid)).length)).padStart(7)}`
      : '';
    git.out(
      `${octal(mode)} ${typeOf(mode)} ${given.has('abbrev') ? oid.slice(0, Number(given.value('abbrev') || 7)) : oid}${size}\t${shown}${end}`,
    );
  };
  await visit(tree, '');
  return 0;
};

export const writeTree: Command = async (git) => {
  const repo = await git.repo();
  const entries = await repo.index();
  const unmerged = entries.find(({ stage }) => stage > 0);
  if (unmerged)
    throw problem(
      `${unmerged.path}: unmerged (${unmerged.oid})\nfatal: write-tree: error building trees`,
      128,
    );
  git.out(`${await writeTrees(repo.objects, filesOfIndex(entries))}\n`);
  return 0;
};

export const commitTree: Command = async (git, args) => {
  const given = parse('commit-tree', args, 'p: m:');
  const repo = await git.repo();
  const tree = await resolveTree(repo, given.operands[0] ?? '');
  const parents = await Promise.all(given.values('p').map((word) => resolve(repo, word)));
  const text = given.has('m')
    ? given
        .values('m')
        .map((part) => `${part}\n`)
        .join('\n')
    : decode(await readAll(git.call.stdin));
  const [author, committer] = [await git.person('AUTHOR'), await git.person('COMMITTER')];
  git.out(`${await writeCommit(repo.objects, { tree, parents, author, committer, message: text })}\n`);
  return 0;
};

export const updateIndex: Command = async (git, args) => {
  const repo = await git.repo();
  const given = parse(
    'update-index',
    args,
    'add remove refresh really-refresh q cacheinfo: chmod: assume-unchanged no-assume-unchanged skip-worktree no-skip-worktree again',
  );
  if (given.has('refresh') || given.has('really-refresh')) {
    const changed = await repo.worktreePairs();
    for (const { path } of changed) git.out(`${path}: needs update\n`);
    return changed.length > 0 ? 1 : 0;
  }
  const info = given.value('cacheinfo');
  const entries = await repo.index();
  if (info !== undefined) {
    const [mode = '', oid = '', path = ''] = info.includes(',') ? info.split(',') : [info, ...given.operands];
    const entry = { ...NO_STAT, path, oid, mode: Number.parseInt(mode, 8), stage: 0 };
    await repo.saveIndex([...entries.filter((each) => each.path !== path), entry]);
    return 0;
  }
  const pathspec = repo.pathspec(given.operands);
  const marks = {
    ...(given.has('assume-unchanged') && { assumed: true }),
    ...(given.has('skip-worktree') && { skipped: true }),
  };
  const clears = [
    ...(given.has('no-assume-unchanged') ? ['assumed'] : []),
    ...(given.has('no-skip-worktree') ? ['skipped'] : []),
  ];
  if (Object.keys(marks).length > 0 || clears.length > 0) {
    await repo.saveIndex(
      entries.map((entry) => {
        if (!pathspec.matches(entry.path)) return entry;
        const { assumed, skipped, ...rest } = { ...entry, ...marks };
        return {
          ...rest,
          ...(assumed && !clears.includes('assumed') && { assumed }),
          ...(skipped && !clears.includes('skipped') && { skipped }),
        };
      }),
    );
    return 0;
  }
  const mode = given.value('chmod');
  const head = given.has('again') ? await repo.headFiles() : undefined;
  const again = head ? entries.filter(({ path, oid }) => head.get(path)?.oid !== oid) : [];
  const touched = new Set([
    ...given.operands.map((path) => `${repo.prefix}${path}`),
    ...again.map(({ path }) => path),
  ]);
  const stats = await repo.worktree.stats([...touched]);
  const fresh = await Promise.all([...stats].map(([path, stat]) => repo.entryFor(path, stat)));
  await repo.saveIndex([
    ...entries.filter(({ path }) => !touched.has(path) || (!stats.has(path) && !given.has('remove'))),
    ...fresh.map((entry) =>
      mode === undefined ? entry : { ...entry, mode: mode === '+x' ? MODE.executable : MODE.file },
    ),
  ]);
  return 0;
};
