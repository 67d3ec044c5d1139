import type { ReplicaFile } from '../shared/protocol.ts';

export interface IndexedFile {
  readonly path: string;
  readonly modified: number;
  /** The decoded text, with its line ends unchanged; `null` for a binary file, and for one whose content was not sent. */
  readonly text: string | null;
}

const BINARY_PROBE_BYTES = 8_192;

/** The text of every file, decoded once and kept, so that a search only searches. */
export class Replica {
  readonly #files = new Map<string, IndexedFile>();
  #sorted: readonly IndexedFile[] | undefined;
  readonly #decoder = new TextDecoder();

  put({ path, modified, bytes }: ReplicaFile): void {
    const isText = bytes !== null && !bytes.subarray(0, BINARY_PROBE_BYTES).includes(0);
    this.#files.set(path, { path, modified, text: isText ? this.#decoder.decode(bytes) : null });
    this.#sorted = undefined;
  }

  remove(path: string): void {
    if (this.#files.delete(path)) this.#sorted = undefined;
    else {
      const below = `${path}/`;
      for (const each of this.#files.keys()) if (each.startsWith(below)) this.#files.delete(each);
      this.#sorted = undefined;
    }
  }

  /** All files, sorted by path. */
  files(): readonly IndexedFile[] {
    return (this.#sorted ??= [...this.#files.values()].sort((a, b) => (a.path < b.path ? -1 : 1)));
  }
}
