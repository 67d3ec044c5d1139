import { CONNECTION_WINDOW } from '../../../shared/connection.ts';

type Done = (error?: Error | null) => void;

/** Counts the bytes on their way in both directions of a connection, so that neither end floods the other. */
export class Flow {
  #sent = 0;
  #acknowledged = 0;
  /** Called when the other end has read enough for more to be sent. */
  #waiting: Done | undefined;
  #unreported = 0;
  /** The unreported bytes that the stream holds because its buffer is full. */
  #held = 0;

  /** How many bytes were sent. */
  get sent(): number {
    return this.#sent;
  }

  /** How many received bytes were not reported as read. */
  get unreported(): number {
    return this.#unreported;
  }

  addSent(count: number): void {
    this.#sent += count;
  }

  /** Calls `done` when more may be sent: now, or later if the window is full. */
  whenOpen(done: Done): void {
    if (this.#isOpen) done();
    else this.#waiting = done;
  }

  /** The other end has read this many bytes. */
  acknowledge(count: number): void {
    this.#acknowledged += count;
    if (!this.#isOpen) return;
    const done = this.#waiting;
    this.#waiting = undefined;
    done?.();
  }

  /** This many bytes arrived, before they are passed to the stream. */
  receive(count: number): void {
    this.#unreported += count;
  }

  /** Bytes that arrived are in the stream's buffer, which is full: they count as read when the stream asks for more. */
  hold(count: number): void {
    this.#held += count;
  }

  /** Returns how many held bytes count as read now. */
  takeHeld(): number {
    const held = this.#held;
    this.#held = 0;
    return held;
  }

  /** This many bytes are reported as read. */
  report(count: number): void {
    this.#unreported -= count;
  }

  get #isOpen(): boolean {
    return this.#sent - this.#acknowledged < CONNECTION_WINDOW;
  }
}
