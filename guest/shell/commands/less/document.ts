import type { ByteSource } from '../../program.ts';
import { lineBatches } from '../../kit/io.ts';

const BREATH_MS = 40;

/** The lines of a document, which are read only as far as someone looks. */
export class Document {
  readonly lines: string[] = [];
  readonly name: string | undefined;
  readonly #batches: AsyncGenerator<{ readonly lines: string[] }, void, undefined>;
  readonly #changed: () => void;
  #wanted = 0;
  #reading = false;
  #ended = false;
  #waiting: (() => void)[] = [];

  /** `changed` is called whenever more lines have arrived, and when the end is reached. */
  constructor(name: string | undefined, source: ByteSource, changed: () => void) {
    this.name = name;
    this.#batches = lineBatches(source);
    this.#changed = changed;
  }

  /** True once the whole document has been read. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Reads on until this many lines are there. */
  want(count: number): void {
    this.#wanted = Math.max(this.#wanted, count);
    if (!this.#reading && !this.#ended && this.lines.length < this.#wanted) void this.#read();
  }

  /** Resolves once this many lines, or all lines, are there. */
  async have(count: number): Promise<void> {
    this.want(count);
    while (!this.#ended && this.lines.length < count)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Stops reading, because nobody looks any more. */
  close(): void {
    this.#ended = true;
  }

  async #read(): Promise<void> {
    this.#reading = true;
    let breath = performance.now();
    while (!this.#ended && this.lines.length < this.#wanted) {
      const next = await this.#batches.next().catch(() => ({ done: true as const, value: undefined }));
      if (next.done) this.#ended = true;
      else for (const line of next.value.lines) this.lines.push(line);
      for (const wake of this.#waiting.splice(0)) wake();
      this.#changed();
      // Input that arrives without a pause would keep keys from being handled.
      if (performance.now() - breath > BREATH_MS) {
        await new Promise((resolve) => setTimeout(resolve));
        breath = performance.now();
      }
    }
    this.#reading = false;
  }
}
