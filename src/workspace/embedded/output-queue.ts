/** Queues the output of a process for its one reader, with marks between the pieces. */
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

  /** Adds a mark, which the reader gets after everything that was added before. */
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

  /** Yields everything that arrived since the last piece, decoded across piece boundaries. */
  async *read(): AsyncGenerator<string | Mark, void, void> {
    for (;;) {
      const item = this.#items.shift();
      if (item) yield 'text' in item ? item.text : item.mark;
      else if (this.#ended) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
