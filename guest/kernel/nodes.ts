import type { Hash } from '../../src/base/hash.ts';
import type { StoredContent } from '../../src/protocol/journal.ts';
import { FsError } from './errors.ts';

/** A node of the tree. A file's content is replaced, never changed in place, so that a reader may keep it. */
export type Node = FileNode | DirectoryNode | SymlinkNode | DeviceNode;

/** Times in milliseconds since the epoch, set where they differ from the node's `modified`. */
export interface NodeTimes {
  accessed?: number | undefined;
  /** When the node's mode, times or names changed last. */
  changed?: number | undefined;
  born?: number | undefined;
}

export interface FileNode extends NodeTimes {
  readonly type: 'file';
  /** A number that all names (hard links) of one file share. Set on files that have, or had, several names. */
  twin?: number | undefined;
  /** How many names the file has; default 1. */
  names?: number | undefined;
  /** Null while only the app has it. `stored` then says what it is, and {@link Contents} fetches it. */
  content: Uint8Array | null;
  /** Set once the app has stored the content apart from the tree, by its hash. */
  stored?: StoredContent | undefined;
  mode: number;
  modified: number;
  /** The hash of `content`, once someone has asked for it. */
  hash?: Hash | undefined;
  /** A larger buffer that `content` is the start of, with room for appending. Never shared with another node. */
  buffer?: Uint8Array | undefined;
  /** The size of a file that the app stores, whose content may not have been fetched yet. */
  size?: number | undefined;
}

/** The content of a file, which the app may have stored apart from the tree. */
export type KeptContent = Pick<FileNode, 'content' | 'stored'>;

export interface DirectoryNode extends NodeTimes {
  readonly type: 'directory';
  readonly children: Map<string, Node>;
  mode: number;
  modified: number;
}

export interface SymlinkNode extends NodeTimes {
  readonly type: 'symlink';
  readonly target: string;
  mode: number;
  modified: number;
}

/** A device, such as /dev/null. It reads as `content`, and anything written to it is lost. */
export interface DeviceNode extends NodeTimes {
  readonly type: 'device';
  readonly content: Uint8Array;
  mode: number;
  modified: number;
}

export const EMPTY = new Uint8Array(0);

export function fileNode(content: Uint8Array, modified: number, mode = 0o644): FileNode {
  return { type: 'file', content, mode, modified };
}

export function directoryNode(modified: number, mode = 0o755): DirectoryNode {
  return { type: 'directory', children: new Map(), mode, modified };
}

/** A file whose content only the app has. */
export function storedFile(stored: StoredContent, modified: number, mode = 0o644): FileNode {
  return { type: 'file', content: null, stored, hash: stored.hash, mode, modified };
}

/** The content of a file that was fetched before: whoever opens a file sees to that. */
export function contentOf(node: FileNode | DeviceNode): Uint8Array {
  if (!node.content) throw new FsError('EIO', '', 'its content is missing from the storage of the app');
  return node.content;
}

/** The length of a file's content, wherever that is. */
export function lengthOf(node: FileNode): number {
  return node.content?.byteLength ?? node.stored?.size ?? 0;
}

/** How many bytes of a file's content count towards the quota. What is stored apart does not have to fit into memory. */
export function countedLength(node: FileNode): number {
  return node.stored ? 0 : lengthOf(node);
}

/** How many bytes a node counts towards the quota: its content, and 256 so that empty files are not free. */
export function weight(node: Node): number {
  return 256 + (node.type === 'file' ? countedLength(node) : 0);
}

/** Yields `path` and everything below it, parents first. */
export function* walk(path: string, node: Node): Generator<[path: string, node: Node]> {
  yield [path, node];
  if (node.type !== 'directory') return;
  for (const [name, child] of node.children)
    yield* walk(path === '/' ? `/${name}` : `${path}/${name}`, child);
}

/** The node at a real absolute path. No symlink is followed, and no access is checked. */
export function nodeAt(top: DirectoryNode, path: string): Node | undefined {
  let node: Node = top;
  for (const name of path === '/' ? [] : path.split('/').slice(1)) {
    const child: Node | undefined = node.type === 'directory' ? node.children.get(name) : undefined;
    if (!child) return undefined;
    node = child;
  }
  return node;
}

/** A path of this node below `top`, if it has one. */
export function pathOfNode(top: DirectoryNode, wanted: Node): string | undefined {
  for (const [path, node] of walk('/', top)) if (node === wanted) return path;
  return undefined;
}

/** All paths of the node at `path`: a file can have several. */
export function pathsOf(top: DirectoryNode, path: string, node: Node): string[] {
  if (node.type !== 'file' || namesOf(node) < 2) return [path];
  return [...walk('/', top)].flatMap(([each, at]) => (at === node ? [each] : []));
}

export function namesOf(node: Node): number {
  return node.type === 'directory' ? 2 : node.type === 'file' ? (node.names ?? 1) : 1;
}

/** The folder part of a real absolute path. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function countOf(node: Node): number {
  let count = 1;
  if (node.type === 'directory') for (const child of node.children.values()) count += countOf(child);
  return count;
}

export function totalWeight(node: Node): number {
  let total = 0;
  for (const [, each] of walk('', node)) total += weight(each);
  return total;
}

/** Whether two files have the same content, as far as can be told without fetching it. */
export function haveEqualContents(a: FileNode, b: FileNode): boolean {
  if (a.content && b.content) return equalBytes(a.content, b.content);
  return a.hash !== undefined && a.hash === b.hash;
}

/** Whether two contents are equal. Copies share their content until one is written, so comparing those takes no time. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a === b) return true;
  if (a.byteLength !== b.byteLength) return false;
  // Four bytes are compared at a time where both are aligned.
  const words = a.byteOffset % 4 === 0 && b.byteOffset % 4 === 0 ? a.byteLength >> 2 : 0;
  return (
    equalItems(
      new Int32Array(a.buffer, words && a.byteOffset, words),
      new Int32Array(b.buffer, words && b.byteOffset, words),
    ) && equalItems(a.subarray(words * 4), b.subarray(words * 4))
  );
}

function equalItems(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}

const SMALL_BYTES = 16_384;

/**
 * The content with `more` after it. The buffer leaves room for further appends, so that a file can grow in a loop without
 * being copied each time. Readers keep a view of the part that does not change.
 */
export function appended(node: FileNode, more: Uint8Array): Uint8Array {
  const content = contentOf(node);
  const length = content.byteLength;
  const total = length + more.byteLength;
  if (!node.buffer || node.buffer.byteLength < total) {
    node.buffer = new Uint8Array(length < SMALL_BYTES ? total : total * 2);
    node.buffer.set(content);
  }
  node.buffer.set(more, length);
  return node.buffer.subarray(0, total);
}

const inodes = new WeakMap<Node, number>();
let nextInode = 2;

export function inodeOf(node: Node): number {
  let inode = inodes.get(node);
  if (inode === undefined) inodes.set(node, (inode = nextInode++));
  return inode;
}
