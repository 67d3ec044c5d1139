import { diffOptions } from '../diff/options.ts';
import { readsObjects } from '../diff/renames.ts';
import { changesFor, showChanges } from '../diff/show.ts';
import { decode, readAll } from '../../shell/kit/io.ts';
import { dateText, readDate } from '../kit/dates.ts';
import { Ended, Fatal, problem } from '../kit/fatal.ts';
import type { Command, Git } from '../kit/git.ts';
import { runHook } from '../kit/hooks.ts';
import type { IndexEntry } from '../kit/index-file.ts';
import { cleanMessage, edited, subjectOf, withTrailers } from '../kit/message.ts';
import type { Commit } from '../kit/objects.ts';
import { aroundDashes, parse, type Given } from '../kit/options.ts';
import type { Person } from '../kit/person.ts';
import type { Repo } from '../kit/repo.ts';
import { resolveCommit } from '../kit/revisions.ts';
import { filesOfIndex, treePairs, writeTrees, type Version } from '../kit/trees.ts';
import { addPatch } from '../patch/add-patch.ts';
import { gather } from '../status/gather.ts';
import { longStatus } from '../status/long.ts';
import { writeCommit } from '../kit/write-commit.ts';
import { status, untrackedMode } from './status.ts';

const WORDS = `a|all p|patch m|message: F|file: C|reuse-message: c|reedit-message: fixup: amend e|edit allow-empty
  allow-empty-message q|quiet v|verbose s|signoff author: date: reset-author n|no-verify o|only i|include dry-run short porcelain long
  z|null cleanup: trailer: S|gpg-sign? u|untracked-files? branch status no-post-rewrite`;

export const commit: Command = async (git, args) => {
  const given = parse('commit', args, WORDS);
  const repo = await git.repo();
  if (given.has('dry-run')) return dryRun(git, given);
  if (given.has('gpg-sign')) throw new Fatal('commits cannot be signed here: leave -S away', 128, 'error: ');
  const [before, after] = aroundDashes(given);
  const paths = [...before, ...(after ?? [])];
  const amended = given.has('amend') ? await repo.headCommit() : undefined;
  if (given.has('amend') && !amended) throw new Fatal('You have nothing yet to amend.');
  if (given.has('all') && paths.length > 0)
    throw new Fatal(`paths '${paths[0]} ...' with -a does not make sense`);
  const isMerge = (await repo.readState('MERGE_HEAD')) !== undefined;
  if (given.has('amend') && isMerge) throw new Fatal('You are in the middle of a merge -- cannot amend.');
  if (isMerge && paths.length > 0 && !given.has('include'))
    throw new Fatal('cannot do a partial commit during a merge.');
  if (given.has('patch')) await addPatch(git, repo, repo.pathspec(paths));
  const made = await contentOf(git, repo, given, paths);
  const author = await authorOf(git, repo, given, amended);
  const committer = await git.person('COMMITTER');
  if (!given.has('no-verify') && (await runHook(git, repo, 'pre-commit')) !== 0) throw new Ended(1);
  // The hook may have changed the index.
  const files = made.isWhole ? filesOfIndex(await (git.forget(), await git.repo()).index()) : made.files;
  return record(git, repo, given, {
    amended,
    author,
    committer,
    files,
    index: made.isWhole ? undefined : made.index,
    isMerge,
  });
};

async function dryRun(git: Git, given: Given): Promise<number> {
  const words = ['short', 'porcelain', 'branch'].filter((name) => given.has(name)).map((name) => `--${name}`);
  await status(git, words);
  const found = await gather(await git.repo(), { untracked: 'no', ignored: false, renames: false });
  return found.staged.length > 0 ? 0 : 1;
}

interface Content {
  readonly files: ReadonlyMap<string, Version>;
  /** The index as it is to be afterwards. */
  readonly index: readonly IndexEntry[];
  readonly isWhole: boolean;
}

/** The files that the commit is to have: those of the index, and those of the paths that were named. */
async function contentOf(git: Git, repo: Repo, given: Given, words: readonly string[]): Promise<Content> {
  if (given.has('all') || (given.has('include') && words.length > 0)) {
    await stageChanged(repo, given.has('all') ? undefined : words);
    return whole(git, repo);
  }
  if (words.length === 0) return whole(git, repo);
  const pathspec = repo.pathspec(words);
  const entries = await repo.index();
  const head = await repo.headFiles();
  const unmatched = pathspec.unmatched([...entries.map(({ path }) => path), ...head.keys()]);
  if (unmatched !== undefined)
    throw problem(`pathspec '${unmatched}' did not match any file(s) known to git`);
  await stageChanged(repo, words);
  const now = await repo.index();
  const files = new Map(head);
  for (const path of head.keys()) if (pathspec.matches(path)) files.delete(path);
  for (const [path, version] of filesOfIndex(now)) if (pathspec.matches(path)) files.set(path, version);
  return { files, index: now, isWhole: false };
}

async function whole(git: Git, repo: Repo): Promise<Content> {
  const index = await repo.index();
  const unmerged = [...new Set(index.flatMap(({ path, stage }) => (stage > 0 ? [path] : [])))];
  if (unmerged.length > 0) {
    for (const path of unmerged) git.out(`U\t${path}\n`);
    await git.err(
      `error: Committing is not possible because you have unmerged files.\nhint: Fix them up in the work tree, and then use 'git add/rm <file>'\nhint: as appropriate to mark resolution and make a commit.\n`,
    );
    throw new Fatal('Exiting because of an unresolved conflict.');
  }
  return { files: filesOfIndex(index), index, isWhole: true };
}

/** Brings what is tracked and has changed into the index. */
async function stageChanged(repo: Repo, words: readonly string[] | undefined): Promise<void> {
  const pathspec = words && repo.pathspec(words);
  const changed = (await repo.worktreePairs(pathspec)).map(({ path }) => path);
  const entries = await repo.index();
  const conflicts = entries
    .filter(({ path, stage }) => stage > 0 && (!pathspec || pathspec.matches(path)))
    .map(({ path }) => path);
  const paths = [...new Set([...changed, ...conflicts])];
  if (paths.length === 0) return;
  const stats = await repo.worktree.stats(paths);
  const known = new Map(entries.map((entry) => [entry.path, entry]));
  const fresh = await Promise.all(
    paths.flatMap((path) => {
      const stat = stats.get(path);
      return stat
        ? [repo.entryFor(path, stat).then((entry) => ({ ...entry, ...repo.trusted(known.get(path), entry) }))]
        : [];
    }),
  );
  const gone = new Set(paths);
  await repo.saveIndex([...entries.filter(({ path }) => !gone.has(path)), ...fresh]);
}

async function authorOf(git: Git, repo: Repo, given: Given, amended: Commit | undefined): Promise<Person> {
  const reused = given.value('reuse-message') ?? given.value('reedit-message');
  const picked = (await repo.readState('CHERRY_PICK_HEAD'))?.trim();
  const from =
    reused !== undefined
      ? await repo.objects.commit(await resolveCommit(repo, reused))
      : picked !== undefined && !amended
        ? await repo.objects.commit(picked)
        : amended;
  const named = given.value('author');
  const when = given.value('date');
  const kept = from && !given.has('reset-author') ? from.author : undefined;
  const base =
    kept ?? (named === undefined ? await git.person('AUTHOR') : { ...(await git.person('AUTHOR', false)) });
  let author: Person = base;
  if (named !== undefined) {
    const [, name, email] = /^(.*?) *<([^>]*)>/.exec(named) ?? [];
    if (name === undefined || email === undefined) {
      throw new Fatal(`--author '${named}' is not 'Name <email>' and matches no existing author`);
    }
    author = { ...author, name, email };
  }
  return when === undefined ? author : { ...author, ...readDate(when, git.zone) };
}

interface Making {
  readonly amended: Commit | undefined;
  readonly author: Person;
  readonly committer: Person;
  readonly files: ReadonlyMap<string, Version>;
  readonly index: readonly IndexEntry[] | undefined;
  readonly isMerge: boolean;
}

async function record(git: Git, repo: Repo, given: Given, making: Making): Promise<number> {
  const { amended, author, committer, files, index, isMerge } = making;
  const head = await repo.refs.head();
  const tree = await writeTrees(repo.objects, files);
  const mergeHeads = ((await repo.readState('MERGE_HEAD')) ?? '').split('\n').filter(Boolean);
  const parents = amended ? amended.parents : [...(head.oid === undefined ? [] : [head.oid]), ...mergeHeads];
  const isSame = await changesNothing(repo, tree, parents);
  if (isSame && !given.has('allow-empty') && !isMerge) return nothingToCommit(git, given, amended);
  const message = await messageOf(git, repo, given, making);
  if (message === '' && !given.has('allow-empty-message')) {
    await git.err('Aborting commit due to empty commit message.\n');
    return 1;
  }
  const oid = await writeCommit(repo.objects, { tree, parents, author, committer, message });
  const isPick = (await repo.readState('CHERRY_PICK_HEAD')) !== undefined;
  const kind = amended
    ? ' (amend)'
    : head.oid === undefined
      ? ' (initial)'
      : isMerge
        ? ' (merge)'
        : isPick
          ? ' (cherry-pick)'
          : '';
  await repo.refs.update('HEAD', oid, `commit${kind}: ${subjectOf(message)}`);
  if (index) await repo.saveIndex(index);
  await repo.endOperation();
  const keepsDate =
    amended !== undefined || given.has('date') || given.has('reuse-message') || given.has('reedit-message');
  if (!given.has('quiet')) await commitSummary(git, repo, oid, { showsDate: keepsDate });
  await runHook(git, repo, 'post-commit');
  return 0;
}

const AMEND_EMPTY = `You asked to amend the most recent commit, but doing so would make
it empty. You can repeat your command with --allow-empty, or you can
remove the commit entirely with "git reset HEAD^".
`;

async function changesNothing(repo: Repo, tree: string, parents: readonly string[]): Promise<boolean> {
  const [first] = parents;
  if (parents.length > 1) return false;
  const before = first === undefined ? undefined : (await repo.objects.commit(first)).tree;
  return before === undefined ? (await repo.objects.tree(tree)).length === 0 : before === tree;
}

async function nothingToCommit(git: Git, given: Given, amended: Commit | undefined): Promise<number> {
  const repo = await git.repo();
  const untracked = untrackedMode(
    given.value('untracked-files') ?? repo.config.get('status.showuntrackedfiles'),
  );
  const found = await gather(repo, { untracked, ignored: false, renames: true });
  // An amended commit is compared with its parent, from which nothing differs then.
  const compared = amended ? { ...found, head: amended.parents[0], staged: [] } : found;
  const options = { untracked, showsIgnored: false, isForCommit: true, isAmended: amended !== undefined };
  git.out(await longStatus(git, repo, compared, options));
  if (amended) await git.err(AMEND_EMPTY);
  return 1;
}

async function messageOf(
  git: Git,
  repo: Repo,
  given: Given,
  { amended, committer }: Making,
): Promise<string> {
  const parts = given.values('message');
  const reused = given.value('reuse-message') ?? given.value('reedit-message');
  const fixes = given.value('fixup');
  let text: string | undefined;
  if (parts.length > 0) text = parts.map((part) => `${part}\n`).join('\n');
  else if (given.has('file')) text = await fileText(git, given.value('file') ?? '-');
  else if (reused !== undefined)
    text = (await repo.objects.commit(await resolveCommit(repo, reused))).message;
  else if (fixes !== undefined)
    text = `fixup! ${subjectOf((await repo.objects.commit(await resolveCommit(repo, fixes))).message)}\n`;
  const waiting = (await repo.readState('MERGE_MSG')) ?? (await repo.readState('SQUASH_MSG'));
  const isGiven = text !== undefined;
  text ??= amended?.message ?? waiting ?? '';
  const trailers = given.values('trailer').map((trailer) => trailer.replace(/^([^:=]+)[:=] ?/, '$1: '));
  if (given.has('signoff')) trailers.push(`Signed-off-by: ${committer.name} <${committer.email}>`);
  if (trailers.length > 0) text = withTrailers(text, trailers);
  const edits = !given.has('no-edit') && (given.has('edit') || given.has('reedit-message') || !isGiven);
  await repo.writeState('COMMIT_EDITMSG', text);
  const source =
    parts.length > 0 || given.has('file')
      ? ['message']
      : amended || reused !== undefined
        ? ['commit', 'HEAD']
        : waiting !== undefined
          ? ['merge']
          : [];
  if ((await runHook(git, repo, 'prepare-commit-msg', ['.git/COMMIT_EDITMSG', ...source])) !== 0)
    throw new Ended(1);
  if (edits)
    await edited(
      git,
      repo,
      'COMMIT_EDITMSG',
      (await repo.readState('COMMIT_EDITMSG')) ?? text,
      instead(isGiven || amended !== undefined || waiting !== undefined),
    );
  if (!given.has('no-verify') && (await runHook(git, repo, 'commit-msg', ['.git/COMMIT_EDITMSG'])) !== 0)
    throw new Ended(1);
  const mode = given.value('cleanup') ?? repo.config.get('commit.cleanup') ?? 'default';
  const isKnown = mode === 'verbatim' || mode === 'whitespace' || mode === 'strip';
  const stripping = isKnown ? mode : edits || mode !== 'default' ? 'strip' : 'whitespace';
  return cleanMessage((await repo.readState('COMMIT_EDITMSG')) ?? text, stripping);
}

function instead(hasMessage: boolean): string {
  return hasMessage
    ? 'pass --no-edit to keep the message, or a new one by -m or -F'
    : 'pass the message by -m or -F';
}

async function fileText(git: Git, name: string): Promise<string> {
  if (name === '-') return decode(await readAll(git.call.stdin));
  const bytes = await git.files.read(git.files.fs.resolvePath(git.cwd, name));
  if (!bytes) throw new Fatal(`could not read log file '${name}': No such file or directory`);
  return decode(bytes);
}

/** Prints what `git commit` says at its end: where the commit is, and how much it changed. */
export async function commitSummary(
  git: Git,
  repo: Repo,
  oid: string,
  { showsDate }: { readonly showsDate: boolean },
): Promise<void> {
  const made = await repo.objects.commit(oid);
  const { author, committer, parents, message, tree } = made;
  const { ref } = await repo.refs.head();
  const where = ref === undefined ? 'detached HEAD' : ref.replace(/^refs\/heads\//, '');
  git.out(
    `[${where}${parents.length === 0 ? ' (root-commit)' : ''} ${oid.slice(0, 7)}] ${subjectOf(message)}\n`,
  );
  if (author.name !== committer.name || author.email !== committer.email)
    git.out(` Author: ${author.name} <${author.email}>\n`);
  if (showsDate) git.out(` Date: ${dateText(author, 'default', git.zone)}\n`);
  if (parents.length > 1) return;
  const [parent] = parents;
  const before = parent === undefined ? undefined : (await repo.objects.commit(parent)).tree;
  const options = await diffOptions(git, parse('commit', [], ''));
  const read = readsObjects(repo.objects);
  const changes = await changesFor(await treePairs(repo.objects, before, tree), read, options);
  await showChanges(git, changes, read, options, ['shortstat', 'summary']);
}
