import type { Pack } from '../protocol/journal.ts';
import type { Layer } from './layers.ts';

/**
 * Estimates how many bytes of a stack of layers are still visible. Removing a directory subtracts only the directory
 * itself, so the estimate is too high until the next reset. Compaction then runs late, but never needlessly.
 */
export class ContentSize {
  readonly #lengths = new Map<string, number>();
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  reset(packs: readonly Pack[]): void {
    this.#lengths.clear();
    this.#bytes = 0;
    for (const pack of packs) this.#put(pack);
  }

  add(layer: Layer): void {
    for (const path of layer.removed) {
      this.#bytes -= this.#lengths.get(path) ?? 0;
      this.#lengths.delete(path);
    }
    this.#put(layer);
  }

  #put({ entries }: Pack): void {
    for (const { path, length } of entries) {
      this.#bytes += length - (this.#lengths.get(path) ?? 0);
      this.#lengths.set(path, length);
    }
  }
}
