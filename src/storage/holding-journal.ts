import type { Clock } from '../base/clock.ts';
import { FaultError } from '../base/fault.ts';
import type { FileJournal, JournalChange, JournalContents } from '../workspace/journal.ts';
import { netChanges } from './layers.ts';

/** Not with every write: what is held is tried whole, and a full disk rarely has room a moment later. */
const RETRY_MS = 5_000;

/**
 * Keeps changes in memory while `inner` cannot store them, and stores them with a later append. The work in the
 * workspace goes on; that it is not kept meanwhile is told by the storage itself.
 */
export class HoldingJournal implements FileJournal {
  readonly #inner: FileJournal;
  readonly #clock: Clock;
  #held: readonly JournalChange[] = [];
  #retryAt = 0;

  constructor(inner: FileJournal, clock: Clock) {
    this.#inner = inner;
    this.#clock = clock;
  }

  async load(): Promise<JournalContents> {
    const { packs, tail } = await this.#inner.load();
    return { packs, tail: [...tail, ...this.#held.map(copyOf)] };
  }

  async append(changes: readonly JournalChange[]): Promise<void> {
    if (this.#held.length > 0 && this.#clock.now() < this.#retryAt) return this.#hold(changes);
    try {
      await this.#inner.append(this.#held.concat(changes));
      this.#held = [];
    } catch (error) {
      if (!(error instanceof FaultError)) throw error;
      this.#hold(changes);
      this.#retryAt = this.#clock.now() + RETRY_MS;
    }
  }

  #hold(changes: readonly JournalChange[]): void {
    this.#held = netChanges(this.#held.concat(changes));
  }
}

/** Whoever loads may hand the buffers to another thread for good. */
function copyOf(change: JournalChange): JournalChange {
  return change.op === 'put' ? { ...change, bytes: change.bytes.slice() } : change;
}
