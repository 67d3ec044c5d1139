/** A place in a file of the shown workspace. */
export interface Place {
  readonly path: string;
  /** From 1. Without it, the file is shown as it was left. */
  readonly line?: number;
  /** The part of the line that is selected, from 0, end exclusive. */
  readonly from?: number;
  readonly to?: number;
}

/**
 * The person's wish to find something in the files: a file by its name, a text, or a known place. The component that
 * can show it takes the wish and clears it.
 */
export class Finding {
  #asked = $state.raw<'file' | 'text' | Place | null>(null);

  get asked(): 'file' | 'text' | Place | null {
    return this.#asked;
  }

  ask(asked: 'file' | 'text' | Place | null): void {
    this.#asked = asked;
  }
}
