import type { Timer } from '../../base/timer.ts';

/** Aborts its signal when nothing was received for the given time. */
export class SilenceTimer {
  readonly #abort = new AbortController();
  readonly #timer: Timer;
  readonly #limitMs: number;
  #last = performance.now();
  #cancel: () => void = () => {};

  constructor(timer: Timer, limitMs: number) {
    this.#timer = timer;
    this.#limitMs = limitMs;
    this.#wait(limitMs);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Starts the timer again after {@link stop}. */
  start(): void {
    this.heard();
    this.#wait(this.#limitMs);
  }

  heard(): void {
    this.#last = performance.now();
  }

  stop(): void {
    this.#cancel();
  }

  #wait(ms: number): void {
    this.#cancel = this.#timer.after(ms, () => {
      const left = this.#last + this.#limitMs - performance.now();
      if (left > 0) this.#wait(left);
      else this.#abort.abort();
    });
  }
}
