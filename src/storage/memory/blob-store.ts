import type { Hash } from '../../base/hash.ts';
import type { Blob, BlobStore } from '../../session/log/store.ts';

/** Blobs and their owners in memory. */
export class MemoryBlobStore implements BlobStore {
  readonly #bytes = new Map<Hash, Uint8Array<ArrayBuffer>>();
  readonly #owners = new Map<Hash, Set<string>>();

  get size(): number {
    return [...this.#bytes.values()].reduce((sum, bytes) => sum + bytes.length, 0);
  }

  async get(hash: Hash): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return this.#bytes.get(hash)?.slice();
  }

  async missing(hashes: readonly Hash[]): Promise<readonly Hash[]> {
    return hashes.filter((hash) => !this.#bytes.has(hash));
  }

  async put(owner: string, blobs: readonly Blob[]): Promise<void> {
    for (const { hash, bytes } of blobs) if (!this.#bytes.has(hash)) this.#bytes.set(hash, bytes.slice());
    this.own(
      owner,
      blobs.map(({ hash }) => hash),
    );
  }

  async retain(owner: string, hashes: readonly Hash[]): Promise<readonly Hash[]> {
    const missing = await this.missing(hashes);
    this.own(
      owner,
      hashes.filter((hash) => !missing.includes(hash)),
    );
    return missing;
  }

  async release(owner: string, hashes: readonly Hash[]): Promise<void> {
    for (const hash of hashes) {
      const owners = this.#owners.get(hash);
      owners?.delete(owner);
      if (owners && owners.size > 0) continue;
      this.#owners.delete(hash);
      this.#bytes.delete(hash);
    }
  }

  own(owner: string, hashes: readonly Hash[]): void {
    for (const hash of hashes) this.#owners.set(hash, (this.#owners.get(hash) ?? new Set()).add(owner));
  }

  async releaseOwner(owner: string): Promise<void> {
    await this.release(
      owner,
      [...this.#owners].filter(([, owners]) => owners.has(owner)).map(([hash]) => hash),
    );
  }
}
