import type { Hash } from '../base/hash.ts';
import type { FileJournal, JournalChange, JournalContents } from '../protocol/journal.ts';

/** A journal that lasts as long as this object, for tests and for browsers that allow no storage. */
export class MemoryJournal implements FileJournal {
  #nodes = new Map<string, Extract<JournalChange, { op: 'put' }>>();
  readonly #contents = new Map<Hash, Uint8Array<ArrayBuffer>>();
  readonly isBehind: boolean = false;

  async load(): Promise<JournalContents> {
    // These are copies, because the caller may transfer the buffers to another thread.
    const tail = [...this.#nodes.values()].map((change) => ({ ...change, bytes: change.bytes.slice() }));
    return { packs: [], tail };
  }

  async append(changes: readonly JournalChange[]): Promise<void> {
    for (const change of changes) {
      if (change.op === 'remove') this.#remove(change.path);
      else if (change.node.stored) {
        if (change.bytes.byteLength > 0) this.#contents.set(change.node.stored.hash, change.bytes);
        this.#nodes.set(change.node.path, { ...change, bytes: new Uint8Array(0) });
      } else this.#nodes.set(change.node.path, change);
    }
  }

  async contents(hashes: readonly Hash[]): Promise<(Uint8Array<ArrayBuffer> | undefined)[]> {
    return hashes.map((hash) => this.#contents.get(hash)?.slice());
  }

  async close(): Promise<void> {}

  #remove(path: string): void {
    const below = `${path}/`;
    for (const each of this.#nodes.keys())
      if (each === path || each.startsWith(below)) this.#nodes.delete(each);
  }
}
