/**
 * What a shell sees of `~/.opencode/truncate`: the full outputs of tools, which the app keeps. Asked on demand, never
 * written from inside.
 */
export interface OutsideFiles {
  /** `path` is relative to `~/.opencode/truncate`; '' is that folder itself. `null` where nothing is. */
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
