import { Fatal } from '../kit/fatal.ts';
import { comparePaths } from '../kit/bytes.ts';
import type { Command } from '../kit/git.ts';
import { parse } from '../kit/options.ts';
import { globSource } from '../kit/pathspec.ts';
import { shownPath } from '../status/long.ts';

export const clean: Command = async (git, args) => {
  const given = parse('clean', args, 'n|dry-run f|force d x X q|quiet e|exclude: i|interactive');
  const repo = await git.repo();
  const isDry = given.has('dry-run');
  if (!isDry && !given.has('force') && repo.config.flag('clean.requireforce') !== false)
    throw new Fatal(
      `clean.requireForce defaults to true and neither -i, -n, nor -f given; refusing to clean`,
    );
  const words = given.operands.length === 0 && repo.prefix !== '' ? ['.'] : given.operands;
  const pathspec = repo.pathspec(words);
  const tracked = new Set((await repo.index()).map(({ path }) => path));
  const usesRules = !given.has('x');
  const { untracked, ignored } = await repo.worktree.untracked(
    tracked,
    usesRules ? repo.ignores : undefined,
    {
      all: false,
      wanted: (path, isFolder) => (isFolder ? pathspec.mayMatchBelow(path) : pathspec.matches(path)),
    },
  );
  const excluded = given.values('exclude').map((glob) => new RegExp(`(^|/)${globSource(glob, true)}$`));
  const found = given.has('X') ? ignored : untracked;
  const goesInto = given.has('d') || words.length > 0;
  const paths = found
    .filter((path) => pathspec.matches(path.replace(/\/$/, '')) || pathspec.isEmpty)
    .filter((path) => goesInto || !path.endsWith('/'))
    .filter((path) => !excluded.some((regex) => regex.test(path.replace(/\/$/, ''))));
  for (const path of paths.sort(comparePaths)) {
    const full = repo.worktree.absolute(path.replace(/\/$/, ''));
    if (path.endsWith('/') && (await repo.files.exists(`${full}/.git`))) continue;
    // Ignored files in a folder stay, and so does the folder.
    const kept = usesRules && !given.has('X') ? ignored.filter((each) => each.startsWith(path)) : [];
    const shown =
      kept.length > 0
        ? await freeIn(
            repo.worktree.files,
            full,
            path,
            kept.map((each) => repo.worktree.absolute(each.replace(/\/$/, ''))),
          )
        : [path];
    for (const each of shown) {
      if (!given.has('quiet') || isDry)
        git.out(`${isDry ? 'Would remove' : 'Removing'} ${shownPath(repo, each)}\n`);
      if (!isDry) await repo.files.remove(repo.worktree.absolute(each.replace(/\/$/, '')));
    }
  }
  return 0;
};

interface Listing {
  list(path: string): Promise<readonly { readonly name: string; readonly isDirectory: boolean }[]>;
}

/** The entries of a folder that can go while `kept` stay. */
async function freeIn(
  files: Listing,
  full: string,
  path: string,
  kept: readonly string[],
): Promise<string[]> {
  const free: string[] = [];
  for (const { name, isDirectory } of await files.list(full)) {
    const at = `${full}/${name}`;
    const shown = `${path}${name}${isDirectory ? '/' : ''}`;
    if (kept.includes(at)) continue;
    if (isDirectory && kept.some((each) => each.startsWith(`${at}/`)))
      free.push(...(await freeIn(files, at, shown, kept)));
    else free.push(shown);
  }
  return free;
}
