import type { Unlisten } from '../../src/base/listeners.ts';
import type { Timer } from '../../src/base/timer.ts';

/** Time that moves only when told. */
export class ManualTimer implements Timer {
  now = 0;
  #waiting: { readonly at: number; readonly run: () => void }[] = [];

  after(ms: number, run: () => void): Unlisten {
    const entry = { at: this.now + ms, run };
    this.#waiting.push(entry);
    return () => void (this.#waiting = this.#waiting.filter((other) => other !== entry));
  }

  /** Whether something is due in exactly `ms` milliseconds. */
  waits(ms: number): boolean {
    return this.#waiting.some(({ at }) => at - this.now === ms);
  }

  advance(ms: number): void {
    this.now += ms;
    const due = this.#waiting.filter(({ at }) => at <= this.now).sort((a, b) => a.at - b.at);
    this.#waiting = this.#waiting.filter(({ at }) => at > this.now);
    for (const { run } of due) run();
  }
}
