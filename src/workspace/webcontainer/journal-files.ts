import { isInside } from '../../protocol/paths.ts';
import type { JournalContents, NodeMeta } from '../../protocol/journal.ts';

export interface KeptNode {
  readonly meta: NodeMeta;
  readonly bytes: Uint8Array;
}

/** The files that a journal results in, keyed by relative path, parents first. */
export function keptNodes({ packs, tail }: JournalContents): Map<string, KeptNode> {
  const nodes = new Map<string, KeptNode>();
  for (const { entries, bytes } of packs)
    for (const { offset, length, ...meta } of entries)
      nodes.set(meta.path, { meta, bytes: bytes.subarray(offset, offset + length) });
  for (const change of tail) {
    if (change.op === 'put') {
      if (change.node.type !== 'directory') removeBelow(nodes, change.node.path);
      nodes.set(change.node.path, { meta: change.node, bytes: change.bytes });
    } else removeBelow(nodes, change.path);
  }
  return new Map([...nodes].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function removeBelow(nodes: Map<string, KeptNode>, path: string): void {
  // Most removals are of files, and those need no search for entries below.
  const node = nodes.get(path);
  if (node && node.meta.type !== 'directory') nodes.delete(path);
  else for (const each of [...nodes.keys()]) if (isInside(each, path)) nodes.delete(each);
}
