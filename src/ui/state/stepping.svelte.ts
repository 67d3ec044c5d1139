import { SvelteMap } from 'svelte/reactivity';
import type { Unlisten } from '../../base/listeners.ts';
import type { Stepper } from '../../session/stepping/stepper.ts';
import type { Preferences } from './preferences.ts';

/** How a session that is stepped through goes on. */
export type StepAct = 'step' | 'continue' | 'to-end';

/** In place of a session's id, while none is shown. */
const BEGINNING = '';

interface Bar {
  readonly stepper: Stepper;
  /** Its breakpoints are kept no longer. */
  readonly forget: Unlisten;
}

/** Which sessions have the bar for stepping open, and what keys do there. */
export class Stepping {
  readonly #load: (id: string) => Promise<Stepper>;
  /** Of the session that is shown: the one at the top of those that it works for. */
  readonly #topID: () => string;
  readonly #bars = new SvelteMap<string, Bar>();
  readonly #preferences: () => Preferences;
  #act: ((how: StepAct) => void) | null = null;

  constructor(load: (id: string) => Promise<Stepper>, topID: () => string, preferences: () => Preferences) {
    this.#preferences = preferences;
    this.#load = load;
    this.#topID = topID;
  }

  /** While the bar is open. */
  get stepper(): Stepper | null {
    return this.#bars.get(this.#topID())?.stepper ?? null;
  }

  async open(id = this.#topID()): Promise<void> {
    if (id === BEGINNING) return this.#openBeginning();
    const [stepper, { keepBreakpoints, keptBreakpoints }] = await Promise.all([
      this.#load(id),
      import('./kept-breakpoints.ts'),
    ]);
    const kept = keptBreakpoints(this.#preferences(), id);
    if (kept && stepper.breakpoints.length === 0) stepper.setBreakpoints(kept);
    if (this.#bars.has(id)) return;
    const keep = () => keepBreakpoints(this.#preferences(), id, stepper.breakpoints);
    if (!kept) keep();
    let last = stepper.breakpoints;
    const unlisten = stepper.onChange(() => {
      if (stepper.breakpoints !== last) keep();
      last = stepper.breakpoints;
    });
    const forget = () => {
      unlisten();
      keepBreakpoints(this.#preferences(), id, undefined);
    };
    this.#bars.set(id, { stepper, forget });
  }

  /** Before there is a session: what is set here holds from its first message on. */
  async #openBeginning(): Promise<void> {
    const stepper = await this.#load(BEGINNING);
    // Meanwhile there is one.
    if (this.#topID() !== BEGINNING) return this.open();
    this.#bars.set(BEGINNING, { stepper, forget: () => undefined });
  }

  /** This session, the one that is shown unless told, has just begun: it goes on as was set before it was there. */
  async handOver(id = this.#topID()): Promise<void> {
    if (id !== BEGINNING) await this.#move(BEGINNING, id);
  }

  /** This session did not begin after all: what was set waits for the next one. */
  async takeBack(id: string): Promise<void> {
    if (this.#topID() === BEGINNING) await this.#move(id, BEGINNING);
  }

  async #move(from: string, to: string): Promise<void> {
    const bar = this.#bars.get(from);
    if (!bar) return;
    const { mode, breakpoints } = bar.stepper;
    bar.forget();
    bar.stepper.continue();
    bar.stepper.setBreakpoints([]);
    this.#bars.delete(from);
    await this.open(to);
    const stepper = this.#bars.get(to)?.stepper;
    stepper?.setBreakpoints(breakpoints);
    if (mode === 'step') stepper?.step();
    else if (mode === 'to-end') stepper?.runToEnd();
  }

  /** Where the bar was open when the page was left, it is open again, with its breakpoints. */
  async reopen(): Promise<void> {
    const id = this.#topID();
    if (
      this.stepper ||
      id === BEGINNING ||
      !this.#preferences().get('stepping')?.includes(JSON.stringify(id))
    )
      return;
    const { keptBreakpoints } = await import('./kept-breakpoints.ts');
    if (keptBreakpoints(this.#preferences(), id) && this.#topID() === id) await this.open();
  }

  /** Nothing is held any more: what is paused goes on. */
  close(): void {
    const bar = this.#bars.get(this.#topID());
    if (!bar) return;
    bar.forget();
    bar.stepper.setBreakpoints([]);
    bar.stepper.continue();
    this.#bars.delete(this.#topID());
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
