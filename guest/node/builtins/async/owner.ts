import { current, recent, runIn, type Frame } from './context.ts';

/** Tracks to whom running code belongs. Code that it starts inherits the owner. */
export class Owner<Kind> {
  readonly #key = {};

  frameOf(owner: Kind): Frame {
    return { ...current(), values: new Map(current().values).set(this.#key, owner) };
  }

  get(): Kind | undefined {
    return current().values.get(this.#key) as Kind | undefined;
  }

  /** The owner of the code that ran last, where none runs now: in this turn of the loop, or also in the one before. */
  last(turns: 1 | 2): Kind | undefined {
    for (const frame of recent(turns)) {
      const found = frame.values.get(this.#key) as Kind | undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  }

  readonly run = runIn;
}
