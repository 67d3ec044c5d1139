import { digestBytes } from '../../base/hash.ts';
import type { JournalChange, NodeMeta } from '../../protocol/journal.ts';
import { ROOT, type FileChange } from '../workspace.ts';
import type { ContainerInstance } from './instance.ts';
import type { Mirror, MirrorNode } from './mirror.ts';

const EMPTY = new Uint8Array();
const SAME_MS = 5_000;

/** Finds the changes that processes made to the files, and the part of them that has to be stored. */
export async function sync(
  { container, helper }: ContainerInstance,
  mirror: Mirror,
): Promise<{ changes: FileChange[]; kept: JournalChange[] }> {
  const scanned = await helper.ask('scan', { ask: 'scan' });
  const contents = new Map<string, Uint8Array<ArrayBuffer>>();
  const found = await Promise.all(
    scanned.map(async ({ path, ...stat }): Promise<readonly [string, MirrorNode] | undefined> => {
      const known = mirror.nodes.get(path);
      const seen = { modified: stat.modified, mode: stat.mode };
      if (stat.type !== 'file') {
        const same = known?.type === stat.type && known.target === stat.target && known.mode === stat.mode;
        return [path, same ? { ...known, seen } : { ...stat, seen }];
      }
      const isSeen = known?.seen?.modified === seen.modified && known.seen.mode === seen.mode;
      if (known?.type === 'file' && isSeen && known.size === stat.size) return [path, known];
      const hash = await hashOf(path);
      // The file was removed since the scan.
      if (hash === undefined) return undefined;
      const isOurs = known?.type === 'file' && !known.seen && known.hash === hash;
      // The container's clock may be slightly ahead of ours.
      const near = isOurs && Math.abs(known.modified - stat.modified) < SAME_MS;
      return [path, { ...stat, hash, seen, ...(near && { modified: known.modified }) }];
    }),
  );
  const changes = mirror.take(new Map(found.flatMap((each) => (each ? [each] : []))));
  const kept = changes.flatMap(({ path, change }): JournalChange | [] => {
    const relative = path.slice(ROOT.length + 1);
    const node = mirror.nodes.get(relative);
    if (isPackages(relative, node?.type)) return [];
    if (change === 'removed' || !node) return { op: 'remove', path: relative };
    return { op: 'put', node: metaOf(relative, node), bytes: contents.get(relative) ?? EMPTY };
  });
  return { changes, kept };

  async function hashOf(path: string): Promise<string | undefined> {
    try {
      const bytes = new Uint8Array(await container.read(`${ROOT}/${path}`));
      contents.set(path, bytes);
      return await digestBytes(bytes);
    } catch (error) {
      if (container.over) throw error;
      return undefined;
    }
  }
}

export function metaOf(path: string, { type, mode, modified, target }: MirrorNode): NodeMeta {
  return { path, type, mode, modified, ...(target !== undefined && { target }) };
}

/** Whether a path is a folder of packages. Those are not stored, in no snapshot and not in the mirror: they are too large. */
export function isPackages(path: string, type: MirrorNode['type'] | undefined): boolean {
  return type === 'directory' && /(^|\/)node_modules$/.test(path);
}
