import type { JournalChange, JournalContents, NodeMeta } from '../../src/workspace/journal.ts';
import { ROOT } from '../../src/workspace/workspace.ts';
import { directoryNode, fileNode, nodeAt, type Node } from './nodes.ts';
import type { FileTree } from './tree.ts';

/** Lays a journal's contents into an empty tree. Nobody is told: nothing has changed. */
export function load(tree: FileTree, contents: JournalContents): void {
  for (const { entries, bytes } of contents.packs)
    for (const entry of entries)
      place(tree, entry, bytes.subarray(entry.offset, entry.offset + entry.length));
  for (const change of contents.tail) apply(tree, change);
  tree.joinTwins();
}

function apply(tree: FileTree, change: JournalChange): void {
  if (change.op === 'remove') tree.uproot(`${ROOT}/${change.path}`);
  else place(tree, change.node, change.bytes);
}

function place(tree: FileTree, meta: NodeMeta, bytes: Uint8Array): void {
  const path = `${ROOT}/${meta.path}`;
  if (meta.type === 'directory') {
    const there = nodeAt(tree.top, path);
    if (there?.type === 'directory') {
      there.mode = meta.mode;
      there.modified = meta.modified;
      return;
    }
  }
  tree.plant(path, nodeOf(meta, bytes));
}

function nodeOf(meta: NodeMeta, bytes: Uint8Array): Node {
  if (meta.type === 'file') return { ...fileNode(bytes, meta.modified, meta.mode), twin: meta.twin };
  if (meta.type === 'directory') return directoryNode(meta.modified, meta.mode);
  return { type: 'symlink', target: meta.target ?? '', mode: meta.mode, modified: meta.modified };
}
