import type { Hash } from '../../src/base/hash.ts';
import { fromRoot, isCanonicalRelative } from '../../src/protocol/paths.ts';
import { ROOT } from '../../src/base/places.ts';
import type { SnapshotEntry } from '../../src/protocol/workspace-values.ts';
import { hashOf } from './app-files.ts';
import { FsError } from './errors.ts';
import {
  directoryNode,
  EMPTY,
  fileNode,
  lengthOf,
  namesOf,
  nodeAt,
  walk,
  type DirectoryNode,
  type KeptContent,
  type Node,
} from './nodes.ts';
import type { FileTree } from './tree.ts';

type StoredEntry = Exclude<SnapshotEntry, { type: 'ignored' }>;

/** The files that differ from an earlier snapshot, or all files if `whole`. */
export interface SnapshotChanges {
  /** Names this snapshot when the next one is asked for. No other kernel gives the same id. */
  readonly id: string;
  readonly whole: boolean;
  /** Sorted by path. */
  readonly changed: readonly StoredEntry[];
  /** The paths of entries that are no longer there. */
  readonly gone: readonly string[];
}

const NOTHING: ReadonlyMap<string, StoredEntry> = new Map();

export class Snapshots {
  readonly #tree: FileTree;
  readonly #name = String(Math.random());
  #taken = 0;
  #last: { readonly id: string; readonly entries: ReadonlyMap<string, StoredEntry> } | null = null;
  /** The contents of the snapshot being taken, kept because the files may change while the app stores them. */
  #pinned = new Map<Hash, KeptContent>();
  readonly #read: (files: readonly KeptContent[]) => Promise<Uint8Array[]>;

  /** `read` fetches contents that only the app has. */
  constructor(
    tree: FileTree,
    read: (files: readonly KeptContent[]) => Promise<Uint8Array[]> = async (files) =>
      files.map(({ content }) => content ?? new Uint8Array(0)),
  ) {
    this.#tree = tree;
    this.#read = read;
  }

  /** Lists everything below the root as it is at this moment, or what differs from the snapshot `since`. */
  async take(since: string | null): Promise<SnapshotChanges> {
    // These are copies of the nodes, because the files may change while the hashes are computed.
    const seen = [...walk(ROOT, this.#root())].slice(1).map(([path, node]) => ({
      path: fromRoot(path),
      node: node.type === 'file' ? { ...node } : node,
      original: node,
    }));
    const known = this.#last?.entries ?? NOTHING;
    const pinned = new Map<Hash, KeptContent>();
    const entries = new Map<string, StoredEntry>();
    await paced(seen, ({ path, node, original }) => {
      const entry = entryOf(path, node);
      if (!entry) return;
      if (entry.type === 'file' && node.type === 'file') {
        if (original.type === 'file' && original.content === node.content) original.hash = entry.hash;
        pinned.set(
          entry.hash,
          node.stored ? { content: null, stored: node.stored } : { content: node.content },
        );
      }
      const before = known.get(path);
      entries.set(path, before && isSame(before, entry) ? before : entry);
    });
    this.#pinned = pinned;
    const whole = since === null || since !== this.#last?.id;
    const id = `${this.#name}/${++this.#taken}`;
    this.#last = { id, entries };
    const changed = [...entries.values()].filter((entry) => whole || known.get(entry.path) !== entry);
    return {
      id,
      whole,
      changed: changed.sort((a, b) => (a.path < b.path ? -1 : 1)),
      gone: whole ? [] : [...known.keys()].filter((path) => !entries.has(path)),
    };
  }

  async contents(hashes: readonly Hash[]): Promise<Uint8Array[]> {
    const files = hashes.map((hash) => {
      const file = this.#pinned.get(hash);
      if (!file) throw new FsError('ENOENT', hash, 'not part of the snapshot being taken');
      return file;
    });
    return (await this.#read(files)).map((content) => content.slice());
  }

  taken(): void {
    this.#pinned = new Map();
  }

  /** Makes the tree equal to `entries`. If contents are missing, changes nothing and returns their hashes. */
  async restore(entries: readonly SnapshotEntry[], contents: ReadonlyMap<Hash, Uint8Array>): Promise<Hash[]> {
    const files = () =>
      [...walk(ROOT, this.#root())].flatMap(([, node]) => (node.type === 'file' ? [node] : []));
    await paced(files(), hashOf);
    // From here on everything happens in one step. Files that changed during the pauses are hashed now.
    const present = new Map<Hash, KeptContent>(files().map((node) => [hashOf(node), node]));
    const missing = new Set<Hash>();
    // A snapshot has no times of folders and links.
    const time = this.#tree.now();
    const root = directoryNode(time);
    const twins = new Map<string, Node>();
    for (const entry of [...entries].sort((a, b) => (a.path < b.path ? -1 : 1))) {
      if (entry.type === 'ignored') {
        const now = nodeAt(this.#tree.top, `${ROOT}/${entry.path}`);
        if (now) place(root, entry, now, time);
        continue;
      }
      const given = entry.type === 'file' ? contents.get(entry.hash) : undefined;
      const content =
        entry.type === 'file' ? (present.get(entry.hash) ?? (given && { content: given })) : undefined;
      if (entry.type === 'file' && !content) missing.add(entry.hash);
      else place(root, entry, this.#joined(entry, nodeOf(entry, content, time), twins), time);
    }
    if (missing.size > 0) return [...missing];
    this.#tree.replaceRoot(root);
    return [];
  }

  /** Keeps names of one file together where the snapshot has the same content for them. */
  #joined(entry: StoredEntry, node: Node, twins: Map<string, Node>): Node {
    const now = nodeAt(this.#tree.top, `${ROOT}/${entry.path}`);
    if (entry.type !== 'file' || node.type !== 'file' || now?.type !== 'file' || namesOf(now) < 2)
      return node;
    node.twin = now.twin;
    const key = `${now.twin} ${entry.hash} ${entry.mode} ${entry.modified}`;
    const known = twins.get(key) ?? node;
    twins.set(key, known);
    return known;
  }

  #root(): DirectoryNode {
    const root = nodeAt(this.#tree.top, ROOT);
    if (root?.type !== 'directory') throw new FsError('ENOENT', ROOT);
    return root;
  }
}

function entryOf(path: string, node: Node): StoredEntry | undefined {
  const { type, mode } = node;
  if (type === 'directory') return { path, type, mode };
  if (type === 'symlink') return { path, type, target: node.target };
  if (type !== 'file') return undefined;
  return { path, type, mode, modified: node.modified, size: lengthOf(node), hash: hashOf(node) };
}

function isSame(a: StoredEntry, b: StoredEntry): boolean {
  if (a.type === 'file')
    return b.type === 'file' && a.hash === b.hash && a.mode === b.mode && a.modified === b.modified;
  if (a.type === 'directory') return b.type === 'directory' && a.mode === b.mode;
  return b.type === 'symlink' && a.target === b.target;
}

function place(root: DirectoryNode, entry: SnapshotEntry, node: Node, time: number): void {
  if (!isCanonicalRelative(entry.path)) throw new FsError('EINVAL', entry.path);
  const names = entry.path.split('/');
  let parent = root;
  for (const name of names.slice(0, -1)) {
    const child = parent.children.get(name);
    if (child && child.type !== 'directory') throw new FsError('ENOTDIR', entry.path);
    const folder = child ?? directoryNode(time);
    parent.children.set(name, folder);
    parent = folder;
  }
  parent.children.set(names.at(-1) ?? '', node);
}

function nodeOf(entry: StoredEntry, kept: KeptContent | undefined, time: number): Node {
  if (entry.type === 'directory') return directoryNode(time, entry.mode);
  if (entry.type === 'symlink') return { type: 'symlink', target: entry.target, mode: 0o777, modified: time };
  if (!kept) throw new FsError('ENOENT', entry.path);
  const { content, stored } = kept;
  return { ...fileNode(EMPTY, entry.modified, entry.mode), content, stored, hash: entry.hash };
}

const SLICE_MS = 50;

/** Pauses now and then so that the kernel can answer: after two seconds of silence the app would restart it. */
async function paced<T>(items: readonly T[], work: (item: T) => void): Promise<void> {
  let sliceEnd = performance.now() + SLICE_MS;
  for (const item of items) {
    work(item);
    if (performance.now() < sliceEnd) continue;
    await new Promise((resolve) => setTimeout(resolve));
    sliceEnd = performance.now() + SLICE_MS;
  }
}
