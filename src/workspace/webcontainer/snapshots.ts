import { digestBytes, type Hash } from '../../base/hash.ts';
import type { JournalChange } from '../../protocol/journal.ts';
import { isCanonicalRelative, isInside } from '../../protocol/paths.ts';
import {
  ROOT,
  WorkspaceError,
  type FileChange,
  type SnapshotEntry,
  type SnapshotSink,
} from '../workspace.ts';
import { packedOf, setModes, type ContainerInstance } from './instance.ts';
import type { Mirror, MirrorNode } from './mirror.ts';
import { packTree, treeOf } from './packed-tree.ts';
import { isPackages, metaOf } from './sync.ts';

/** Takes a snapshot of all files except packages, and with `skipIgnored` except ignored files. */
export async function takeSnapshot(
  { container }: ContainerInstance,
  mirror: Mirror,
  sink: SnapshotSink,
  { skipIgnored = false }: { skipIgnored?: boolean } = {},
): Promise<readonly SnapshotEntry[]> {
  const paths = new Map<Hash, string>();
  const all: SnapshotEntry[] = [];
  for (const [path, { type, mode, modified, size, hash, target = '' }] of [...mirror.nodes].sort(byPath)) {
    if (isPackages(path, type)) continue;
    if (type === 'directory') all.push({ path, type, mode });
    else if (type === 'symlink') all.push({ path, type, target });
    else {
      const known = hash ?? (await digestBytes(new Uint8Array(await container.read(`${ROOT}/${path}`))));
      paths.set(known, path);
      all.push({ path, type, mode, modified, size, hash: known });
    }
  }
  const readHash = async (hash: Hash) => new Uint8Array(await container.read(`${ROOT}/${paths.get(hash)}`));
  const entries = skipIgnored
    ? await (
        await import('../without-ignored.ts')
      ).withoutIgnored(all, (hashes) => Promise.all(hashes.map(readHash)))
    : all;
  const hashes = new Set(entries.flatMap((entry) => (entry.type === 'file' ? entry.hash : [])));
  await Promise.all(
    (await sink.missing([...hashes])).map(async (hash) => {
      const bytes = await readHash(hash);
      if ((await digestBytes(bytes)) !== hash)
        throw new WorkspaceError(
          'ECHANGED',
          paths.get(hash) ?? '',
          'A file changed while the snapshot was taken.',
        );
      await sink.put(hash, bytes);
    }),
  );
  return entries;
}

/** Makes the tree equal to `entries`. All contents are loaded before anything is changed. */
export async function restoreSnapshot(
  { container, helper }: ContainerInstance,
  mirror: Mirror,
  entries: readonly SnapshotEntry[],
  contents: (hash: Hash) => Promise<Uint8Array>,
): Promise<{ changes: FileChange[]; kept: JournalChange[] }> {
  const target = new Map<string, { readonly node: MirrorNode; readonly bytes: Uint8Array<ArrayBuffer> }>();
  const left = new Set<string>();
  for (const entry of [...entries].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    if (!isCanonicalRelative(entry.path)) throw new WorkspaceError('EINVAL', entry.path);
    if (entry.type === 'ignored') {
      left.add(entry.path);
      continue;
    }
    const node = nodeOf(entry);
    const known = mirror.nodes.get(entry.path);
    if (known && sameContent(known, node))
      target.set(entry.path, { node: { ...node, ...seenOf(known) }, bytes: new Uint8Array() });
    else
      target.set(entry.path, {
        node,
        bytes: entry.type === 'file' ? await checked(entry.hash, contents) : new Uint8Array(),
      });
  }
  const changes: FileChange[] = [];
  const kept: JournalChange[] = [];
  for (const [path, node] of [...mirror.nodes]) {
    const next = target.get(path);
    if (!mirror.nodes.has(path) || isPackages(path, node.type) || next?.node.type === node.type) continue;
    if (isLeft(path, left)) continue;
    await container.remove(`${ROOT}/${path}`, node.type === 'directory');
    mirror.delete(path);
    changes.push({ path: `${ROOT}/${path}`, change: 'removed' });
    kept.push({ op: 'remove', path });
  }
  const changed = [...target].filter(([path, { node }]) => {
    const known = mirror.nodes.get(path);
    return (
      !known ||
      !sameContent(known, node) ||
      known.mode !== node.mode ||
      (node.type === 'file' && known.modified !== node.modified)
    );
  });
  for (const [path, { node }] of changed)
    if (node.type === 'symlink' && mirror.nodes.has(path)) await container.remove(`${ROOT}/${path}`, false);
  const mounted = changed.filter(([path, { node }]) => {
    const known = mirror.nodes.get(path);
    return !known || !sameContent(known, node);
  });
  if (mounted.length > 0)
    await container.mount(
      packTree(
        treeOf(mounted.map(([path, { node, bytes }]) => [path, packedOf(node.type, bytes, node.target)])),
      ),
    );
  await setModes(
    helper,
    changed.map(([path, { node }]) => [path, node] as const),
  );
  for (const [path, { node, bytes }] of changed) {
    changes.push({ path: `${ROOT}/${path}`, change: mirror.nodes.has(path) ? 'modified' : 'created' });
    const { seen: _seen, ...fresh } = node;
    mirror.nodes.set(path, fresh);
    const whole =
      node.type === 'file' && bytes.length === 0 && node.size > 0
        ? await container.read(`${ROOT}/${path}`)
        : bytes;
    kept.push({ op: 'put', node: metaOf(path, node), bytes: new Uint8Array(whole) });
  }
  return { changes, kept };
}

/** Whether a path stays as it is: an ignored file, or a folder above one. */
function isLeft(path: string, left: ReadonlySet<string>): boolean {
  return [...left].some((each) => isInside(path, each) || isInside(each, path));
}

function sameContent(one: MirrorNode, other: MirrorNode): boolean {
  if (one.type !== other.type || one.target !== other.target) return false;
  return one.type !== 'file' || (one.hash !== undefined && one.hash === other.hash);
}

function seenOf({ seen }: MirrorNode): Pick<MirrorNode, 'seen'> {
  return seen ? { seen } : {};
}

function nodeOf(entry: Exclude<SnapshotEntry, { type: 'ignored' }>): MirrorNode {
  const { type } = entry;
  if (type === 'directory') return { type, size: 0, modified: Date.now(), mode: entry.mode };
  if (type === 'symlink')
    return { type, size: entry.target.length, modified: Date.now(), mode: 0o777, target: entry.target };
  const { size, modified, mode, hash } = entry;
  return { type, size, modified, mode, hash };
}

async function checked(
  hash: Hash,
  contents: (hash: Hash) => Promise<Uint8Array>,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(await contents(hash));
  if ((await digestBytes(bytes)) === hash) return bytes;
  throw new WorkspaceError('EINVAL', '', 'A content does not have the hash it was given.');
}

function byPath([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
