import type { Unlisten } from '../base/listeners.ts';
import type { Hash } from '../base/hash.ts';
import { ROOT } from '../base/places.ts';
import type { TerminalSize, TypedShell } from './typed-shell.ts';

export { ROOT };

export type WorkspaceKind = 'embedded' | 'webcontainer';

/**
 * A named set of files with its processes. Implementations: `embedded/` and, where it can boot, `webcontainer/`.
 * Paths are absolute or relative to {@link ROOT}. Whatever would leave the root, through `..`, an absolute path or
 * a symlink, is refused with `EACCES` by the implementation itself, at the time of use.
 * Every rejection is a {@link WorkspaceError}, also when the runtime behind it has died (`EGONE`).
 */
export interface Workspace {
  readonly id: string;
  readonly kind: WorkspaceKind;
  readonly files: Files;
  readonly search: Search;
  /** What runs here, for the system prompt and the status. Resolves once the workspace is usable. */
  capabilities(): Promise<Capabilities>;
  /** Starts a shell command. Never throws: a process that cannot start ends with `reason: 'lost'` and says why in its output. */
  spawn(command: string, options?: SpawnOptions): Process;
  /**
   * Starts a shell for a person's terminal, in {@link ROOT}. As with `spawn`, one that cannot start ends as `lost`. Absent
   * where no shell outlasts its line.
   */
  readonly openShell?: ((terminal: TerminalSize) => TypedShell) | undefined;
  /** Changes of files as they happen, gathered; the agent's, the shell's and the person's alike. */
  watch(listener: (changes: readonly FileChange[]) => void): Unlisten;
  /** Resolves when every write made before the call survives a crash of the tab. */
  durable(): Promise<void>;
  /** The whole tree, content-addressed. Contents that `sink` does not have yet are put there. */
  snapshot(sink: SnapshotSink): Promise<readonly SnapshotEntry[]>;
  /** Makes the tree equal to a snapshot; files not in it are removed. */
  restore(entries: readonly SnapshotEntry[], contents: (hash: Hash) => Promise<Uint8Array>): Promise<void>;
  readonly status: WorkspaceStatus;
  onStatus(listener: (status: WorkspaceStatus) => void): Unlisten;
  /** Absent where nothing in the workspace can be a server. */
  readonly servers?: Servers | undefined;
  /**
   * Where limits on reading cannot be held once a command runs: the real paths of files that `limits` hide. A command
   * with those limits is not started unless all of them are excepted. Absent where the limits are held.
   */
  readonly exposed?: ((limits: ReadLimits) => Promise<readonly string[]>) | undefined;
  /** Where a process may not be ended: ends all of them, and the files stay. Absent where each can be ended. */
  readonly restart?: (() => Promise<void>) | undefined;
  /** Ends every process, flushes and lets go. */
  close(): Promise<void>;
}

/** What listens inside the workspace. */
export interface Servers {
  list(): readonly Server[];
  onChange(listener: () => void): Unlisten;
}

export interface Server {
  readonly port: number;
  /** Where the page can show it. */
  readonly url: string;
}

export type WorkspaceStatus =
  | { readonly state: 'starting' }
  | { readonly state: 'ready' }
  /** The runtime died or stopped answering and is being made anew from the journal; `reason` is a sentence for the person. */
  | { readonly state: 'restarting'; readonly reason: string }
  /** It works, but a process in it goes on that could not be ended; `restart` helps. */
  | { readonly state: 'stuck'; readonly reason: string }
  /** `restart`: it worked before, and {@link Workspace.restart} may help. */
  | { readonly state: 'failed'; readonly reason: string; readonly restart?: true }
  | { readonly state: 'closed' };

export interface Capabilities {
  /** One line for the status: `Embedded · bash`. */
  readonly title: string;
  /** Names that can be run in the shell, sorted. */
  readonly commands: readonly string[];
  /** False where standard error arrives merged into standard output. */
  readonly separateStderr: boolean;
  /** Sentences for the system prompt: what differs from an ordinary Linux shell. */
  readonly notes: readonly string[];
}

export interface Files {
  /** The real absolute path, symlinks followed in every component that exists. `EACCES` where that leaves the root. */
  resolve(path: string): Promise<string>;
  /** With `real`, fails with `ECHANGED` where `path` is no real path (any more): a link leads elsewhere. */
  read(path: string, options?: { readonly real?: boolean }): Promise<Uint8Array>;
  /**
   * Writes the whole file; parents are made. With `expect`, writes only if the file's present content has that
   * SHA-256 (`null`: only if there is no file), else fails with `ECHANGED`: check and write are one step. `real` as for {@link read}.
   */
  write(
    path: string,
    content: Uint8Array,
    options?: { readonly expect?: Hash | null; readonly real?: boolean },
  ): Promise<void>;
  /** Follows symlinks. `null` where nothing is. */
  stat(path: string): Promise<Stat | null>;
  /** Sorted by name. `real` as for {@link read}. */
  list(path: string, options?: { readonly real?: boolean }): Promise<readonly Entry[]>;
  makeDirectory(path: string): Promise<void>;
  /** With `expect`, removes only a file whose present content has that SHA-256, else fails with `ECHANGED`. `real` as for {@link read}. */
  remove(
    path: string,
    options?: { readonly recursive?: boolean; readonly expect?: Hash; readonly real?: boolean },
  ): Promise<void>;
  /** `real` as for {@link read}, for both. */
  rename(from: string, to: string, options?: { readonly real?: boolean }): Promise<void>;
}

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
 * Which paths a search may show: the last entry whose wildcard pattern matches the absolute path decides; none:
 * visible. `*` is any run of characters, slashes too, `?` one character.
 */
export type Visibility = readonly { readonly pattern: string; readonly visible: boolean }[];

export interface Search {
  /** Files by glob (`**`, `{a,b}`, `[x]`; hidden files included, `.git` not), newest first, absolute paths. */
  glob(query: GlobQuery): Promise<GlobResult>;
  /** Lines matching a JavaScript regular expression, in text files, `.git` not searched. */
  grep(query: GrepQuery): Promise<GrepResult>;
}

export interface GlobQuery {
  readonly pattern: string;
  readonly path?: string;
  readonly limit: number;
  readonly visibility?: Visibility;
  readonly signal?: AbortSignal;
  /** The search is ended, with `timedOut` and what it had, after this long. */
  readonly timeoutMs: number;
}

export interface GlobResult {
  readonly paths: readonly string[];
  /** More matched than `limit`. */
  readonly truncated: boolean;
  readonly timedOut: boolean;
  /**
   * How many files below `path` were left out by `visibility`, whatever is in them: a count of those that match would
   * spell out, question by question, what they hold and are called.
   */
  readonly hidden: number;
}

export interface GrepQuery extends Omit<GlobQuery, 'pattern'> {
  readonly pattern: string;
  readonly ignoreCase?: boolean;
  /** Only files whose path matches this glob. */
  readonly include?: string;
  /** Searched in place of the files, in this order; `path`, `include` and `visibility` then say nothing. */
  readonly texts?: readonly { readonly path: string; readonly text: string }[];
}

export interface GrepResult extends Omit<GlobResult, 'paths'> {
  readonly matches: readonly GrepMatch[];
}

export interface GrepMatch {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** The line, cut at 2,000 characters. */
  readonly text: string;
}

/**
 * Files that a process may not read: those that `visibility` does not show, but for these, by their real absolute
 * paths. It is held when a file is opened, whatever the path is called by then, and for copies, links and new names.
 */
export interface ReadLimits {
  readonly visibility: Visibility;
  readonly except: readonly string[];
  /** It changes no file of the workspace either. */
  readonly readOnly?: boolean;
}

export interface SpawnOptions {
  /** Default: {@link ROOT}. Must be inside it. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** All of standard input at once; without it standard input is open for `write` until `closeInput`. */
  readonly stdin?: string | Uint8Array;
  readonly signal?: AbortSignal;
  /** Counted by the runtime, not by the page, whose timers stop in hidden tabs. */
  readonly timeoutMs?: number;
  /** None: it may read whatever is in the workspace. */
  readonly reads?: ReadLimits;
  /** The person's terminal: colours, and the size that programs are told. */
  readonly terminal?: TerminalSize;
}

export interface Process {
  readonly id: string;
  /** Standard output and standard error merged as they came, decoded as UTF-8 across chunk borders. Can be read once. */
  readonly output: AsyncIterable<string>;
  write(input: string | Uint8Array): void;
  closeInput(): void;
  /** As Ctrl-C in a terminal: what runs is told, and goes on where it handles that. Not there where nothing can be told. */
  interrupt?(): void;
  /** Ends the process for certain; `exited` resolves with `reason: 'killed'`. */
  kill(): void;
  /** Resolves after the last output. Never rejects. */
  readonly exited: Promise<Exit>;
}

export interface Exit {
  /** As a shell reports it: 124 after a timeout, 130 or 137 when killed. */
  readonly exitCode: number;
  readonly reason: 'exit' | 'killed' | 'timeout' | 'lost';
  readonly durationMs: number;
  /** The shell's directory at its end, for a terminal that keeps it. */
  readonly cwd: string;
  /** Output that had not reached us may be missing (a kill inside a function, a pipeline or awk). */
  readonly outputMayBeCut: boolean;
  /** How many files it was not let read, if any. */
  readonly refusedReads?: number;
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
    };

export interface SnapshotSink {
  /** Those of `hashes` that are not stored yet. */
  missing(hashes: readonly Hash[]): Promise<readonly Hash[]>;
  put(hash: Hash, bytes: Uint8Array): Promise<void>;
}

/** What any file system may answer. */
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

export class WorkspaceError extends Error {
  readonly code: WorkspaceErrorCode;
  readonly path: string;
  constructor(code: WorkspaceErrorCode, path: string, message?: string) {
    super(message ?? `${code}: ${path}`);
    this.name = 'WorkspaceError';
    this.code = code;
    this.path = path;
  }
}

export interface ExecResult extends Exit {
  readonly output: string;
}

/** Runs a command to its end and gathers its output. */
export async function exec(
  workspace: Workspace,
  command: string,
  options: SpawnOptions = {},
): Promise<ExecResult> {
  const process = workspace.spawn(command, { stdin: '', ...options });
  let output = '';
  for await (const chunk of process.output) output += chunk;
  return { ...(await process.exited), output };
}
