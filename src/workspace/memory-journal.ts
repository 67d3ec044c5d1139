import type { FileJournal, JournalChange, JournalContents } from '../protocol/journal.ts';

/** A journal that lasts as long as this object, for tests and for browsers that allow no storage. */
export class MemoryJournal implements FileJournal {
  #nodes = new Map<string, Extract<JournalChange, { op: 'put' }>>();

  async load(): Promise<JournalContents> {
    // These are copies, because the caller may transfer the buffers to another thread.
    const tail = [...this.#nodes.values()].map((change) => ({ ...change, bytes: change.bytes.slice() }));
    return { packs: [], tail };
  }

  async append(changes: readonly JournalChange[]): Promise<void> {
    for (const change of changes) {
      if (change.op === 'put') this.#nodes.set(change.node.path, change);
      else this.#remove(change.path);
    }
  }

  async close(): Promise<void> {}

  #remove(path: string): void {
    const below = `${path}/`;
    for (const each of this.#nodes.keys())
      if (each === path || each.startsWith(below)) this.#nodes.delete(each);
  }
}
