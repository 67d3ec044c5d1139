import type { Unlisten } from '../base/listeners.ts';
import type { Timer } from '../base/timer.ts';

/** How long the address for previews may say nothing at all, in milliseconds. */
const SILENT_MS = 30_000;
/** How long it may say nothing after its frame has loaded: what loads without a word is no shell. */
const LOADED_MS = 5_000;
/** How long each further step may take, such as the installation of the service worker. A busy computer is slow, not refused. */
const STEP_MS = 120_000;
/** After this time the person is told what is waited for. */
const SLOW_MS = 3_000;

export interface PatienceEvents {
  /** The address has answered, and the rest takes its time. */
  slow(): void;
  /** Nothing more is to be expected. */
  over(): void;
}

/** Decides how long to wait for the preview's own origin: for as long as something moves there. */
export class Patience {
  readonly #timer: Timer;
  readonly #events: PatienceEvents;
  readonly #cancelSlow: Unlisten;
  #cancel: Unlisten;
  #hasAnswered = false;
  #isSlow = false;

  constructor(timer: Timer, events: PatienceEvents) {
    this.#timer = timer;
    this.#events = events;
    this.#cancel = timer.after(SILENT_MS, events.over);
    this.#cancelSlow = timer.after(SLOW_MS, () => {
      this.#isSlow = true;
      if (this.#hasAnswered) events.slow();
    });
  }

  /** The frame has loaded something, which may be the browser's own page for an address that is out of reach. */
  loaded(): void {
    if (!this.#hasAnswered) this.#wait(LOADED_MS);
  }

  /** The shell has come a step further. */
  progress(): void {
    if (!this.#hasAnswered && this.#isSlow) this.#events.slow();
    this.#hasAnswered = true;
    this.#wait(STEP_MS);
  }

  end(): void {
    this.#cancel();
    this.#cancelSlow();
  }

  #wait(ms: number): void {
    this.#cancel();
    this.#cancel = this.#timer.after(ms, this.#events.over);
  }
}
