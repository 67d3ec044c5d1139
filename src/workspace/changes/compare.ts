import type { SnapshotEntry } from '../workspace.ts';

/** A file or a link as a snapshot lists it. */
export type FileVersion = Extract<SnapshotEntry, { type: 'file' | 'symlink' }>;

/** A path whose content differs between two lists of files; at least one of the versions is there. */
export interface ChangedPath {
  readonly path: string;
  /** The path before, if the file was renamed. */
  readonly from?: string;
  /** `null` if the path is new. */
  readonly before: FileVersion | null;
  /** `null` if the path was removed. */
  readonly after: FileVersion | null;
}

/** Reads what is in a file, or the target of a link. */
export type ReadVersion = (version: FileVersion) => Promise<Uint8Array>;

export type ChangeKind = 'added' | 'removed' | 'renamed' | 'changed';

export function kindOf({ from, before, after }: ChangedPath): ChangeKind {
  if (from !== undefined) return 'renamed';
  if (!before) return 'added';
  return after ? 'changed' : 'removed';
}

/**
 * Lists the files and links that differ, sorted by path. Times do not count, nor do modes but for the permission to
 * execute. A file that is gone while one with the same content is new was renamed. Paths that are ignored in one
 * of the lists are left out, because that list does not say what is in them.
 */
export function compareTrees(
  before: readonly SnapshotEntry[],
  now: readonly SnapshotEntry[],
): readonly ChangedPath[] {
  const ignored = ignoredPaths([...before, ...now]);
  const old = versions(before, ignored);
  const current = versions(now, ignored);
  const added = [...current.values()].filter(({ path }) => !old.has(path));
  const removed = [...old.values()].filter(({ path }) => !current.has(path));
  const origins = renames(removed, added);
  const taken = new Set(origins.values());
  const changes: ChangedPath[] = [];
  for (const after of current.values()) {
    const same = old.get(after.path) ?? null;
    const from = origins.get(after);
    if (from) changes.push({ path: after.path, from: from.path, before: from, after });
    else if (!same || !isEqual(same, after)) changes.push({ path: after.path, before: same, after });
  }
  for (const gone of removed)
    if (!taken.has(gone)) changes.push({ path: gone.path, before: gone, after: null });
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
}

export function isExecutable(version: FileVersion): boolean {
  return version.type === 'file' && (version.mode & 0o100) !== 0;
}

function isEqual(a: FileVersion, b: FileVersion): boolean {
  if (a.type === 'symlink' || b.type === 'symlink')
    return a.type === 'symlink' && b.type === 'symlink' && a.target === b.target;
  return a.hash === b.hash && isExecutable(a) === isExecutable(b);
}

function ignoredPaths(entries: readonly SnapshotEntry[]): (path: string) => boolean {
  const ignored = new Set(entries.flatMap(({ type, path }) => (type === 'ignored' ? path : [])));
  return (path) => {
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1))
      if (ignored.has(path.slice(0, end))) return true;
    return false;
  };
}

function versions(
  entries: readonly SnapshotEntry[],
  isIgnored: (path: string) => boolean,
): Map<string, FileVersion> {
  const files = new Map<string, FileVersion>();
  for (const entry of entries)
    if ((entry.type === 'file' || entry.type === 'symlink') && !isIgnored(entry.path))
      files.set(entry.path, entry);
  return files;
}

/** Maps new files to removed ones with the same content, preferably of the same name. Empty files are all alike. */
function renames(
  removed: readonly FileVersion[],
  added: readonly FileVersion[],
): ReadonlyMap<FileVersion, FileVersion> {
  const byHash = new Map<string, FileVersion[]>();
  for (const version of removed)
    if (version.type === 'file' && version.size > 0)
      byHash.set(version.hash, [...(byHash.get(version.hash) ?? []), version]);
  const origins = new Map<FileVersion, FileVersion>();
  for (const version of added) {
    const candidates = version.type === 'file' ? (byHash.get(version.hash) ?? []) : [];
    const named = candidates.findIndex(({ path }) => nameOf(path) === nameOf(version.path));
    const [origin] = candidates.splice(Math.max(named, 0), 1);
    if (origin) origins.set(version, origin);
  }
  return origins;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
