import { FaultError } from '../base/fault.ts';
import type { Hash } from '../base/hash.ts';
import type { Unlisten } from '../base/listeners.ts';
import type { Timer } from '../base/timer.ts';
import type { FileJournal, JournalChange, JournalContents } from '../protocol/journal.ts';
import { netChanges } from './layers.ts';

/**
 * We do not retry with every write: the whole buffer is written at once, and a full disk rarely gets space a moment
 * later.
 */
const RETRY_MS = 5_000;

/**
 * Buffers changes in memory while `inner` cannot store them, and retries by itself, so that work in the workspace
 * continues. The storage itself reports the problem; `onBuffering` says when buffering starts and ends.
 */
export class BufferingJournal implements FileJournal {
  readonly #inner: FileJournal;
  readonly #timer: Timer;
  readonly #onBuffering: (buffering: boolean) => void;
  #buffered: readonly JournalChange[] = [];
  #cancelRetry: Unlisten | null = null;
  #closed = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor(inner: FileJournal, timer: Timer, onBuffering: (buffering: boolean) => void = () => {}) {
    this.#inner = inner;
    this.#timer = timer;
    this.#onBuffering = onBuffering;
  }

  load(): Promise<JournalContents> {
    return this.#inOrder(async () => {
      const { packs, tail } = await this.#inner.load();
      return { packs, tail: [...tail, ...this.#buffered.map(copyOf)] };
    });
  }

  append(changes: readonly JournalChange[]): Promise<void> {
    return this.#inOrder(() => (this.#cancelRetry ? this.#buffer(changes) : this.#store(changes)));
  }

  get isBehind(): boolean {
    return this.#buffered.length > 0;
  }

  contents(hashes: readonly Hash[]): Promise<readonly (Uint8Array<ArrayBuffer> | undefined)[]> {
    return this.#inOrder(async () => {
      const buffered = new Map<Hash, Uint8Array<ArrayBuffer>>();
      for (const change of this.#buffered)
        if (change.op === 'put' && change.node.stored && change.bytes.byteLength > 0)
          buffered.set(change.node.stored.hash, change.bytes);
      const stored = await this.#inner.contents(hashes);
      return hashes.map((hash, index) => stored[index] ?? buffered.get(hash)?.slice());
    });
  }

  close(): Promise<void> {
    return this.#inOrder(async () => {
      this.#closed = true;
      this.#cancelRetry?.();
      this.#cancelRetry = null;
      if (this.#buffered.length > 0) await this.#store([]).catch(() => {});
      this.#onBuffering(false);
      await this.#inner.close();
    });
  }

  async #store(changes: readonly JournalChange[]): Promise<void> {
    try {
      await this.#inner.append(this.#buffered.concat(changes));
    } catch (error) {
      if (!(error instanceof FaultError)) throw error;
      await this.#buffer(changes);
      if (!this.#closed) this.#cancelRetry = this.#timer.after(RETRY_MS, () => void this.#retry());
      return;
    }
    const hadBuffered = this.#buffered.length > 0;
    this.#buffered = [];
    if (hadBuffered) this.#onBuffering(false);
  }

  async #retry(): Promise<void> {
    await this.#inOrder(async () => {
      if (this.#closed) return;
      this.#cancelRetry = null;
      // A defect is reported by the next append; the buffer stays.
      await this.#store([]).catch(() => {});
    });
  }

  async #buffer(changes: readonly JournalChange[]): Promise<void> {
    this.#buffered = netChanges(this.#buffered.concat(changes));
    if (this.#buffered.length > 0) this.#onBuffering(true);
  }

  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }
}

/** Copies the change, because the reader may transfer the buffers to another thread. */
function copyOf(change: JournalChange): JournalChange {
  return change.op === 'put' ? { ...change, bytes: change.bytes.slice() } : change;
}
