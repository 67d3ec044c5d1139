import type { Hash } from '../base/hash.ts';

export interface Stat {
  readonly type: 'file' | 'directory' | 'symlink';
  /** Bytes; 0 for directories. */
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly modified: number;
  /** Permission bits, as in 0o644. */
  readonly mode: number;
}

export interface Entry extends Stat {
  readonly name: string;
}

/**
 * The paths that a search may show. The last entry whose wildcard pattern matches the absolute path decides;
 * without a match it is visible. `*` matches any text, including slashes, and `?` one character.
 */
export type Visibility = readonly { readonly pattern: string; readonly visible: boolean }[];

export interface GlobQuery {
  readonly pattern: string;
  readonly path?: string;
  readonly limit: number;
  readonly visibility?: Visibility;
  /**
   * Leaves out what `.gitignore` and `.ignore` files, `.git/info/exclude` and a fixed list (`node_modules`
   * and its like) ignore. `path` itself and names that the glob spells out are still found.
   */
  readonly skipIgnored?: boolean;
  readonly signal?: AbortSignal;
  /** After this time the search ends with `timedOut` and the results so far. */
  readonly timeoutMs: number;
}

export interface GlobResult {
  readonly paths: readonly string[];
  /** More matched than `limit`. */
  readonly truncated: boolean;
  readonly timedOut: boolean;
  /**
   * How many files below `path` were left out by `visibility`, whatever their content. A count of matching
   * files would reveal their names and content, query by query.
   */
  readonly hidden: number;
  /** Whether `skipIgnored` left out files below `path`; they are not counted as hidden. */
  readonly ignored: boolean;
}

export interface GrepQuery extends Omit<GlobQuery, 'pattern'> {
  readonly pattern: string;
  readonly ignoreCase?: boolean;
  /** Only files whose path matches this glob. */
  readonly include?: string;
  /** How many lines before and after each match are included. Default 0. */
  readonly context?: number;
  /** Texts to search in this order instead of files, whatever `path`, `include` and `visibility` say. */
  readonly texts?: readonly { readonly path: string; readonly text: string }[];
}

export interface GrepResult extends Omit<GlobResult, 'paths'> {
  readonly matches: readonly GrepMatch[];
}

export interface GrepMatch {
  readonly path: string;
  /** Lines are counted from 1. */
  readonly line: number;
  /** The line, cut at 2,000 characters. */
  readonly text: string;
  /** Up to `context` lines before the match and after it, each cut like `text`. */
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

/**
 * The paths that a process may not change. The last entry whose wildcard pattern matches the absolute path decides, as in
 * a {@link Visibility}; without a match it may be changed.
 */
export type Locks = readonly { readonly pattern: string; readonly locked: boolean }[];

/**
 * Files that a process may not read: those that `visibility` hides, except those in `except` (real absolute
 * paths). The limit applies when a file is opened, whatever its path by then, and to copies, links and new
 * names.
 */
export interface ReadLimits {
  readonly visibility: Visibility;
  readonly except: readonly string[];
  /**
   * What it may not change either: not write, create, remove, rename or replace, nor remove or move a folder that holds
   * such a file.
   */
  readonly locks?: Locks;
  /** Whether it may not change any file of the workspace either. */
  readonly readOnly?: boolean;
}

export interface Exit {
  /** As a shell reports it: 124 after a timeout, 130 or 137 when killed. */
  readonly exitCode: number;
  /** `suspended` occurs only for a shell that waited for a line when its workspace was suspended. */
  readonly reason: 'exit' | 'killed' | 'timeout' | 'lost' | 'suspended';
  readonly durationMs: number;
  /** The shell's directory at its end, for a terminal that keeps it. */
  readonly cwd: string;
  /**
   * Whether output that had not arrived may be missing (after a kill inside a function, a pipeline or awk).
   */
  readonly outputMayBeCut: boolean;
  /** How many files it was refused to read, if any. */
  readonly refusedReads?: number;
  /** Real paths that locks kept it from changing, if any; the first ones. */
  readonly refusedWrites?: readonly string[];
  /** The jobs that go on in the background, by their numbers. */
  readonly jobs?: readonly number[];
}

export interface FileChange {
  readonly path: string;
  readonly change: 'created' | 'modified' | 'removed';
}

export type SnapshotEntry =
  | { readonly path: string; readonly type: 'directory'; readonly mode: number }
  | { readonly path: string; readonly type: 'symlink'; readonly target: string }
  | {
      readonly path: string;
      readonly type: 'file';
      readonly mode: number;
      readonly modified: number;
      readonly size: number;
      readonly hash: Hash;
    }
  /** A file or folder that existed but is not stored, nor is anything below it. */
  | { readonly path: string; readonly type: 'ignored' };

/** The error codes of every file system. */
export const FILE_ERROR_CODES = [
  'ENOENT',
  'EISDIR',
  'ENOTDIR',
  'EEXIST',
  'ENOTEMPTY',
  'EACCES',
  'EINVAL',
  'ELOOP',
  'ENOSPC',
] as const;

export type WorkspaceErrorCode = (typeof FILE_ERROR_CODES)[number] | 'ECHANGED' | 'EGONE' | 'ECANCELED';
