import type { Hash } from '../base/hash.ts';

/** How a file is written. */
export interface WriteOptions {
  /**
   * Writes only if the file's present content has this SHA-256 (`null`: only if there is no file), else fails with
   * `ECHANGED`: check and write are one step.
   */
  readonly expect?: Hash | null;
  /** Fails with `ECHANGED` where the path is no real path (any more): a link leads elsewhere. */
  readonly real?: boolean;
  /** The file can be run afterwards (0755). Otherwise an existing file keeps its mode, and a new one has 0644. */
  readonly executable?: boolean;
}
