/** A first-in, first-out queue. On a long array, `shift` would move all the items that are left. */
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
