import type { Hash } from '../../base/hash.ts';
import { tooBig } from './read.ts';
import type { Redaction } from './redacted.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** Collects the contents for a recording, each once, with secrets masked. */
export class RecordedContents {
  readonly contents = new Map<Hash, Bytes>();
  readonly #source: { content(hash: Hash): Promise<Bytes | undefined> };
  readonly #redaction: Redaction;
  readonly #most: number;
  #bytes = 0;

  /** Has room for `most` bytes. */
  constructor(
    source: { content(hash: Hash): Promise<Bytes | undefined> },
    redaction: Redaction,
    most: number,
  ) {
    this.#source = source;
    this.#redaction = redaction;
    this.#most = most;
  }

  /** False if the content is gone. Rejects with a fault if there is no room for it. */
  async keep(hash: Hash): Promise<boolean> {
    const found = await this.#new([hash]);
    if (!found) return false;
    this.#add(found);
    if (this.#bytes > this.#most) throw tooBig('Its files and outputs are over 20 MB.');
    return true;
  }

  /** Keeps all of them; or none, and returns false, if one is gone or there is no room. */
  async keepAll(hashes: readonly Hash[]): Promise<boolean> {
    const found = await this.#new(hashes);
    if (!found || this.#bytes + sizeOf(found) > this.#most) return false;
    this.#add(found);
    return true;
  }

  /** Reads the contents that are not kept yet; `undefined` if one is gone. */
  async #new(hashes: readonly Hash[]): Promise<ReadonlyMap<Hash, Bytes> | undefined> {
    const found = new Map<Hash, Bytes>();
    for (const hash of new Set(hashes)) {
      if (this.contents.has(this.#redaction.hash(hash))) continue;
      const bytes = await this.#source.content(hash);
      if (!bytes) return undefined;
      const clean = this.#redaction.content(hash, bytes);
      found.set(clean.hash, clean.bytes);
    }
    return found;
  }

  #add(found: ReadonlyMap<Hash, Bytes>): void {
    for (const [hash, bytes] of found) this.contents.set(hash, bytes);
    this.#bytes += sizeOf(found);
  }
}

export function sizeOf(contents: ReadonlyMap<Hash, Bytes>): number {
  let size = 0;
  for (const bytes of contents.values()) size += bytes.length;
  return size;
}
