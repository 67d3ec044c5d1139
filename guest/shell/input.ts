import { joined } from './commands/io.ts';

/** Standard input as the shell reads it: by lines. */
export interface ShellSource {
  /** Up to and with the next line break; at the end what is left, then nothing. */
  readLine(): Promise<Uint8Array>;
}

const NEWLINE = 0x0a;
/** Told at once: a message for each line would cost more than the line. */
const TELL_BYTES = 64 * 1024;

/** Standard input that comes in pieces. */
export class StreamedInput implements ShellSource {
  #pieces: Uint8Array[] = [];
  #ended = false;
  #wake = (): void => {};
  readonly #used: (bytes: number) => void;
  /** Bytes that are here and of which it was not said that they were used. */
  #fresh = 0;

  /** `used` is told what was read, or what is not enough to go on. */
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
