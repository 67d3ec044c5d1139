/** A file of settings, by its absolute path. */
export interface SettingsFile {
  readonly path: string;
  readonly text: string;
}

export interface FormatRequest {
  readonly id: number;
  /** The absolute path of the file with the text. */
  readonly path: string;
  readonly root: string;
  readonly text: string;
  /** The cursor's offset in the text. */
  readonly cursor: number;
  /** The settings files in the file's folder and in those above it. */
  readonly settings: readonly SettingsFile[];
}

/** Why settings were left out. Formatting goes on without them. */
export type SettingsNote =
  | { readonly kind: 'code'; readonly path: string }
  | { readonly kind: 'unreadable'; readonly path: string; readonly why: string }
  | { readonly kind: 'plugins'; readonly path: string };

export type FormatOutcome =
  | {
      readonly kind: 'formatted';
      readonly text: string;
      readonly cursor: number;
      readonly notes: readonly SettingsNote[];
    }
  | { readonly kind: 'ignored' }
  /** Line and column count from 1. */
  | { readonly kind: 'syntax'; readonly line: number; readonly column: number; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string };

export interface FormatResponse {
  readonly id: number;
  readonly outcome: FormatOutcome;
}
