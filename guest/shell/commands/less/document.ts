import type { ByteSource } from '../../program.ts';
import { lineBatches } from '../io.ts';

const BREATH_MS = 40;

/** Lines that are read only as far as someone looks. */
export class Document {
  readonly lines: string[] = [];
  readonly name: string | undefined;
  readonly #batches: AsyncGenerator<{ readonly lines: string[] }, void, undefined>;
  readonly #changed: () => void;
  #wanted = 0;
  #reading = false;
  #ended = false;
  #waiting: (() => void)[] = [];

  /** `changed` is called whenever more lines are there, or it is known that there are none. */
  constructor(name: string | undefined, source: ByteSource, changed: () => void) {
    this.name = name;
    this.#batches = lineBatches(source);
    this.#changed = changed;
  }

  /** All of it has been read. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Reads on until there are so many lines. */
  want(count: number): void {
    this.#wanted = Math.max(this.#wanted, count);
    if (!this.#reading && !this.#ended && this.lines.length < this.#wanted) void this.#read();
  }

  /** Resolves once so many lines are there, or all that there are. */
  async have(count: number): Promise<void> {
    this.want(count);
    while (!this.#ended && this.lines.length < count)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Nobody looks any more. */
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
      // What comes without a pause would let no key in.
      if (performance.now() - breath > BREATH_MS) {
        await new Promise((resolve) => setTimeout(resolve));
        breath = performance.now();
      }
    }
    this.#reading = false;
  }
}
