import type { Fault } from '../base/fault.ts';
import type { FileJournal, JournalChange, JournalContents } from '../workspace/journal.ts';
import type { Database } from './database.ts';
import { ContentSize } from './content-size.ts';
import { layersOf, mergeLayers, settle } from './layers.ts';
import { readableLayers } from './layer-records.ts';

/** Young layers are merged once there are this many, or this much in them. */
const MAX_YOUNG = 100;
const MAX_YOUNG_BYTES = 2_000_000;
/** A layer of this size is left alone until more than half of all that is stored is covered by newer layers. */
const FULL_BYTES = 500_000;
const WORTH_REWRITING = 8_000_000;

/**
 * The files of one workspace in IndexedDB, as a pile of layers: an append is one new layer on top and reads nothing.
 * Tidying runs after a load and after an append, and an append waits for it only when it comes meanwhile.
 */
export class IdbFileJournal implements FileJournal {
  readonly #database: Database;
  readonly #workspaceID: string;
  readonly #onProblem: (fault: Fault) => void;
  /** Sizes of the layers, oldest first, as far as this journal has seen them. */
  #pile: LayerSize[] = [];
  readonly #content = new ContentSize();
  /** Not before a load has seen everything, and not where something was damaged: tidying would drop it. */
  #mayTidy = false;
  #tidying: Promise<void> | undefined;

  constructor(database: Database, workspaceID: string, onProblem: (fault: Fault) => void) {
    this.#database = database;
    this.#workspaceID = workspaceID;
    this.#onProblem = onProblem;
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
    this.#mayTidy = layers.length === rows.length;
    this.#pile = rows.map((row, index) => ({ key: keys[index] ?? 0, bytes: row.bytes.length }));
    this.#content.reset(packs);
    this.#tidySoon();
    return { packs, tail: [] };
  }

  async append(changes: readonly JournalChange[]): Promise<void> {
    const layers = layersOf(changes);
    if (layers.length === 0) return;
    const keys = await this.#database.run(['files'], 'readwrite', (tx) =>
      Promise.all(
        layers.map((layer) => tx.objectStore('files').add({ ...layer, workspaceID: this.#workspaceID })),
      ),
    );
    layers.forEach((layer, index) => this.#pile.push({ key: keys[index] ?? 0, bytes: layer.bytes.length }));
    for (const layer of layers) this.#content.add(layer);
    this.#tidySoon();
  }

  async close(): Promise<void> {
    this.#mayTidy = false;
    await this.tidied();
  }

  /** Resolves when no tidying runs. */
  async tidied(): Promise<void> {
    while (this.#tidying) await this.#tidying;
  }

  #tidySoon(): void {
    if (this.#tidying || !this.#mayTidy) return;
    const from = this.#firstToMerge();
    if (from === undefined) return;
    this.#tidying = this.#merge(from)
      // The layers are as they were: the next load or append tries again.
      .catch(() => {})
      .finally(() => (this.#tidying = undefined));
  }

  /** From which layer on the pile should become fewer layers. */
  #firstToMerge(): number | undefined {
    const stored = this.#pile.reduce((sum, { bytes }) => sum + bytes, 0);
    if (stored > WORTH_REWRITING && stored > this.#content.bytes * 2) return 0;
    const young = this.#pile.length - 1 - this.#pile.findLastIndex(({ bytes }) => bytes >= FULL_BYTES);
    const bytes = this.#pile.slice(this.#pile.length - young).reduce((sum, layer) => sum + layer.bytes, 0);
    return young > MAX_YOUNG || (young > 1 && bytes > MAX_YOUNG_BYTES)
      ? this.#pile.length - young
      : undefined;
  }

  async #merge(from: number): Promise<void> {
    const first = this.#pile[from];
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
      this.#mayTidy = false;
      return;
    }
    const { sizes, fewer, last } = merged;
    this.#pile = [...this.#pile.slice(0, from), ...sizes, ...this.#pile.filter(({ key }) => key > last)];
    if (from === 0) this.#content.reset(fewer);
  }
}

interface LayerSize {
  readonly key: number;
  readonly bytes: number;
}
