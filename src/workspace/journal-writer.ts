import type { Hash } from '../base/hash.ts';
import { isInLargeTree } from '../protocol/large-trees.ts';
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
  /** The changes that came last are in the queue once this resolves. */
  #adding: Promise<unknown> = Promise.resolve();
  #underway: Promise<void> | undefined;
  #failure: unknown;
  #isFailing = false;
  readonly #apart: boolean;

  /** With `apart`, the contents of large trees are stored apart from them, by hash. */
  constructor(journal: FileJournal, { apart = false } = {}) {
    this.#journal = journal;
    this.#apart = apart;
  }

  /** Whether the journal did not take what it was given last, so that this is in memory only. */
  get isBehind(): boolean {
    return this.#isFailing || this.#journal.isBehind;
  }

  /** The changes that are not in the journal yet. Only meaningful while no append is under way. */
  get pending(): readonly JournalChange[] {
    return this.#queue;
  }

  /**
   * Resolves once an attempt was made to store these changes, even if it failed: to the hash of each content that was
   * stored apart, and null for each other change.
   */
  async add(changes: readonly JournalChange[]): Promise<readonly (Hash | null)[]> {
    const placed = this.#apart && changes.some(isForApart) ? placedApart(changes) : Promise.resolve(changes);
    // In the order in which they came, whichever is hashed first.
    const before = this.#adding;
    const added = Promise.all([placed, before]).then(([each]) => {
      // Concatenated, because a batch can have more changes than a call can have arguments.
      this.#queue = this.#queue.concat(each);
    });
    this.#adding = added;
    await added;
    await this.#drained();
    return (await placed).map((change) => (change.op === 'put' && change.node.stored?.hash) || null);
  }

  /** Resolves when nothing is under way any more. */
  async settled(): Promise<void> {
    await this.#adding;
    await this.#drained();
  }

  async #drained(): Promise<void> {
    if (this.#queue.length > 0) this.#underway ??= this.#drain();
    await this.#underway;
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
        this.#isFailing = false;
      } catch (error) {
        this.#failure = error;
        this.#isFailing = true;
        this.#queue = batch.concat(this.#queue);
        break;
      }
    }
    // In the same step as the last look at the queue, so that what is added next begins anew.
    this.#underway = undefined;
  }
}

function isForApart(change: JournalChange): boolean {
  return change.op === 'put' && isInLargeTree(change.node.path);
}

/** Loaded with the first file of a large tree: most workspaces have none. */
async function placedApart(changes: readonly JournalChange[]): Promise<readonly JournalChange[]> {
  try {
    return await (await import('./placed-apart.ts')).placedApart(changes);
  } catch {
    // Without that script they are stored like any other file.
    return changes;
  }
}
