import { faultOf } from '../base/fault.ts';
import type { FileJournal, JournalChange } from '../protocol/journal.ts';
import { ROOT, WorkspaceError } from './workspace.ts';

/** The most that is stored in one append: the browser handles each in one go, which blocks the page. */
const MAX_APPEND = { changes: 1000, bytes: 16_000_000 };

/**
 * Writes the changes of a workspace's files to the journal, in order, one append at a time. Changes that could not be stored
 * are kept and tried again with the next ones, so a full disk loses nothing once there is room.
 */
export class JournalWriter {
  readonly #journal: FileJournal;
  #queue: JournalChange[] = [];
  #underway: Promise<void> | undefined;
  #failure: unknown;

  constructor(journal: FileJournal) {
    this.#journal = journal;
  }

  /** The changes that are not in the journal yet. Only meaningful while no append is under way. */
  get pending(): readonly JournalChange[] {
    return this.#queue;
  }

  /** Resolves once an attempt was made to store these changes, even if it failed. */
  add(changes: readonly JournalChange[]): Promise<void> {
    // Concatenated, because a batch can have more changes than a call can have arguments.
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

  /** How many of the first changes fit into one append. */
  #fitting(): number {
    let bytes = 0;
    const end = this.#queue.findIndex((change, at) => {
      if (change.op === 'put') bytes += change.bytes.byteLength;
      return at > 0 && (at >= MAX_APPEND.changes || bytes > MAX_APPEND.bytes);
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
