import type { Hash } from '../base/hash.ts';

/**
 * Stores the files of a workspace between page loads. While a kernel runs, its tree is authoritative. Packs of about 1 MB
 * hold most files, and a tail holds the changes since then, so that neither opening nor writing needs a record for each
 * file. Implementations: IndexedDB, memory.
 */
export interface FileJournal {
  load(): Promise<JournalContents>;
  /** Resolves when the changes survive a crash of the tab. Called by one writer at a time, in order. */
  append(changes: readonly JournalChange[]): Promise<void>;
  /** The contents that this workspace has stored apart, in order; undefined for one that is not there. */
  contents(hashes: readonly Hash[]): Promise<readonly (Uint8Array<ArrayBuffer> | undefined)[]>;
  /** Whether changes that were appended are only in memory yet, because the storage does not take them. */
  readonly isBehind: boolean;
  /** The last call. Once it resolves nothing more is written, so that another tab may write. Never rejects. */
  close(): Promise<void>;
}

export interface JournalContents {
  readonly packs: readonly Pack[];
  /** Changes to apply after the packs, in order. */
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
  /** Relative to the root, without a leading slash. */
  readonly path: string;
  readonly type: 'file' | 'directory' | 'symlink';
  readonly mode: number;
  readonly modified: number;
  /** The target of a symlink. */
  readonly target?: string;
  /** A number that all names (hard links) of one file share. */
  readonly twin?: number;
  /** Set where the content is stored apart from the tree, once for all workspaces. `bytes` is then empty in what is loaded. */
  readonly stored?: StoredContent;
}

export interface StoredContent {
  readonly hash: Hash;
  readonly size: number;
}
