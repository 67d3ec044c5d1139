import type { FileJournal, JournalChange, JournalContents } from '../../protocol/journal.ts';
import { layersOf, mergeLayers, settle, type Layer } from '../layers.ts';

const MAX_LAYERS = 100;

/** The files of one workspace in memory. */
export class MemoryFileJournal implements FileJournal {
  #layers: readonly Layer[];

  constructor(layers: readonly Layer[] = []) {
    this.#layers = layers;
  }

  async load(): Promise<JournalContents> {
    const { packs } = settle(this.#layers);
    // Copies the buffers, because the reader may transfer them to another thread.
    return { packs: packs.map(({ entries, bytes }) => ({ entries, bytes: bytes.slice() })), tail: [] };
  }

  async append(changes: readonly JournalChange[]): Promise<void> {
    const layers = [...this.#layers, ...layersOf(changes)];
    this.#layers = layers.length > MAX_LAYERS ? mergeLayers(layers, true) : layers;
  }

  async close(): Promise<void> {}

  /** Another journal with the same files. Layers never change, so both share them. */
  copy(): MemoryFileJournal {
    return new MemoryFileJournal(this.#layers);
  }
}
