/**
 * Where an embedded workspace keeps its files between page loads. The kernel's tree is authoritative; the journal
 * is what survives. Packs of about 1 MB hold what is at rest, a tail holds what changed since, so that neither
 * opening nor writing costs a record a file. Implementations: IndexedDB, memory.
 */
export interface FileJournal {
  load(): Promise<JournalContents>;
  /** Resolves when the changes survive a crash of the tab. Called by one writer at a time, in order. */
  append(changes: readonly JournalChange[]): Promise<void>;
  /** The last call: nothing is written any more once it resolves, so that another tab may. Never rejects. */
  close(): Promise<void>;
}

export interface JournalContents {
  readonly packs: readonly Pack[];
  /** Applied after the packs, in order. */
  readonly tail: readonly JournalChange[];
}

/** Many small files in one record: `entries` point into `bytes`. */
export interface Pack {
  readonly entries: readonly PackEntry[];
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export type PackEntry = NodeMeta & { readonly offset: number; readonly length: number };

export type JournalChange =
  | { readonly op: 'put'; readonly node: NodeMeta; readonly bytes: Uint8Array<ArrayBuffer> }
  /** Removes the path and everything below it. */
  | { readonly op: 'remove'; readonly path: string };

export interface NodeMeta {
  /** Relative to the root, no leading slash. */
  readonly path: string;
  readonly type: 'file' | 'directory' | 'symlink';
  readonly mode: number;
  readonly modified: number;
  /** Of a symlink. */
  readonly target?: string;
  /** Of a file with several names: the same for each of them. */
  readonly twin?: number;
}
