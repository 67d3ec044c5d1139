/** Keeps values up to a number of bytes in all, and gives up those that were not asked for longest. */
export class Kept<Key, Value> {
  readonly #most: number;
  readonly #values = new Map<Key, { readonly value: Value; readonly bytes: number }>();
  #bytes = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get(key: Key): Value | undefined {
    const found = this.#values.get(key);
    if (!found) return undefined;
    // The order of a map is that of insertion: what was asked for goes to its end.
    this.#values.delete(key);
    this.#values.set(key, found);
    return found.value;
  }

  set(key: Key, value: Value, bytes: number): void {
    this.#drop(key);
    if (bytes > this.#most) return;
    this.#values.set(key, { value, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#values.keys()) {
      if (this.#bytes <= this.#most) return;
      this.#drop(oldest);
    }
  }

  #drop(key: Key): void {
    this.#bytes -= this.#values.get(key)?.bytes ?? 0;
    this.#values.delete(key);
  }
}
