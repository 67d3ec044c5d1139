import type { Batch } from '../../kit/io.ts';

/** Goes through the lines of an input one at a time, as they arrive. Call `next` before the first line. */
export class Lines {
  readonly #batches: AsyncGenerator<Batch, void, undefined>;
  #lines: readonly string[] = [];
  #at = 0;

  constructor(batches: AsyncGenerator<Batch, void, undefined>) {
    this.#batches = batches;
  }

  /** The present line; undefined at the end. */
  get now(): string | undefined {
    return this.#lines[this.#at];
  }

  /** Returns a promise where the next line has not arrived yet. */
  next(): Promise<void> | undefined {
    return ++this.#at < this.#lines.length ? undefined : this.#fill();
  }

  async #fill(): Promise<void> {
    const { value } = await this.#batches.next();
    this.#lines = value?.lines ?? [];
    this.#at = 0;
  }
}
