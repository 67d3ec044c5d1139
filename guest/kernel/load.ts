import type { JournalChange, JournalContents, NodeMeta } from '../../src/protocol/journal.ts';
import type { ScratchNode } from '../../src/protocol/frame.ts';
import { ROOT } from '../../src/base/places.ts';
import { directoryNode, fileNode, nodeAt, storedFile, type Node } from './nodes.ts';
import type { FileTree } from './tree.ts';

/** Puts a journal's contents into an empty tree, without reporting changes. */
export function load(tree: FileTree, contents: JournalContents): void {
  for (const { entries, bytes } of contents.packs)
    for (const entry of entries)
      place(tree, `${ROOT}/${entry.path}`, entry, bytes.subarray(entry.offset, entry.offset + entry.length));
  for (const change of contents.tail) apply(tree, change);
  tree.joinTwins();
}

/** Puts the scratch folders of an earlier kernel into the tree. */
export function loadScratch(tree: FileTree, scratch: readonly ScratchNode[]): void {
  for (const { node, bytes } of scratch) place(tree, `/${node.path}`, node, bytes);
  tree.joinTwins();
}

function apply(tree: FileTree, change: JournalChange): void {
  if (change.op === 'remove') tree.uproot(`${ROOT}/${change.path}`);
  else place(tree, `${ROOT}/${change.node.path}`, change.node, change.bytes);
}

function place(tree: FileTree, path: string, meta: NodeMeta, bytes: Uint8Array): void {
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
  if (meta.type === 'file' && meta.stored && bytes.byteLength === 0)
    return { ...storedFile(meta.stored, meta.modified, meta.mode), twin: meta.twin };
  if (meta.type === 'file') return { ...fileNode(bytes, meta.modified, meta.mode), twin: meta.twin };
  if (meta.type === 'directory') return directoryNode(meta.modified, meta.mode);
  return { type: 'symlink', target: meta.target ?? '', mode: meta.mode, modified: meta.modified };
}
