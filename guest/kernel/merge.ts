import type { FileChange } from '../../src/protocol/workspace-values.ts';
import { walk, type DirectoryNode, type FileNode, type Node } from './nodes.ts';

/** Makes `into` equal to `from`, and reports only what differs. */
export function merge(
  path: string,
  into: DirectoryNode,
  from: DirectoryNode,
  changed: (path: string, change: FileChange['change']) => void,
): void {
  for (const [name, old] of [...into.children]) {
    if (from.children.get(name)?.type === old.type) continue;
    into.children.delete(name);
    changed(`${path}/${name}`, 'removed');
  }
  for (const [name, node] of from.children) {
    const below = `${path}/${name}`;
    const old = into.children.get(name);
    if (!old) {
      into.children.set(name, node);
      for (const [each] of walk(below, node)) changed(each, 'created');
      continue;
    }
    if (old.type === 'directory' && node.type === 'directory') merge(below, old, node, changed);
    if (isSame(old, node)) continue;
    if (old.type === 'directory') old.mode = node.mode;
    else into.children.set(name, node);
    changed(below, 'modified');
  }
}

/** Whether two nodes are equal, apart from their children and the times of directories. */
function isSame(a: Node, b: Node): boolean {
  if (a.mode !== b.mode) return false;
  if (a.type === 'symlink' && b.type === 'symlink') return a.target === b.target;
  if (a.type === 'file' && b.type === 'file') return a.modified === b.modified && isSameContent(a, b);
  return true;
}

function isSameContent(a: FileNode, b: FileNode): boolean {
  return a.content === b.content && a.stored?.hash === b.stored?.hash;
}
