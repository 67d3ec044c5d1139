import { current, recent, runIn, type Frame } from './context.ts';

/** Whom what runs belongs to, as what it starts inherits it. */
export class Owner<Kind> {
  readonly #key = {};

  frameOf(owner: Kind): Frame {
    return { ...current(), values: new Map(current().values).set(this.#key, owner) };
  }

  get(): Kind | undefined {
    return current().values.get(this.#key) as Kind | undefined;
  }

  /** Of what ran last, where nothing of the program does now: in this turn of the loop, or one before it, too. */
  last(turns: 1 | 2): Kind | undefined {
    for (const frame of recent(turns)) {
      const found = frame.values.get(this.#key) as Kind | undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  }

  readonly run = runIn;
}
