import type { Comparison } from '../../app.ts';

/** The dialog for comparing two runs. Closing it keeps its comparison. */
export class ComparisonState {
  #isOpen = $state.raw(false);
  #result = $state.raw<Comparison | null>(null);

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** The last comparison, until another one begins. */
  get result(): Comparison | null {
    return this.#result;
  }

  open(): void {
    this.#isOpen = true;
  }

  close(): void {
    this.#isOpen = false;
  }

  /** `null` makes room for another comparison. */
  show(result: Comparison | null): void {
    this.#result = result;
  }
}
