import { SvelteMap } from 'svelte/reactivity';
import type { Unlisten } from '../../base/listeners.ts';
import type { Stepper } from '../../session/stepping/stepper.ts';
import type { Preferences } from './preferences.ts';

/** The ways to go on from a pause. */
export type StepAct = 'step' | 'continue' | 'to-end';

/** The key that replaces a session's id while no session is shown. */
const BEGINNING = '';

interface Bar {
  readonly stepper: Stepper;
  /** Stops storing the breakpoints, and removes them. */
  readonly forget: Unlisten;
}

/** Knows which sessions have the step bar open, and handles its keys. */
export class Stepping {
  readonly #load: (id: string) => Promise<Stepper>;
  /** Returns the id of the shown session's topmost parent, or of the session itself. */
  readonly #topID: () => string;
  readonly #bars = new SvelteMap<string, Bar>();
  readonly #preferences: Preferences;
  #act: ((how: StepAct) => void) | null = null;

  constructor(load: (id: string) => Promise<Stepper>, topID: () => string, preferences: Preferences) {
    this.#preferences = preferences;
    this.#load = load;
    this.#topID = topID;
  }

  /** The stepper of the open step bar; `null` while the bar is closed. */
  get stepper(): Stepper | null {
    return this.#bars.get(this.#topID())?.stepper ?? null;
  }

  async open(id = this.#topID()): Promise<void> {
    if (id === BEGINNING) return this.#openBeginning();
    const [stepper, { keepBreakpoints, keptBreakpoints }] = await Promise.all([
      this.#load(id),
      import('./kept-breakpoints.ts'),
    ]);
    const kept = keptBreakpoints(this.#preferences, id);
    if (kept && stepper.breakpoints.length === 0) stepper.setBreakpoints(kept);
    if (this.#bars.has(id)) return;
    const keep = () => keepBreakpoints(this.#preferences, id, stepper.breakpoints);
    if (!kept) keep();
    let last = stepper.breakpoints;
    const unlisten = stepper.onChange(() => {
      if (stepper.breakpoints !== last) keep();
      last = stepper.breakpoints;
    });
    const forget = () => {
      unlisten();
      keepBreakpoints(this.#preferences, id, undefined);
    };
    this.#bars.set(id, { stepper, forget });
  }

  /**
   * Opens the bar and arms it: the session pauses before the next thing, unless stored breakpoints say where
   * to stop.
   */
  async begin(): Promise<void> {
    await this.open();
    const { stepper } = this;
    if (stepper?.mode === 'run' && stepper.breakpoints.length === 0) stepper.step();
  }

  /** Opens the bar before there is a session. Its settings apply from the first message on. */
  async #openBeginning(): Promise<void> {
    const stepper = await this.#load(BEGINNING);
    // A session was opened meanwhile.
    if (this.#topID() !== BEGINNING) return this.open();
    this.#bars.set(BEGINNING, { stepper, forget: () => undefined });
  }

  /**
   * Hands the settings from before the session to the session that has just begun, by default the shown one.
   */
  async handOver(id = this.#topID()): Promise<void> {
    if (id !== BEGINNING) await this.#move(BEGINNING, id);
  }

  /** Takes the settings back from a session that failed to begin, for the next one. */
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

  /** Opens the bar again, with its breakpoints, if it was open when the page was left. */
  async reopen(): Promise<void> {
    const id = this.#topID();
    if (this.stepper || id === BEGINNING || !this.#preferences.get('stepping')?.includes(JSON.stringify(id)))
      return;
    const { keptBreakpoints } = await import('./kept-breakpoints.ts');
    if (keptBreakpoints(this.#preferences, id) && this.#topID() === id) await this.open();
  }

  /** Closes the bar, removes its breakpoints and lets paused work go on. */
  close(): void {
    const bar = this.#bars.get(this.#topID());
    if (!bar) return;
    bar.forget();
    bar.stepper.setBreakpoints([]);
    bar.stepper.continue();
    this.#bars.delete(this.#topID());
  }

  /** Handles a key, and opens the bar if it is closed. */
  async act(how: StepAct): Promise<void> {
    if (this.#act) return this.#act(how);
    await this.open();
    if (how === 'step') this.stepper?.step();
    else if (how === 'continue') this.stepper?.continue();
    else this.stepper?.runToEnd();
  }

  /** Lets the bar handle the acts while it is shown, since it knows the edits. */
  whenActing(act: (how: StepAct) => void): Unlisten {
    this.#act = act;
    return () => {
      if (this.#act === act) this.#act = null;
    };
  }
}
