import { SvelteMap } from 'svelte/reactivity';
import type { Unlisten } from '../../base/listeners.ts';
import type { Stepper } from '../../session/stepping/stepper.ts';

/** How a session that is stepped through goes on. */
export type StepAct = 'step' | 'continue' | 'to-end';

/** Which sessions have the bar for stepping open, and what keys do there. */
export class Stepping {
  readonly #load: (id: string) => Promise<Stepper>;
  /** Of the session that is shown: the one at the top of those that it works for. */
  readonly #topID: () => string;
  readonly #steppers = new SvelteMap<string, Stepper>();
  #act: ((how: StepAct) => void) | null = null;

  constructor(load: (id: string) => Promise<Stepper>, topID: () => string) {
    this.#load = load;
    this.#topID = topID;
  }

  /** While the bar is open. */
  get stepper(): Stepper | null {
    return this.#steppers.get(this.#topID()) ?? null;
  }

  async open(): Promise<void> {
    const id = this.#topID();
    this.#steppers.set(id, await this.#load(id));
  }

  /** Nothing is held any more: what is paused goes on. */
  close(): void {
    this.stepper?.setBreakpoints([]);
    this.stepper?.continue();
    this.#steppers.delete(this.#topID());
  }

  /** By key: the bar is opened where it is not. */
  async act(how: StepAct): Promise<void> {
    if (this.#act) return this.#act(how);
    await this.open();
    if (how === 'step') this.stepper?.step();
    else if (how === 'continue') this.stepper?.continue();
    else this.stepper?.runToEnd();
  }

  /** The bar takes over: it knows what was edited. */
  whenActing(act: (how: StepAct) => void): Unlisten {
    this.#act = act;
    return () => {
      if (this.#act === act) this.#act = null;
    };
  }
}
