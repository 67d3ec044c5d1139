import { OUTPUT_WINDOW } from '../shared/protocol.ts';

/** Counts the bytes on the way to a reader, and lets the writer continue when there is room in the window. */
export class OutputWindow {
  #inFlight = 0;
  #waiting: (() => void)[] = [];
  #closed = false;

  sent(bytes: number, taken: () => void): void {
    this.#inFlight += bytes;
    if (this.#closed || this.#inFlight <= OUTPUT_WINDOW) taken();
    else this.#waiting.push(taken);
  }

  used(bytes: number): void {
    this.#inFlight = Math.max(0, this.#inFlight - Math.max(0, bytes));
    if (this.#inFlight <= OUTPUT_WINDOW) this.#open();
  }

  /** Called when nobody reads any more. From then on the writer never waits. */
  close(): void {
    this.#closed = true;
    this.#open();
  }

  #open(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const taken of waiting) taken();
  }
}
