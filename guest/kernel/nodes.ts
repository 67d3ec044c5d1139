import type { Hash } from '../../src/base/hash.ts';

/** What the tree is made of. Contents are replaced, never changed in place, so that a reader may keep them. */
export type Node = FileNode | DirectoryNode | SymlinkNode | DeviceNode;

/** Milliseconds, told where they differ from when the node was modified. */
export interface NodeTimes {
  accessed?: number | undefined;
  /** Of the node itself: its mode, its times, its names. */
  changed?: number | undefined;
  born?: number | undefined;
}

export interface FileNode extends NodeTimes {
  readonly type: 'file';
  /** Of one that has, or had, several names: the same for each, and how many there are. */
  twin?: number | undefined;
  names?: number | undefined;
  content: Uint8Array;
  mode: number;
  modified: number;
  /** Of `content`, once it was asked for. */
  hash?: Hash | undefined;
  /** What `content` is the first part of, for appending to; never shared with another node. */
  room?: Uint8Array | undefined;
  /** Of a file outside whose content has not been fetched. */
  size?: number | undefined;
}

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

/** Reads as `content`; what is written to it is gone. */
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

/** What a node counts towards the quota: its content and something for itself, so that empty files are not free. */
export function weight(node: Node): number {
  return 256 + (node.type === 'file' ? node.content.byteLength : 0);
}

/** `path` and everything below it, parents first. */
export function* walk(path: string, node: Node): Generator<[path: string, node: Node]> {
  yield [path, node];
  if (node.type !== 'directory') return;
  for (const [name, child] of node.children)
    yield* walk(path === '/' ? `/${name}` : `${path}/${name}`, child);
}

/** The node at exactly this real absolute path: no symlink followed, nothing checked. */
export function nodeAt(top: DirectoryNode, path: string): Node | undefined {
  let node: Node = top;
  for (const name of path === '/' ? [] : path.split('/').slice(1)) {
    const child: Node | undefined = node.type === 'directory' ? node.children.get(name) : undefined;
    if (!child) return undefined;
    node = child;
  }
  return node;
}

/** Where this very node is below `top`, if anywhere. */
export function pathOfNode(top: DirectoryNode, wanted: Node): string | undefined {
  for (const [path, node] of walk('/', top)) if (node === wanted) return path;
  return undefined;
}

/** Every path of a node that is at `path`. */
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

const SMALL_BYTES = 16_384;

/**
 * The content with `more` after it. A file that is appended to again and again has room left for it: what was read
 * before is a view of what does not change.
 */
export function appended(node: FileNode, more: Uint8Array): Uint8Array {
  const length = node.content.byteLength;
  const total = length + more.byteLength;
  if (!node.room || node.room.byteLength < total) {
    node.room = new Uint8Array(length < SMALL_BYTES ? total : total * 2);
    node.room.set(node.content);
  }
  node.room.set(more, length);
  return node.room.subarray(0, total);
}

const inodes = new WeakMap<Node, number>();
let nextInode = 2;

export function inodeOf(node: Node): number {
  let inode = inodes.get(node);
  if (inode === undefined) inodes.set(node, (inode = nextInode++));
  return inode;
}
