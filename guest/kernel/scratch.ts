import type { ScratchNode } from '../../src/protocol/frame.ts';
import { isInside } from '../../src/protocol/paths.ts';
import { ROOT } from '../../src/base/places.ts';
import { SCRATCH, APP_FOLDERS } from './access.ts';
import { metaOf } from './journal.ts';
import { contentOf, EMPTY, nodeAt, walk, type DirectoryNode } from './nodes.ts';

/** Folders that need no copy: the journal stores the root, and the app stores its own folders. */
const KEPT_ELSEWHERE = [ROOT, '/dev', ...APP_FOLDERS];

/** Copies everything that processes have put outside the root, parents first. */
export function scratchOf(top: DirectoryNode): ScratchNode[] {
  return SCRATCH.flatMap((folder) => {
    const node = nodeAt(top, folder);
    return node ? [...walk(folder, node)] : [];
  }).flatMap(([path, node]) => {
    if (node.type === 'device' || KEPT_ELSEWHERE.some((folder) => isInside(path, folder))) return [];
    const bytes = node.type === 'file' && !node.stored ? contentOf(node).slice() : new Uint8Array(EMPTY);
    return { node: metaOf(path.slice(1), node), bytes };
  });
}
