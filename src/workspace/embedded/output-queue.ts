/** Pieces of output on their way from the kernel to the one reader of a process, with marks between them. */
export class OutputQueue<Mark = never> {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #items: ({ text: string } | { readonly mark: Mark })[] = [];
  #ended = false;
  #wake = () => {};

  add(bytes: Uint8Array): void {
    this.say(this.#decoder.decode(bytes, { stream: true }));
  }

  say(text: string): void {
    if (text === '') return;
    const last = this.#items.at(-1);
    if (last && 'text' in last) last.text += text;
    else this.#items.push({ text });
    this.#wake();
  }

  /** Told to the reader behind all that was added before. */
  mark(mark: Mark): void {
    this.#items.push({ mark });
    this.#wake();
  }

  end(): void {
    if (this.#ended) return;
    this.say(this.#decoder.decode());
    this.#ended = true;
    this.#wake();
  }

  /** What has gathered since the last piece was taken, decoded across piece borders. */
  async *read(): AsyncGenerator<string | Mark, void, void> {
    for (;;) {
      const item = this.#items.shift();
      if (item) yield 'text' in item ? item.text : item.mark;
      else if (this.#ended) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
