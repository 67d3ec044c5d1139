import type { Hash } from '../../base/hash.ts';

/** One of two places that hold the same files. */
export interface Side {
  readonly files: ReadonlyMap<string, Hash>;
  /** Whether it is not known what is at this path, for example because it is ignored there. Such a path is left alone. */
  isUnknown(path: string): boolean;
}

/**
 * A path at which the two places differ. `out`: only the workspace has changed since they were equal; `in`: only the
 * disk has; `both`: each has changed in its own way.
 */
export interface SideChange {
  readonly path: string;
  readonly kind: 'out' | 'in' | 'both';
  /** The content in the workspace; `null` if there is no file. */
  readonly here: Hash | null;
  /** The content on the disk; `null` if there is no file. */
  readonly there: Hash | null;
}

/** Lists the paths at which the places differ, sorted by path. `base` is what both held when they were last equal. */
export function compareSides(
  base: ReadonlyMap<string, Hash>,
  workspace: Side,
  disk: Side,
): readonly SideChange[] {
  const paths = new Set([...base.keys(), ...workspace.files.keys(), ...disk.files.keys()]);
  const changes: SideChange[] = [];
  for (const path of paths) {
    if (workspace.isUnknown(path) || disk.isUnknown(path)) continue;
    const here = workspace.files.get(path) ?? null;
    const there = disk.files.get(path) ?? null;
    if (here === there) continue;
    const before = base.get(path) ?? null;
    const kind = there === before ? 'out' : here === before ? 'in' : 'both';
    changes.push({ path, kind, here, there });
  }
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
}
