import type { Fault } from '../../base/fault.ts';
import type { Unlisten } from '../../base/listeners.ts';
import type { Timer } from '../../base/timer.ts';

/** The waits before the first attempts, in milliseconds. All later ones are as long as the last. */
const WAITS_MS = [1_000, 2_000, 5_000, 10_000, 30_000] as const;

/** Tries again what failed for now, soon at first and then less often. */
export class NextAttempt {
  readonly #timer: Timer;
  readonly #now: () => number;
  readonly #run: () => void;
  #fault: Fault | null = null;
  #failures = 0;
  #at: number | null = null;
  #cancel: Unlisten = () => {};

  constructor(timer: Timer, now: () => number, run: () => void) {
    this.#timer = timer;
    this.#now = now;
    this.#run = run;
  }

  /** When it is tried next, in milliseconds since the epoch; `null` while nothing waits. */
  get at(): number | null {
    return this.#at;
  }

  /** Call this with the present fault after each change. Each failure has a fault of its own. */
  follow(fault: Fault | null): void {
    if (fault === this.#fault) return;
    this.#fault = fault;
    this.#cancel();
    this.#at = null;
    if (!fault) this.#failures = 0;
    if (fault?.retryable !== true) return;
    const wait = WAITS_MS[Math.min(this.#failures++, WAITS_MS.length - 1)] ?? 0;
    this.#at = this.#now() + wait;
    this.#cancel = this.#timer.after(wait, () => {
      this.#at = null;
      this.#run();
    });
  }
}
