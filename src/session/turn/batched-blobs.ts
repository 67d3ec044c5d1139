import type { Blob, BlobStore } from '../log/store.ts';

/**
 * Puts contents of one owner into the store. What is put while the store writes goes into its next write together, because
 * a write for each of thousands of files takes seconds.
 */
export class BatchedBlobs {
  readonly #blobs: Pick<BlobStore, 'put'>;
  readonly #owner: string;
  #waiting: Blob[] = [];
  #next: Promise<void> | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(blobs: Pick<BlobStore, 'put'>, owner: string) {
    this.#blobs = blobs;
    this.#owner = owner;
  }

  /** Resolves when the content is stored; rejects if it is not. */
  put(blob: Blob): Promise<void> {
    this.#waiting.push(blob);
    this.#next ??= this.#writing.then(() => this.#write());
    return this.#next;
  }

  #write(): Promise<void> {
    const blobs = this.#waiting;
    this.#waiting = [];
    this.#next = null;
    const written = this.#blobs.put(this.#owner, blobs);
    this.#writing = written.catch(() => undefined);
    return written;
  }
}
