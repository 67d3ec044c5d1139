import { faultOf } from '../base/fault.ts';
import type { FileJournal, JournalChange } from './journal.ts';
import { ROOT, WorkspaceError } from './workspace.ts';

/** Stored as one: the browser takes each in one go, in which the page does nothing else. */
const MOST = { changes: 1000, bytes: 16_000_000 };

/**
 * Puts the changes of a workspace's files into the journal, in order, one append at a time. What could not be stored is kept and
 * tried again with what comes next: a full disk that is made room on loses nothing.
 */
export class JournalWriter {
  readonly #journal: FileJournal;
  #queue: JournalChange[] = [];
  #underway: Promise<void> | undefined;
  #failure: unknown;

  constructor(journal: FileJournal) {
    this.#journal = journal;
  }

  /** Not in the journal yet. Only meaningful while no append is under way. */
  get pending(): readonly JournalChange[] {
    return this.#queue;
  }

  /** Resolves once an attempt was made to store these changes, also when it failed. */
  add(changes: readonly JournalChange[]): Promise<void> {
    // Not spread into push: a batch can hold more changes than a call takes arguments.
    this.#queue = this.#queue.concat(changes);
    return this.settled();
  }

  /** Resolves when nothing is under way any more. */
  settled(): Promise<void> {
    return (this.#underway ??= this.#drain().finally(() => (this.#underway = undefined)));
  }

  /** Resolves when everything added so far is stored; rejects with ENOSPC where the journal cannot take it. */
  async stored(): Promise<void> {
    await this.settled();
    if (this.#queue.length > 0) await this.settled();
    if (this.#queue.length === 0) return;
    const { what } = faultOf(this.#failure);
    throw new WorkspaceError('ENOSPC', ROOT, `Files could not be stored: ${what}`);
  }

  /** How many of the first changes are stored as one. */
  #fitting(): number {
    let bytes = 0;
    const end = this.#queue.findIndex((change, at) => {
      if (change.op === 'put') bytes += change.bytes.byteLength;
      return at > 0 && (at >= MOST.changes || bytes > MOST.bytes);
    });
    return end < 0 ? this.#queue.length : end;
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue.slice(0, this.#fitting());
      this.#queue = this.#queue.slice(batch.length);
      try {
        await this.#journal.append(batch);
      } catch (error) {
        this.#failure = error;
        this.#queue = batch.concat(this.#queue);
        return;
      }
    }
  }
}
