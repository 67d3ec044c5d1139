import { Fatal } from './fatal.ts';
import type { Repo } from './repo.ts';
import { colonOf, fromTop, tryResolve, unknownRevision } from './revisions.ts';
import { entryAt } from './trees.ts';

/** Says why a word names nothing: where it names a path in a commit or in the index, what is wrong with that. */
export async function whyUnknown(repo: Repo, word: string): Promise<Fatal> {
  return (await wrongPath(repo, word)) ?? unknownRevision(word);
}

/** Undefined where the word names no path. */
export async function wrongPath(repo: Repo, word: string): Promise<Fatal | undefined> {
  if (/^:[^A-Za-z0-9]/.test(word)) return undefined;
  const colon = colonOf(word);
  if (colon < 0) return undefined;
  if (colon === 0) return notInIndex(repo, word.slice(1));
  const revision = word.slice(0, colon);
  const start = await tryResolve(repo, revision);
  const tree = start === undefined ? undefined : await repo.objects.peel(start, 'tree');
  if (tree === undefined) return new Fatal(`invalid object name '${revision}'.`);
  return notInTree(repo, revision, tree, fromTop(repo, word.slice(colon + 1)));
}

async function isOnDisk(repo: Repo, path: string): Promise<boolean> {
  return !repo.isBare && (await repo.worktree.lstat(path)) !== undefined;
}

async function notInTree(repo: Repo, revision: string, tree: string, path: string): Promise<Fatal> {
  if (await isOnDisk(repo, path)) return new Fatal(`path '${path}' exists on disk, but not in '${revision}'`);
  const full = `${repo.prefix}${path}`;
  if (!(await entryAt(repo.objects, tree, full)))
    return new Fatal(`path '${path}' does not exist in '${revision}'`);
  return new Fatal(
    `path '${full}' exists, but not '${path}'\n` +
      `hint: Did you mean '${revision}:${full}' aka '${revision}:./${path}'?`,
  );
}

async function notInIndex(repo: Repo, spec: string): Promise<Fatal> {
  const [, stage = '0', given = ''] = /^(?:([0-3]):)?(.*)$/s.exec(spec) ?? [];
  const path = fromTop(repo, given);
  const entries = await repo.index();
  const other = entries.find((entry) => entry.path === path);
  if (other)
    return new Fatal(
      `path '${path}' is in the index, but not at stage ${stage}\n` +
        `hint: Did you mean ':${other.stage}:${path}'?`,
    );
  const full = `${repo.prefix}${path}`;
  const below = entries.find((entry) => entry.path === full);
  if (below)
    return new Fatal(
      `path '${full}' is in the index, but not '${path}'\n` +
        `hint: Did you mean ':${below.stage}:${full}' aka ':${below.stage}:./${path}'?`,
    );
  if (await isOnDisk(repo, path)) return new Fatal(`path '${path}' exists on disk, but not in the index`);
  return new Fatal(`path '${path}' does not exist (neither on disk nor in the index)`);
}
