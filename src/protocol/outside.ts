export type OutsideEntry =
  | { readonly type: 'file'; readonly bytes: Uint8Array; readonly modified: number }
  | {
      readonly type: 'directory';
      readonly entries: readonly {
        readonly name: string;
        readonly type: 'file' | 'directory';
        /** The size in bytes. */
        readonly size: number;
      }[];
    };
