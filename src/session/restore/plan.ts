import type { Hash } from '../../base/hash.ts';
import { compareTrees, type ChangedPath } from '../../workspace/changes/compare.ts';
import { SnapshotReader } from '../../workspace/snapshot.ts';
import type { SnapshotEntry } from '../../workspace/workspace.ts';
import { pathTo } from '../log/path.ts';
import type { Message, SessionState } from '../log/state.ts';
import type { RestoreMoment } from './moments.ts';

/** The changes that a restore would make. */
export interface RestorePlan {
  readonly moment: RestoreMoment;
  /** How many prompts of the person would leave the conversation, and how many others would come. */
  readonly leave: number;
  readonly come: number;
  /** The text of the prompt right before which the conversation would go on. */
  readonly prompt?: string;
  /** The text of the first prompt that a redo brings back. */
  readonly returning?: string;
  /** `null` if it is not known how the files were. */
  readonly files: FilesPlan | null;
}

export interface FilesPlan {
  /** The manifest of the files now. */
  readonly now: Hash;
  /** Files and links that would change, sorted by path: `before` is the version now, `after` the restored one. */
  readonly changes: readonly PlannedChange[];
}

export interface PlannedChange extends ChangedPath {
  /** Not this conversation made the version that would be replaced, but the person or another session. */
  readonly foreign: boolean;
}

export type ReadContent = (hash: Hash) => Promise<Uint8Array>;

/** The first prompt of the person that a move to `head` would bring back. */
export function firstReturning(state: SessionState, head: string | null): Message | undefined {
  const now = new Set(pathTo(state, state.head).map(({ id }) => id));
  return pathTo(state, head).find(({ id, role, origin }) => role === 'user' && !origin && !now.has(id));
}

/** Counts the prompts of the person on which the conversation before and after a move differ. */
export function movedPrompts(state: SessionState, head: string | null): Pick<RestorePlan, 'leave' | 'come'> {
  const promptsTo = (end: string | null) =>
    pathTo(state, end).flatMap(({ id, role, origin }) => (role === 'user' && !origin ? id : []));
  const now = new Set(promptsTo(state.head));
  const then = promptsTo(head);
  const shared = then.filter((id) => now.has(id)).length;
  return { leave: now.size - shared, come: then.length - shared };
}

/** Rejects with the fault `snapshot-damaged` if the list of files of the moment cannot be read. */
export async function planFiles(
  state: SessionState,
  { files, prompt }: RestoreMoment & { readonly files: Hash },
  now: Hash,
  read: ReadContent,
): Promise<FilesPlan> {
  const reader = new SnapshotReader(read);
  const present = await reader.read(now);
  const changes = compareTrees(present, await reader.read(files));
  const foreign = await foreignPaths(state, prompt, present, reader);
  const isForeign = ({ path, from = path }: ChangedPath) => foreign.has(path) || foreign.has(from);
  return { now, changes: changes.map((change) => ({ ...change, foreign: isForeign(change) })) };
}

/**
 * The paths that were changed since the moment, but not, as far as is known, while this conversation worked: between its
 * turns, or since it last changed files. For a redo or another version, these are the paths that changed since the last move,
 * because all else comes back when the person goes there again.
 */
async function foreignPaths(
  state: SessionState,
  prompt: string | undefined,
  present: readonly SnapshotEntry[],
  reader: SnapshotReader,
): Promise<ReadonlySet<string>> {
  const paths = new Set<string>();
  const add = (changes: readonly ChangedPath[]) => {
    for (const { path, from = path } of changes) paths.add(path).add(from);
  };
  const left = state.snapshots?.left;
  if (left !== undefined) add(compareTrees(await reader.read(left), present));
  /** The last files that are known to be of this conversation's making. */
  let known: Hash | undefined;
  const prompts = promptsSince(state, prompt);
  for (const { files } of prompts) {
    // Where a snapshot could not be taken, nothing tells who made the changes until the next one.
    if (!files) continue;
    if (known !== undefined && known !== files.before)
      add(compareTrees(await reader.read(known), await reader.read(files.before)));
    known = files.after ?? files.before;
  }
  // After a move, not all files that are there are of the messages that remain: the person may have kept some, or a redo may
  // have brought some back.
  const last = prompts.at(-1)?.files?.after;
  if (last !== undefined && left !== undefined && last !== left)
    add(compareTrees(await reader.read(last), await reader.read(left)));
  return paths;
}

/** The prompts of the conversation from this one on. */
function promptsSince(state: SessionState, messageID: string | undefined): readonly Message[] {
  const prompts = pathTo(state, state.head).filter(({ role }) => role === 'user');
  const first = prompts.findIndex(({ id }) => id === messageID);
  return first < 0 ? [] : prompts.slice(first);
}

/**
 * The list of files to restore: that of the moment, but with the present versions of the paths in `keep`. A kept
 * file wins over a restored one that its path would have to lie in.
 */
export function desiredFiles(
  target: readonly SnapshotEntry[],
  present: readonly SnapshotEntry[],
  keep: ReadonlySet<string>,
): readonly SnapshotEntry[] {
  const kept = present.filter(({ path, type }) => type !== 'directory' && keep.has(path));
  const folders = new Set(kept.flatMap(({ path }) => foldersOf(path)));
  const files = target.filter(
    ({ path, type }) => type === 'directory' || (!keep.has(path) && !folders.has(path)),
  );
  const known = new Set(target.flatMap(({ path, type }) => (type === 'directory' ? path : [])));
  const missing = present.filter(
    ({ path, type }) => type === 'directory' && folders.has(path) && !known.has(path),
  );
  const blocked = new Set(kept.map(({ path }) => path));
  const free = (path: string) => !foldersOf(path).some((folder) => blocked.has(folder));
  const others = [...files, ...missing].filter(({ path }) => free(path) && !blocked.has(path));
  return [...others, ...kept].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function foldersOf(path: string): readonly string[] {
  const names = path.split('/');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'));
}
