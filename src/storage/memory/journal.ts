import type { Hash } from '../../base/hash.ts';
import type { FileJournal, JournalChange, JournalContents } from '../../protocol/journal.ts';
import { layersOf, mergeLayers, settle, type Layer } from '../layers.ts';

const MAX_LAYERS = 100;

/** The files of one workspace in memory. */
export class MemoryFileJournal implements FileJournal {
  #layers: readonly Layer[];
  readonly #contents: Map<Hash, Uint8Array<ArrayBuffer>>;
  readonly isBehind = false;

  constructor(
    layers: readonly Layer[] = [],
    contents: ReadonlyMap<Hash, Uint8Array<ArrayBuffer>> = new Map(),
  ) {
    this.#layers = layers;
    this.#contents = new Map(contents);
  }

  async load(): Promise<JournalContents> {
    const { packs } = settle(this.#layers);
    // Copies the buffers, because the reader may transfer them to another thread.
    return { packs: packs.map(({ entries, bytes }) => ({ entries, bytes: bytes.slice() })), tail: [] };
  }

  async append(changes: readonly JournalChange[]): Promise<void> {
    for (const change of changes)
      if (change.op === 'put' && change.node.stored && change.bytes.byteLength > 0)
        this.#contents.set(change.node.stored.hash, change.bytes);
    const layers = [...this.#layers, ...layersOf(changes)];
    this.#layers = layers.length > MAX_LAYERS ? mergeLayers(layers, true) : layers;
  }

  async contents(hashes: readonly Hash[]): Promise<(Uint8Array<ArrayBuffer> | undefined)[]> {
    return hashes.map((hash) => this.#contents.get(hash)?.slice());
  }

  async close(): Promise<void> {}

  /** Another journal with the same files. Layers never change, so both share them. */
  copy(): MemoryFileJournal {
    return new MemoryFileJournal(this.#layers, this.#contents);
  }
}
