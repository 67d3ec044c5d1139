import type { PastView } from './past-view.svelte.ts';

/** The past that is shown in place of the session's present state. */
export class ShownPast {
  #view = $state.raw<PastView | null>(null);

  get view(): PastView | null {
    return this.#view;
  }

  /** `null` returns to the present. */
  show(view: PastView | null): void {
    this.#view = view;
  }
}
