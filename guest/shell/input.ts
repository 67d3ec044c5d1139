import { joined } from './kit/io.ts';

/** Standard input, which the shell reads line by line. */
export interface ShellSource {
  /**
   * Reads up to and including the next line break; at the end, first the remaining bytes, then an empty
   * array.
   */
  readLine(): Promise<Uint8Array>;
}

const NEWLINE = 0x0a;
/**
 * Used bytes are reported in steps of this size, because a message for each line would cost more than the
 * line.
 */
const TELL_BYTES = 64 * 1024;

/** Standard input that arrives in pieces. */
export class StreamedInput implements ShellSource {
  #pieces: Uint8Array[] = [];
  #ended = false;
  #wake = (): void => {};
  readonly #used: (bytes: number) => void;
  /** How many bytes have arrived and have not been reported as used. */
  #fresh = 0;

  /** `used` is called with the number of bytes that were read, or that are too few to make a line. */
  constructor(used: (bytes: number) => void = () => {}) {
    this.#used = used;
  }

  static whole(bytes: Uint8Array): StreamedInput {
    const input = new StreamedInput();
    input.add(bytes);
    input.end();
    return input;
  }

  add(bytes: Uint8Array): void {
    this.#pieces.push(bytes);
    this.#fresh += bytes.byteLength;
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  async readLine(): Promise<Uint8Array> {
    for (;;) {
      const all = this.#join();
      const newline = all.indexOf(NEWLINE);
      if (newline >= 0 || this.#ended) {
        const end = newline < 0 ? all.length : newline + 1;
        this.#pieces = [all.subarray(end)];
        const used = this.#fresh - (all.length - end);
        if (used >= TELL_BYTES) this.#use(used);
        return all.subarray(0, end);
      }
      this.#use(this.#fresh);
      await this.#more();
    }
  }

  #use(bytes: number): void {
    if (bytes === 0) return;
    this.#fresh -= bytes;
    this.#used(bytes);
  }

  #more(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve));
  }

  #join(): Uint8Array {
    const all = joined(this.#pieces);
    this.#pieces = [all];
    return all;
  }
}
