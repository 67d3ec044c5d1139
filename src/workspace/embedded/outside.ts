/**
 * What a shell sees of `~/.opencode` and `~/.config/opencode`: the full outputs of tools and the person's own files, which
 * the app keeps. Asked on demand, never written from inside.
 */
export interface OutsideFiles {
  /** `path` is relative to `~`, as `.opencode/truncate` is. `null` where nothing is. */
  look(path: string): Promise<OutsideEntry | null>;
}

export type OutsideEntry =
  | { readonly type: 'file'; readonly bytes: Uint8Array; readonly modified: number }
  | {
      readonly type: 'directory';
      readonly entries: readonly {
        readonly name: string;
        readonly type: 'file' | 'directory';
        /** Bytes. */
        readonly size: number;
      }[];
    };
