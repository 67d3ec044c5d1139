import { FaultError } from '../base/fault.ts';
import type { Unlisten } from '../base/listeners.ts';
import type { Timer } from '../base/timer.ts';
import type { FileJournal, JournalChange, JournalContents } from '../workspace/journal.ts';
import { netChanges } from './layers.ts';

/** Not with every write: what is held is tried whole, and a full disk rarely has room a moment later. */
const RETRY_MS = 5_000;

/**
 * Keeps changes in memory while `inner` cannot store them, and tries again by itself. The work in the workspace goes on;
 * that it is not kept meanwhile is told by the storage itself, and `onHolding` tells from when to when that is so.
 */
export class HoldingJournal implements FileJournal {
  readonly #inner: FileJournal;
  readonly #timer: Timer;
  readonly #onHolding: (holding: boolean) => void;
  #held: readonly JournalChange[] = [];
  #cancelRetry: Unlisten | null = null;
  #closed = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor(inner: FileJournal, timer: Timer, onHolding: (holding: boolean) => void = () => {}) {
    this.#inner = inner;
    this.#timer = timer;
    this.#onHolding = onHolding;
  }

  load(): Promise<JournalContents> {
    return this.#inOrder(async () => {
      const { packs, tail } = await this.#inner.load();
      return { packs, tail: [...tail, ...this.#held.map(copyOf)] };
    });
  }

  append(changes: readonly JournalChange[]): Promise<void> {
    return this.#inOrder(() => (this.#cancelRetry ? this.#hold(changes) : this.#store(changes)));
  }

  close(): Promise<void> {
    return this.#inOrder(async () => {
      this.#closed = true;
      this.#cancelRetry?.();
      this.#cancelRetry = null;
      if (this.#held.length > 0) await this.#store([]).catch(() => {});
      this.#onHolding(false);
      await this.#inner.close();
    });
  }

  async #store(changes: readonly JournalChange[]): Promise<void> {
    try {
      await this.#inner.append(this.#held.concat(changes));
    } catch (error) {
      if (!(error instanceof FaultError)) throw error;
      await this.#hold(changes);
      if (!this.#closed) this.#cancelRetry = this.#timer.after(RETRY_MS, () => void this.#retry());
      return;
    }
    const held = this.#held.length > 0;
    this.#held = [];
    if (held) this.#onHolding(false);
  }

  async #retry(): Promise<void> {
    await this.#inOrder(async () => {
      if (this.#closed) return;
      this.#cancelRetry = null;
      // A defect is told to whoever appends next; what is held stays.
      await this.#store([]).catch(() => {});
    });
  }

  async #hold(changes: readonly JournalChange[]): Promise<void> {
    this.#held = netChanges(this.#held.concat(changes));
    if (this.#held.length > 0) this.#onHolding(true);
  }

  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }
}

/** Whoever loads may hand the buffers to another thread for good. */
function copyOf(change: JournalChange): JournalChange {
  return change.op === 'put' ? { ...change, bytes: change.bytes.slice() } : change;
}
