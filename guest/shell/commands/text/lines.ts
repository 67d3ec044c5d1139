import type { Batch } from '../io.ts';

/** Goes through the lines of an input, one at a time, as they come: before the first one, until it was asked for that. */
export class Lines {
  readonly #batches: AsyncGenerator<Batch, void, undefined>;
  #lines: readonly string[] = [];
  #at = 0;

  constructor(batches: AsyncGenerator<Batch, void, undefined>) {
    this.#batches = batches;
  }

  /** Undefined at the end. */
  get now(): string | undefined {
    return this.#lines[this.#at];
  }

  /** A promise where the next line has not come yet. */
  next(): Promise<void> | undefined {
    return ++this.#at < this.#lines.length ? undefined : this.#fill();
  }

  async #fill(): Promise<void> {
    const { value } = await this.#batches.next();
    this.#lines = value?.lines ?? [];
    this.#at = 0;
  }
}
