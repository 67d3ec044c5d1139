import { diffOptions } from '../diff/options.ts';
import { readsObjects } from '../diff/renames.ts';
import { changesFor, showChanges } from '../diff/show.ts';
import { Fatal, problem } from '../kit/fatal.ts';
import type { Command, Git } from '../kit/git.ts';
import { runHook } from '../kit/hooks.ts';
import { cleanMessage, edited } from '../kit/message.ts';
import { parse, type Given } from '../kit/options.ts';
import type { Repo } from '../kit/repo.ts';
import { refNamed, resolveCommit, tryResolve, upstreamOf } from '../kit/revisions.ts';
import { filesOf, treePairs, writeTrees } from '../kit/trees.ts';
import { isAncestor, mergeBases } from '../kit/walk.ts';
import { writeCommit } from '../kit/write-commit.ts';
import { applyMerge } from '../merge/apply.ts';
import type { Favour } from '../merge/text.ts';
import { baseFiles, mergeTrees, type MergedTrees } from '../merge/trees.ts';
import { switchFiles } from '../tree/switch.ts';
import { commit as commitCommand } from './commit.ts';
import { resetFiles } from './reset.ts';

export const MERGE_WORDS = `no-verify-signatures m|message: F|file: ff no-ff ff-only squash commit no-commit e|edit no-edit q|quiet v|verbose abort continue quit summary|stat
  n|no-stat s|strategy: X|strategy-option: allow-unrelated-histories log? signoff verify no-verify S|gpg-sign? autostash
  progress rerere-autoupdate overwrite-ignore cleanup:`;

export const merge: Command = async (git, args) => {
  const given = parse('merge', args, MERGE_WORDS);
  const repo = await git.repo();
  if (given.has('abort')) return abort(repo);
  if (given.has('quit')) {
    await repo.removeState('MERGE_HEAD', 'MERGE_MSG', 'MERGE_MODE');
    return 0;
  }
  if (given.has('continue')) {
    if ((await repo.readState('MERGE_HEAD')) === undefined)
      throw new Fatal('There is no merge in progress (MERGE_HEAD missing).');
    return commitCommand(git, ['--no-edit', '--cleanup=strip']);
  }
  if ((await repo.readState('MERGE_HEAD')) !== undefined)
    throw new Fatal(
      'You have not concluded your merge (MERGE_HEAD exists).\nPlease, commit your changes before you merge.',
    );
  const names = given.operands.length > 0 ? given.operands : await defaultNames(repo);
  return mergeNames(git, repo, given, names);
};

async function defaultNames(repo: Repo): Promise<string[]> {
  const { ref } = await repo.refs.head();
  const upstream = ref && upstreamOf(repo, ref);
  if (upstream === undefined) throw new Fatal('No remote for the current branch.');
  return [upstream];
}

async function abort(repo: Repo): Promise<number> {
  if ((await repo.readState('MERGE_HEAD')) === undefined)
    throw new Fatal('There is no merge to abort (MERGE_HEAD missing).');
  const head = await repo.headCommit();
  await resetFiles(repo, head?.tree ?? '', 'merge');
  await repo.removeState('MERGE_HEAD', 'MERGE_MSG', 'MERGE_MODE', 'AUTO_MERGE');
  return 0;
}

export async function mergeNames(
  git: Git,
  repo: Repo,
  given: Given,
  names: readonly string[],
  message?: string,
): Promise<number> {
  if (names.length > 1)
    throw new Fatal(
      'more than one branch at once cannot be merged here: merge them one after the other',
      2,
      'error: ',
    );
  const [name = ''] = names;
  if ((await tryResolve(repo, name)) === undefined) {
    await git.err(`merge: ${name} - not something we can merge\n`);
    return 1;
  }
  const theirs = await resolveCommit(repo, name);
  const head = await repo.refs.head();
  if (head.oid === undefined) {
    await switchFiles(
      repo,
      new Map(),
      await filesOf(repo.objects, (await repo.objects.commit(theirs)).tree),
      { what: 'merge' },
    );
    await repo.refs.update('HEAD', theirs, `initial pull`);
    return 0;
  }
  if (await isAncestor(repo, theirs, head.oid)) {
    if (!given.has('quiet')) git.out('Already up to date.\n');
    return 0;
  }
  const config = repo.config.get('merge.ff');
  const noFf = given.has('no-ff') || (config === 'false' && !given.has('ff'));
  const isForward = await isAncestor(repo, head.oid, theirs);
  if (isForward && !noFf) return forward(git, repo, given, head.oid, theirs, name);
  if (given.has('ff-only') || (config === 'only' && !given.has('ff')))
    throw new Fatal('Not possible to fast-forward, aborting.');
  const text = given.values('message').join('\n\n') || message || (await defaultMessage(repo, name));
  return real(git, repo, given, { ours: head.oid, theirs, name, message: text });
}

async function forward(
  git: Git,
  repo: Repo,
  given: Given,
  from: string,
  to: string,
  name: string,
): Promise<number> {
  const [before, after] = await Promise.all([repo.objects.commit(from), repo.objects.commit(to)]);
  const say = (text: string) => void (given.has('quiet') || git.out(text));
  say(`Updating ${from.slice(0, 7)}..${to.slice(0, 7)}\n`);
  await git.finish();
  await switchFiles(repo, await filesOf(repo.objects, before.tree), await filesOf(repo.objects, after.tree), {
    what: 'merge',
  });
  if (given.has('squash')) {
    say('Fast-forward\nSquash commit -- not updating HEAD\n');
    await repo.writeState('SQUASH_MSG', await squashText(repo, to));
  } else {
    say('Fast-forward\n');
    await repo.writeState('ORIG_HEAD', `${from}\n`);
    await repo.refs.update('HEAD', to, `merge ${name}: Fast-forward`);
  }
  await showStat(git, repo, given, before.tree, after.tree);
  return 0;
}

async function squashText(repo: Repo, to: string): Promise<string> {
  const { author, message } = await repo.objects.commit(to);
  return `Squashed commit of the following:\n\ncommit ${to}\nAuthor: ${author.name} <${author.email}>\n\n${message.replace(/^(?=.)/gm, '    ')}`;
}

async function showStat(git: Git, repo: Repo, given: Given, before: string, after: string): Promise<void> {
  if (given.has('quiet') || given.has('no-stat') || given.has('n')) return;
  const options = await diffOptions(git, parse('merge', [], ''));
  const read = readsObjects(repo.objects);
  const changes = await changesFor(await treePairs(repo.objects, before, after), read, options);
  await showChanges(git, changes, read, options, ['stat', 'summary']);
}

/** `Merge branch 'topic'`, with `into other` where HEAD is not on the main branch. */
export async function defaultMessage(repo: Repo, name: string): Promise<string> {
  const ref = await refNamed(repo, name);
  const kind = ref?.startsWith('refs/heads/')
    ? 'branch'
    : ref?.startsWith('refs/remotes/')
      ? 'remote-tracking branch'
      : ref?.startsWith('refs/tags/')
        ? 'tag'
        : 'commit';
  const shown = ref?.replace(/^refs\/(heads|remotes|tags)\//, '') ?? name;
  const { ref: head } = await repo.refs.head();
  const into = (head ?? 'HEAD').replace(/^refs\/heads\//, '');
  return `Merge ${kind} '${shown}'${into === 'main' || into === 'master' ? '' : ` into ${into}`}\n`;
}

interface Making {
  readonly ours: string;
  readonly theirs: string;
  readonly name: string;
  readonly message: string;
}

function favourOf(given: Given): Favour {
  const word = given.values('strategy-option').find((each) => each === 'ours' || each === 'theirs');
  return word === 'ours' || word === 'theirs' ? word : undefined;
}

async function real(git: Git, repo: Repo, given: Given, making: Making): Promise<number> {
  const { ours, theirs } = making;
  const bases = await mergeBases(repo, ours, theirs);
  if (bases.length === 0 && !given.has('allow-unrelated-histories'))
    throw new Fatal('refusing to merge unrelated histories');
  const { tree: before } = await repo.objects.commit(ours);
  await checkIndex(repo, before);
  const files = await filesOf(repo.objects, before);
  const merged = await mergedTrees(repo, given, making, { bases, files });
  try {
    await applyMerge(repo, files, merged);
  } catch (error) {
    if (error instanceof Fatal)
      throw new Fatal(`${error.message}\nMerge with strategy ort failed.`, 2, error.prefix);
    throw error;
  }
  for (const line of merged.messages) git.out(`${line}\n`);
  await repo.writeState('ORIG_HEAD', `${ours}\n`);
  if (merged.conflicts.length > 0 || given.has('no-commit') || given.has('squash'))
    return stopBeforeCommit(git, repo, given, making, merged);
  return commitMerge(git, repo, given, making, { before, merged });
}

function isOursOnly(given: Given): boolean {
  return given.value('strategy') === 'ours';
}

/** The files that the merge gives, with the conflicts among them. `files` are those of our side. */
async function mergedTrees(
  repo: Repo,
  given: Given,
  { ours, theirs, name }: Making,
  { bases, files }: { readonly bases: readonly string[]; readonly files: MergedTrees['files'] },
): Promise<MergedTrees> {
  if (isOursOnly(given)) return { files, conflicts: [], messages: [] };
  const conflictStyle = repo.config.get('merge.conflictstyle') ?? 'merge';
  const favour = favourOf(given);
  const other = await repo.objects.commit(theirs);
  return mergeTrees(
    repo.objects,
    await baseFiles(repo, ours, theirs),
    files,
    await filesOf(repo.objects, other.tree),
    {
      labels: { ours: 'HEAD', base: baseLabel(bases), theirs: name },
      style: conflictStyle === 'merge' ? 'merge' : 'diff3',
      ...(favour && { favour }),
    },
  );
}

function baseLabel(bases: readonly string[]): string {
  const [only] = bases;
  if (only === undefined) return 'empty tree';
  return bases.length === 1 ? only.slice(0, 7) : 'merged common ancestors';
}

/** Leaves a merge that has conflicts, or that the person wants to commit, to be committed later. */
async function stopBeforeCommit(
  git: Git,
  repo: Repo,
  given: Given,
  { theirs, message }: Making,
  { conflicts }: MergedTrees,
): Promise<number> {
  const isSquash = given.has('squash');
  if (!isSquash) {
    await repo.writeState('MERGE_HEAD', `${theirs}\n`);
    await repo.writeState('MERGE_MODE', given.has('no-ff') ? 'no-ff' : '');
  }
  const listed = conflicts.map(({ path }) => `#\t${path}\n`).join('');
  const note = conflicts.length > 0 ? `\n# Conflicts:\n${listed}` : '';
  await repo.writeState(isSquash ? 'SQUASH_MSG' : 'MERGE_MSG', `${message.trimEnd()}\n${note}`);
  if (conflicts.length > 0) {
    git.out('Automatic merge failed; fix conflicts and then commit the result.\n');
    return 1;
  }
  if (isSquash) git.out('Squash commit -- not updating HEAD\n');
  await git.err('Automatic merge went well; stopped before committing as requested\n');
  return 0;
}

async function commitMerge(
  git: Git,
  repo: Repo,
  given: Given,
  { ours, theirs, name, message: suggested }: Making,
  { before, merged }: { readonly before: string; readonly merged: MergedTrees },
): Promise<number> {
  const message = await finalMessage(git, repo, given, suggested);
  const tree = await writeTrees(repo.objects, merged.files);
  const [author, committer] = [await git.person('AUTHOR'), await git.person('COMMITTER')];
  if ((await runHook(git, repo, 'pre-merge-commit')) !== 0) return 1;
  const oid = await writeCommit(repo.objects, { tree, parents: [ours, theirs], author, committer, message });
  const strategy = isOursOnly(given) ? 'ours' : 'ort';
  await repo.refs.update('HEAD', oid, `merge ${name}: Merge made by the '${strategy}' strategy.`);
  if (!given.has('quiet')) git.out(`Merge made by the '${strategy}' strategy.\n`);
  await showStat(git, repo, given, before, tree);
  await runHook(git, repo, 'post-merge', ['0']);
  return 0;
}

async function finalMessage(git: Git, repo: Repo, given: Given, message: string): Promise<string> {
  const cleaned = cleanMessage(message, 'whitespace');
  if (!given.has('edit')) return cleaned;
  return cleanMessage(await edited(git, repo, 'MERGE_MSG', cleaned, 'pass the message by -m'), 'strip');
}

/** Refuses a merge in which staged changes would get lost. */
async function checkIndex(repo: Repo, tree: string): Promise<void> {
  const files = await filesOf(repo.objects, tree);
  const entries = await repo.index();
  const unmerged = entries.filter(({ stage }) => stage > 0);
  if (unmerged.length > 0)
    throw problem(
      "Merging is not possible because you have unmerged files.\nhint: Fix them up in the work tree, and then use 'git add/rm <file>'\nhint: as appropriate to mark resolution and make a commit.\nfatal: Exiting because of an unresolved conflict.",
      128,
    );
  const staged = entries
    .filter(({ path, oid, mode }) => files.get(path)?.oid !== oid || files.get(path)?.mode !== mode)
    .map(({ path }) => path);
  const present = new Set(entries.map(({ path }) => path));
  const removed = [...files.keys()].filter((path) => !present.has(path));
  const all = [...staged, ...removed].sort();
  if (all.length > 0)
    throw problem(
      `Your local changes to the following files would be overwritten by merge:\n  ${all.join(' ')}`,
      2,
    );
}
