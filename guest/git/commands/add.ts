import { addPatch } from '../patch/add-patch.ts';
import { comparePaths } from '../kit/bytes.ts';
import { Fatal } from '../kit/fatal.ts';
import type { Command, Git } from '../kit/git.ts';
import { NO_STAT, type IndexEntry } from '../kit/index-file.ts';
import { MODE } from '../kit/objects.ts';
import { aroundDashes, parse, type Given } from '../kit/options.ts';
import type { Pathspec } from '../kit/pathspec.ts';
import type { Repo } from '../kit/repo.ts';

const WORDS = `n|dry-run v|verbose f|force i|interactive p|patch u|update A|all ignore-removal N|intent-to-add
  refresh ignore-errors ignore-missing chmod:`;

const NOTHING = 'Nothing specified, nothing added.\n';

const IGNORED_HINT = `hint: Use -f if you really want to add them.
hint: Turn this message off by running
hint: "git config advice.addIgnoredFile false"
`;

export const add: Command = async (git, args) => {
  const given = parse('add', args, WORDS);
  const repo = await git.repo();
  const [before, after] = aroundDashes(given);
  const words = after === undefined ? before : [...before, ...after];
  if (words.includes(''))
    throw new Fatal(
      'empty string is not a valid pathspec. please use . instead if you meant to match all paths',
    );
  const pathspec = repo.pathspec(words);
  if (given.has('patch') || given.has('interactive')) return addPatch(git, repo, pathspec);
  const isAll = given.has('all') || given.has('update');
  if (words.length === 0 && !isAll && !given.has('refresh')) {
    await git.err(
      `${NOTHING}hint: Maybe you wanted to say 'git add .'?\nhint: Turn this message off by running\nhint: "git config advice.addEmptyPathspec false"\n`,
    );
    return 0;
  }
  return stage(git, repo, pathspec, given);
};

async function stage(git: Git, repo: Repo, pathspec: Pathspec, given: Given): Promise<number> {
  const entries = await repo.index();
  const tracked = new Set(entries.map(({ path }) => path));
  const fresh = given.has('update')
    ? { paths: [], ignored: [] }
    : await untrackedFor(repo, pathspec, tracked, given.has('force'));
  const known = [...tracked].filter((path) => pathspec.matches(path));
  const unmatched = pathspec.unmatched([...known, ...fresh.paths, ...fresh.ignored]);
  if (unmatched !== undefined && unmatched !== '.' && !(await isFolderAt(repo, unmatched)))
    throw new Fatal(`pathspec '${unmatched}' did not match any files`);
  const changes = await changedEntries(repo, known, fresh.paths, given);
  if (given.has('verbose') || given.has('dry-run'))
    for (const [path, entry] of [...changes].sort(
      ([a], [b]) => Number(tracked.has(b)) - Number(tracked.has(a)) || comparePaths(a, b),
    ))
      git.out(`${entry ? 'add' : 'remove'} '${path}'\n`);
  if (!given.has('dry-run')) await apply(repo, changes);
  const named = fresh.ignored.filter((path) => pathspec.names(path.replace(/\/$/, '')));
  const refused = named.filter((path) =>
    pathspec.patterns.some(
      ({ literal }) =>
        literal !== undefined &&
        literal !== '' &&
        (literal === path.replace(/\/$/, '') || literal.startsWith(path)),
    ),
  );
  if (refused.length === 0) return 0;
  await git.err(
    `The following paths are ignored by one of your .gitignore files:\n${refused.map((path) => `${path.replace(/\/$/, '')}\n`).join('')}${IGNORED_HINT}`,
  );
  return 1;
}

async function isFolderAt(repo: Repo, word: string): Promise<boolean> {
  return repo.files.isFolder(repo.files.fs.resolvePath(`${repo.worktree.top}/${repo.prefix}`, word));
}

async function untrackedFor(repo: Repo, pathspec: Pathspec, tracked: ReadonlySet<string>, force: boolean) {
  const { untracked, ignored } = await repo.worktree.untracked(tracked, force ? undefined : repo.ignores, {
    all: true,
    wanted: (path, isFolder) => (isFolder ? pathspec.mayMatchBelow(path) : pathspec.matches(path)),
  });
  return { paths: untracked.filter((path) => pathspec.matches(path.replace(/\/$/, ''))), ignored };
}

/** The new index entry of each path; undefined for a file that is gone. */
async function changedEntries(
  repo: Repo,
  known: readonly string[],
  fresh: readonly string[],
  given: Given,
): Promise<Map<string, IndexEntry | undefined>> {
  const changes = new Map<string, IndexEntry | undefined>();
  const wanted = new Set(known);
  const entries = (await repo.index()).filter(({ path }) => wanted.has(path));
  const inConflict = new Set(entries.flatMap(({ path, stage }) => (stage > 0 ? [path] : [])));
  const changed = new Set((await repo.worktreePairs()).map(({ path }) => path));
  const candidates = [...new Set(entries.map(({ path }) => path))].filter(
    (path) => changed.has(path) || inConflict.has(path),
  );
  const files = fresh.filter((path) => !path.endsWith('/'));
  const stats = await repo.worktree.stats([...candidates, ...files]);
  const keepsRemoved = given.has('ignore-removal') || given.has('no-all');
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  await Promise.all(
    [...candidates, ...files].map(async (path) => {
      const stat = stats.get(path);
      if (!stat) {
        if (!keepsRemoved) changes.set(path, undefined);
        return;
      }
      if (given.has('intent-to-add')) {
        if (!byPath.has(path))
          changes.set(path, { ...NO_STAT, path, oid: EMPTY_BLOB, mode: MODE.file, stage: 0, intent: true });
        return;
      }
      const entry = given.has('dry-run')
        ? { ...NO_STAT, path, oid: EMPTY_BLOB, mode: MODE.file, stage: 0 }
        : await repo.entryFor(path, stat);
      changes.set(path, { ...entry, ...repo.trusted(byPath.get(path), entry) });
    }),
  );
  for (const folder of fresh.filter((path) => path.endsWith('/')))
    throw new Fatal(
      `'${folder.slice(0, -1)}' is a repository of its own, and submodules are not there: remove its .git folder, or ignore it`,
    );
  const mode = given.value('chmod');
  if (mode !== undefined)
    for (const path of known) {
      const entry = changes.get(path) ?? byPath.get(path);
      if (entry) changes.set(path, { ...entry, mode: mode === '+x' ? MODE.executable : MODE.file });
    }
  return changes;
}

export const EMPTY_BLOB = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391';

/** Puts entries into the index, takes others out of it, and makes room for a file where a folder was. */
export async function apply(repo: Repo, changes: ReadonlyMap<string, IndexEntry | undefined>): Promise<void> {
  if (changes.size === 0) return;
  const added = [...changes.values()].flatMap((entry) => entry ?? []);
  const files = new Set(added.map(({ path }) => path));
  const folders = new Set<string>();
  for (const path of files)
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
      folders.add(path.slice(0, at));
  const isUnder = (path: string) => {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
      if (files.has(path.slice(0, at))) return true;
    return false;
  };
  const kept = (await repo.index()).filter(
    ({ path }) => !changes.has(path) && !folders.has(path) && !isUnder(path),
  );
  await repo.saveIndex([...kept, ...added]);
}
