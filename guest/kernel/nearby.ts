import { lengthOf, type DirectoryNode, type FileNode } from './nodes.ts';

/** How much is fetched with a file: what one answer of the storage brings at little more cost than the file alone. */
const MOST = { files: 64, bytes: 1_000_000, bytesOfOne: 64 * 1024 };

/**
 * The files that a program which reads this one probably reads next: those of the same kind in its folder whose contents
 * are not in memory. A package is read module by module, and each would be a request to the storage of the app.
 */
export function nearby({
  name,
  parent,
}: {
  readonly name: string;
  readonly parent: DirectoryNode;
}): FileNode[] {
  const extension = extensionOf(name);
  const found: FileNode[] = [];
  let bytes = 0;
  for (const [each, node] of parent.children) {
    if (node.type !== 'file' || node.content !== null || each === name) continue;
    const length = lengthOf(node);
    if (length > MOST.bytesOfOne || extensionOf(each) !== extension) continue;
    bytes += length;
    if (bytes > MOST.bytes || found.length === MOST.files) break;
    found.push(node);
  }
  return found;
}

function extensionOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
