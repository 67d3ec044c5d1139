/** First in, first out: of a long one an array's own `shift` moves all that is left. */
export class Queue<Item> {
  #items: (Item | undefined)[] = [];
  #first = 0;

  get length(): number {
    return this.#items.length - this.#first;
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  shift(): Item | undefined {
    if (this.#first === this.#items.length) return undefined;
    const item = this.#items[this.#first];
    this.#items[this.#first++] = undefined;
    if (this.#first === this.#items.length || this.#first === WASTE) {
      this.#items.splice(0, this.#first);
      this.#first = 0;
    }
    return item;
  }
}

const WASTE = 4096;
