import { OUTPUT_WINDOW } from '../protocol.ts';

/** Counts what is on its way to a reader, and lets the writer go on when there is room. */
export class OutputWindow {
  #flying = 0;
  #waiting: (() => void)[] = [];
  #closed = false;

  sent(bytes: number, taken: () => void): void {
    this.#flying += bytes;
    if (this.#closed || this.#flying <= OUTPUT_WINDOW) taken();
    else this.#waiting.push(taken);
  }

  used(bytes: number): void {
    this.#flying = Math.max(0, this.#flying - Math.max(0, bytes));
    if (this.#flying <= OUTPUT_WINDOW) this.#open();
  }

  /** Nobody reads any more: what is written from now on is gone. */
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
