import type { JournalChange, NodeMeta, Pack, PackEntry } from '../protocol/journal.ts';

/**
 * Changes of a file tree, as they are stored: first everything at and below the `removed` paths disappears from older
 * layers, then `entries` are added. A tree is a stack of layers, and writing one costs only as much as it changes.
 */
export interface Layer extends Pack {
  readonly removed: readonly string[];
}

const NOTHING = new Uint8Array(0);

/** Bytes in one layer, about: a big import is cut so that no record grows without bounds. */
export const LAYER_BYTES = 1_000_000;

/**
 * Builds layers with the net effect of `changes`, oldest layer first. Paths that a later change covers are left out.
 */
export function layersOf(changes: readonly JournalChange[]): Layer[] {
  const { removed, puts } = netOf(changes);
  return pack(
    // A layer never has what is stored apart.
    puts.map(({ node, bytes }) => ({ meta: node, bytes: node.stored ? NOTHING : bytes })),
    removed,
  );
}

/** Returns fewer changes with the same effect. */
export function netChanges(changes: readonly JournalChange[]): JournalChange[] {
  const { removed, puts } = netOf(changes);
  return [...removed.map((path) => ({ op: 'remove', path }) as const), ...puts];
}

type Put = Extract<JournalChange, { op: 'put' }>;

function netOf(changes: readonly JournalChange[]): { removed: readonly string[]; puts: readonly Put[] } {
  const cover = new Cover();
  const puts: Put[] = [];
  for (const change of changes.toReversed()) {
    if (change.op === 'remove') cover.remove(change.path);
    else if (!cover.hides(change.node.path)) {
      cover.put(change.node.path);
      puts.push(change);
    }
  }
  return { removed: cover.removed, puts: puts.reverse() };
}

/**
 * Returns the same tree in fewer layers. With `bottom`, nothing lies below these layers, so removals can be dropped.
 */
export function mergeLayers(layers: readonly Layer[], bottom: boolean): Layer[] {
  const { packs, removed } = settle(layers);
  const nodes = packs.flatMap(({ entries, bytes }) =>
    entries.map(({ offset, length, ...meta }) => ({ meta, bytes: bytes.subarray(offset, offset + length) })),
  );
  return pack(nodes, bottom ? [] : removed);
}

/** Resolves the layers to the entries that remain, each path once. A directory may come after its contents. */
export function settle(layers: readonly Layer[]): { packs: Pack[]; removed: readonly string[] } {
  const cover = new Cover();
  const packs: Pack[] = [];
  for (const { entries, removed, bytes } of layers.toReversed()) {
    const live = entries.filter(({ path }) => !cover.hides(path));
    for (const { path } of live) cover.put(path);
    for (const path of removed) cover.remove(path);
    if (live.length > 0) packs.push({ entries: live, bytes });
  }
  return { packs: packs.toReversed(), removed: cover.removed };
}

interface Node {
  readonly meta: NodeMeta;
  readonly bytes: Uint8Array;
}

/** Tracks which older changes are hidden by newer ones. */
class Cover {
  readonly #put = new Set<string>();
  readonly #removed = new Set<string>();

  get removed(): readonly string[] {
    return [...this.#removed];
  }

  put(path: string): void {
    this.#put.add(path);
  }

  remove(path: string): void {
    this.#removed.add(path);
  }

  hides(path: string): boolean {
    if (this.#put.has(path)) return true;
    if (this.#removed.size === 0) return false;
    if (this.#removed.has('') || this.#removed.has(path)) return true;
    for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1))
      if (this.#removed.has(path.slice(0, slash))) return true;
    return false;
  }
}

function pack(nodes: readonly Node[], removed: readonly string[]): Layer[] {
  const groups: Node[][] = [[]];
  let size = 0;
  for (const node of nodes) {
    if (size > 0 && size + node.bytes.length > LAYER_BYTES) {
      groups.push([]);
      size = 0;
    }
    groups.at(-1)?.push(node);
    size += node.bytes.length;
  }
  if (nodes.length === 0 && removed.length === 0) return [];
  // Removals affect older layers, so they belong to the oldest of these.
  return groups.map((group, index) => ({ ...join(group), removed: index === 0 ? removed : [] }));
}

function join(nodes: readonly Node[]): Pack {
  const bytes = new Uint8Array(nodes.reduce((sum, node) => sum + node.bytes.length, 0));
  let offset = 0;
  const entries = nodes.map(({ meta, bytes: content }): PackEntry => {
    bytes.set(content, offset);
    const entry = { ...meta, offset, length: content.length };
    offset += content.length;
    return entry;
  });
  return { entries, bytes };
}
