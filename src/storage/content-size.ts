import type { Pack } from '../workspace/journal.ts';
import type { Layer } from './layers.ts';

/**
 * How much of a pile of layers is still to be seen, in bytes. Of a removed directory only itself is taken off, so it
 * says too much after that, until the next reset: tidying then comes late and never in vain.
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
