/**
 * Counts in shared memory how often a path of the workspace has come, gone or been replaced, so that processes know
 * whether what they remember of paths is still so. Changes of contents do not count.
 */
export class NamesVersion {
  readonly shared: SharedArrayBuffer;
  readonly #words: Int32Array;

  constructor(shared = new SharedArrayBuffer(4)) {
    this.shared = shared;
    this.#words = new Int32Array(shared);
  }

  /** It wraps around after 2^32 changes. */
  get current(): number {
    return Atomics.load(this.#words, 0);
  }

  /** The kernel calls this together with the change, before it answers any further call. */
  advance(): void {
    Atomics.add(this.#words, 0, 1);
  }
}
