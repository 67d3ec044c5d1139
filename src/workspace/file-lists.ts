import { digestBytes, type Hash } from '../base/hash.ts';
import type { SnapshotEntry } from './workspace.ts';

/** The differences between two lists of files. */
export interface ListChanges {
  /** Entries that are new or differ. */
  readonly changed: readonly SnapshotEntry[];
  /** The paths of entries that are missing. */
  readonly gone: readonly string[];
}

/** A list of files in stored form: complete, or as the changes since another stored list. */
export type KeptList = readonly SnapshotEntry[] | ({ readonly since: Hash } & ListChanges);

/** A list that is not stored yet. */
export interface NextList {
  readonly hash: Hash;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly entries: ReadonlyMap<string, SnapshotEntry>;
  /** How many lists since the last complete one are stored as changes, counting this one, and how many entries they have. */
  readonly links: number;
  readonly size: number;
}

/** How many lists may follow a complete one as changes. Reading the last of them means reading all. */
const MAX_LINKS = 50;

/**
 * Prepares lists of files to be stored one after another. Most are stored only as changes, because a complete list after
 * each of hundreds of calls would take more space than the files.
 */
export class FileLists {
  #last: NextList | null = null;

  get last(): NextList | null {
    return this.#last;
  }

  /** Returns the form in which to store this list. `undefined` where it is the same as the last one. */
  async next(list: readonly SnapshotEntry[]): Promise<NextList | undefined> {
    const last = this.#last;
    const entries = byPath(list);
    if (!last) return { ...(await kept(list)), entries, links: 0, size: 0 };
    const changes = changesBetween(last.entries, entries);
    const count = changes.changed.length + changes.gone.length;
    if (count === 0) return undefined;
    const links = last.links + 1;
    const size = last.size + count;
    if (links > MAX_LINKS || size > entries.size)
      return { ...(await kept(list)), entries, links: 0, size: 0 };
    return { ...(await kept({ since: last.hash, ...changes })), entries, links, size };
  }

  /** Called when the list has been stored. The next one may then be stored as changes since this one. */
  took(list: NextList): void {
    this.#last = list;
  }
}

async function kept(list: KeptList): Promise<Pick<NextList, 'hash' | 'bytes'>> {
  const bytes = new TextEncoder().encode(JSON.stringify(list));
  return { hash: await digestBytes(bytes), bytes };
}

export function byPath(entries: readonly SnapshotEntry[]): Map<string, SnapshotEntry> {
  return new Map(entries.map((entry) => [entry.path, entry]));
}

/** Sorts entries by path, so that the same list always has the same hash. */
export function inOrder(entries: Iterable<SnapshotEntry>): readonly SnapshotEntry[] {
  return [...entries].sort((a, b) => (a.path < b.path ? -1 : 1));
}

export function changesBetween(
  before: ReadonlyMap<string, SnapshotEntry>,
  now: ReadonlyMap<string, SnapshotEntry>,
): ListChanges {
  return {
    changed: [...now.values()].filter((entry) => !isSame(before.get(entry.path), entry)),
    gone: [...before.keys()].filter((path) => !now.has(path)),
  };
}

export function withChanges(
  before: readonly SnapshotEntry[],
  { changed, gone }: ListChanges,
): readonly SnapshotEntry[] {
  const entries = byPath(before);
  for (const path of gone) entries.delete(path);
  for (const entry of changed) entries.set(entry.path, entry);
  return inOrder(entries.values());
}

function isSame(a: SnapshotEntry | undefined, b: SnapshotEntry): boolean {
  return a === b || (a !== undefined && JSON.stringify(a) === JSON.stringify(b));
}
