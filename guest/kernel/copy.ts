import { isInside } from '../../src/protocol/paths.ts';
import type { Access } from './access.ts';
import { FsError } from './errors.ts';
import { contentOf, type Node } from './nodes.ts';
import type { FileTree } from './tree.ts';

/**
 * Copies a file, or with `recursive` a directory, which is merged into one that exists already. Copies share their
 * content with the original until one of them is written.
 */
export function copy(tree: FileTree, access: Access, from: string, to: string, recursive: boolean): void {
  const source = tree.get(access, from);
  if (source.node.type === 'directory' && !recursive) throw new FsError('EISDIR', from);
  const target = tree.locate(access, to);
  if (source.node.type === 'directory' && isInside(target.path, source.path))
    throw new FsError('EINVAL', to, 'a directory cannot be copied into itself');
  copyNode(tree, access, source, target.path);
}

function copyNode(
  tree: FileTree,
  access: Access,
  { path, node }: { readonly path: string; readonly node: Node },
  to: string,
): void {
  if (node.type === 'symlink') {
    if (tree.locate(access, to, false).node) tree.remove(access, to, false);
    tree.symlink(access, node.target, to);
  } else if (node.type === 'directory') {
    tree.makeDirectory(access, to, true);
    for (const [name, child] of [...node.children])
      copyNode(tree, access, { path: `${path}/${name}`, node: child }, `${to}/${name}`);
  } else {
    access(path, 'content');
    const { content, mode } = node;
    tree.write(access, to, node.type === 'file' ? { content, stored: node.stored } : contentOf(node), {
      mode,
    });
  }
}
