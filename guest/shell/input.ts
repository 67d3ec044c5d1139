import { joined } from './commands/io.ts';

/** Standard input as the shell reads it: by lines. */
export interface ShellSource {
  /** Up to and with the next line break; at the end what is left, then nothing. */
  readLine(): Promise<Uint8Array>;
}

const NEWLINE = 0x0a;

/** Standard input that comes in pieces. */
export class StreamedInput implements ShellSource {
  #pieces: Uint8Array[] = [];
  #ended = false;
  #wake = (): void => {};

  static whole(bytes: Uint8Array): StreamedInput {
    const input = new StreamedInput();
    input.add(bytes);
    input.end();
    return input;
  }

  add(bytes: Uint8Array): void {
    this.#pieces.push(bytes);
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
        return all.subarray(0, end);
      }
      await this.#more();
    }
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
