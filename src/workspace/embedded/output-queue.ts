/** Pieces of output on their way from the kernel to the one reader of a process. */
export class OutputQueue {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #text = '';
  #ended = false;
  #wake = () => {};

  add(bytes: Uint8Array): void {
    this.#text += this.#decoder.decode(bytes, { stream: true });
    this.#wake();
  }

  say(text: string): void {
    this.#text += text;
    this.#wake();
  }

  end(): void {
    if (this.#ended) return;
    this.#text += this.#decoder.decode();
    this.#ended = true;
    this.#wake();
  }

  /** What has gathered since the last piece was taken, decoded across piece borders. */
  async *read(): AsyncGenerator<string, void, void> {
    for (;;) {
      if (this.#text !== '') {
        const text = this.#text;
        this.#text = '';
        yield text;
      } else if (this.#ended) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
