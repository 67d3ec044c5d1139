import type { Fault } from '../base/fault.ts';
import type { Hash } from '../base/hash.ts';
import type { FileJournal, JournalChange, JournalContents, Pack } from '../protocol/journal.ts';
import type { Database } from './database.ts';
import { ContentSize } from './content-size.ts';
import { layersOf, mergeLayers, settle } from './layers.ts';
import { readableLayers } from './layer-records.ts';
import { lazily } from '../base/lazily.ts';
import type { TreeContents } from './tree-contents.ts';

/** Small layers are merged once there are this many of them, or this many bytes in them. */
const MAX_SMALL = 100;
const MAX_SMALL_BYTES = 2_000_000;
/** A layer of at least this size is kept until newer layers cover more than half of everything stored. */
const FULL_BYTES = 500_000;
const WORTH_REWRITING = 8_000_000;

/**
 * The files of one workspace in IndexedDB as a stack of layers: an append adds one layer on top and reads nothing.
 * Compaction runs after a load and after an append. An append waits for it only if it arrives meanwhile.
 */
export class IdbFileJournal implements FileJournal {
  readonly #database: Database;
  readonly #workspaceID: string;
  readonly #onProblem: (fault: Fault) => void;
  /** The sizes of the layers that this journal knows, oldest first. */
  #stack: LayerSize[] = [];
  readonly #content = new ContentSize();
  /** Loaded with the first content that is stored apart: most workspaces have none. */
  readonly #contents: () => Promise<TreeContents>;
  readonly isBehind = false;
  /** Whether contents that nothing names were looked for. Later a kernel may have some that it has not named yet. */
  #collected = false;
  #collecting: Promise<void> | undefined;
  /** False until a load has seen every layer, and whenever something is damaged, because compaction would drop it. */
  #mayCompact = false;
  #compacting: Promise<void> | undefined;

  constructor(database: Database, workspaceID: string, onProblem: (fault: Fault) => void) {
    this.#database = database;
    this.#workspaceID = workspaceID;
    this.#onProblem = onProblem;
    this.#contents = lazily(
      async () => new (await import('./tree-contents.ts')).TreeContents(database, workspaceID),
    );
  }

  async load(): Promise<JournalContents> {
    const { keys, rows } = await this.#database.run(['files'], 'readonly', async (tx) => {
      const index = tx.objectStore('files').index('workspace');
      const [keys, rows] = await Promise.all([
        index.getAllKeys(this.#workspaceID),
        index.getAll(this.#workspaceID),
      ]);
      return { keys, rows };
    });
    const layers = readableLayers(keys, rows, this.#onProblem);
    const { packs } = settle(layers);
    this.#mayCompact = layers.length === rows.length;
    this.#stack = rows.map((row, index) => ({ key: keys[index] ?? 0, bytes: row.bytes.length }));
    this.#content.reset(packs);
    this.#compactSoon();
    this.#collectSoon(packs);
    return { packs, tail: [] };
  }

  async append(changes: readonly JournalChange[]): Promise<void> {
    const layers = layersOf(changes);
    if (layers.length === 0) return;
    const contents = changes.some((change) => change.op === 'put' && change.node.stored)
      ? await this.#contents()
      : undefined;
    const keys = await this.#database.run(['files', 'blobs', 'owners'], 'readwrite', async (tx) => {
      const [added] = await Promise.all([
        Promise.all(
          layers.map((layer) => tx.objectStore('files').add({ ...layer, workspaceID: this.#workspaceID })),
        ),
        contents?.put(tx, changes),
      ]);
      return added;
    });
    layers.forEach((layer, index) => this.#stack.push({ key: keys[index] ?? 0, bytes: layer.bytes.length }));
    for (const layer of layers) this.#content.add(layer);
    this.#compactSoon();
  }

  async contents(hashes: readonly Hash[]): Promise<readonly (Uint8Array<ArrayBuffer> | undefined)[]> {
    return (await this.#contents()).get(hashes);
  }

  async close(): Promise<void> {
    this.#mayCompact = false;
    this.#collected = true;
    await this.collected();
    await this.compacted();
  }

  /** Resolves when no compaction is running. */
  async compacted(): Promise<void> {
    while (this.#compacting) await this.#compacting;
  }

  /** Resolves when no contents are being released. */
  async collected(): Promise<void> {
    await this.#collecting;
  }

  #collectSoon(packs: readonly Pack[]): void {
    // A damaged record may name contents that would be released here.
    if (this.#collected || !this.#mayCompact) return;
    this.#collected = true;
    this.#collecting = this.#contents()
      .then((contents) => contents.releaseOthers(packs.flatMap(({ entries }) => entries)))
      // The next page that opens the workspace tries again.
      .catch(() => {});
  }

  #compactSoon(): void {
    if (this.#compacting || !this.#mayCompact) return;
    const from = this.#firstToMerge();
    if (from === undefined) return;
    this.#compacting = this.#merge(from)
      // The layers are unchanged: the next load or append tries again.
      .catch(() => {})
      .finally(() => (this.#compacting = undefined));
  }

  /** The index of the oldest layer to merge with all newer ones. */
  #firstToMerge(): number | undefined {
    const stored = this.#stack.reduce((sum, { bytes }) => sum + bytes, 0);
    if (stored > WORTH_REWRITING && stored > this.#content.bytes * 2) return 0;
    const small = this.#stack.length - 1 - this.#stack.findLastIndex(({ bytes }) => bytes >= FULL_BYTES);
    const bytes = this.#stack.slice(this.#stack.length - small).reduce((sum, layer) => sum + layer.bytes, 0);
    return small > MAX_SMALL || (small > 1 && bytes > MAX_SMALL_BYTES)
      ? this.#stack.length - small
      : undefined;
  }

  async #merge(from: number): Promise<void> {
    const first = this.#stack[from];
    if (!first) return;
    const merged = await this.#database.run(['files'], 'readwrite', async (tx) => {
      const files = tx.objectStore('files');
      const all = await files.index('workspace').getAllKeys(this.#workspaceID);
      const keys = all.filter((key) => key >= first.key);
      const rows = await Promise.all(keys.map((key) => files.get(key)));
      const layers = readableLayers(keys, rows, this.#onProblem);
      if (layers.length < keys.length) return undefined;
      const fewer = mergeLayers(layers, from === 0);
      const [added] = await Promise.all([
        Promise.all(fewer.map((layer) => files.add({ ...layer, workspaceID: this.#workspaceID }))),
        ...keys.map((key) => files.delete(key)),
      ]);
      const sizes = fewer.map((layer, index) => ({ key: added[index] ?? 0, bytes: layer.bytes.length }));
      return { sizes, fewer, last: keys.at(-1) ?? first.key };
    });
    if (!merged) {
      this.#mayCompact = false;
      return;
    }
    const { sizes, fewer, last } = merged;
    this.#stack = [...this.#stack.slice(0, from), ...sizes, ...this.#stack.filter(({ key }) => key > last)];
    if (from === 0) this.#content.reset(fewer);
  }
}

interface LayerSize {
  readonly key: number;
  readonly bytes: number;
}
