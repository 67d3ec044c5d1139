import type { Unlisten } from '../base/listeners.ts';
import type { Hash } from '../base/hash.ts';
import type { WriteOptions } from '../protocol/write-options.ts';
import { ROOT } from '../base/places.ts';
import type {
  Stat,
  Entry,
  GlobQuery,
  GlobResult,
  GrepQuery,
  GrepResult,
  ReadLimits,
  Exit,
  FileChange,
  SnapshotEntry,
  WorkspaceErrorCode,
} from '../protocol/workspace-values.ts';
import type { Jobs } from './jobs.ts';
import type { Process } from './process.ts';
import type { TerminalSize, TypedShell } from './typed-shell.ts';

export { ROOT };
export type { Process } from './process.ts';
export { FILE_ERROR_CODES } from '../protocol/workspace-values.ts';
export type {
  Stat,
  Entry,
  Visibility,
  GlobQuery,
  GlobResult,
  GrepQuery,
  GrepResult,
  GrepMatch,
  Locks,
  ReadLimits,
  Exit,
  FileChange,
  SnapshotEntry,
  WorkspaceErrorCode,
} from '../protocol/workspace-values.ts';

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
  /** Describes what runs here, for the system prompt and the status. Resolves once the workspace is usable. */
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
  /**
   * The whole tree, content-addressed. Contents that `sink` does not have yet are put there. With `skipIgnored`, what is
   * ignored (see {@link GlobQuery}) is named and not kept.
   */
  snapshot(
    sink: SnapshotSink,
    options?: { readonly skipIgnored?: boolean },
  ): Promise<readonly SnapshotEntry[]>;
  /** Makes the tree equal to a snapshot; files not in it are removed, but for what it names as ignored, which stays as it is. */
  restore(entries: readonly SnapshotEntry[], contents: (hash: Hash) => Promise<Uint8Array>): Promise<void>;
  readonly status: WorkspaceStatus;
  onStatus(listener: (status: WorkspaceStatus) => void): Unlisten;
  /** Absent where nothing in the workspace can be a server. */
  readonly servers?: Servers | undefined;
  /** Absent where what a command leaves in the background is not known. */
  readonly jobs?: Jobs | undefined;
  /**
   * Where limits cannot be held once a command runs: the real paths of files that `limits` hide or lock. A command with
   * those limits is not started unless all that are hidden are excepted and none is locked. Absent where the limits are held.
   */
  readonly exposed?: ((limits: ReadLimits) => Promise<readonly string[]>) | undefined;
  /** Where a process may not be ended: ends all of them, and the files stay. Absent where each can be ended. */
  readonly restart?: (() => Promise<void>) | undefined;
  /**
   * Gives back what it runs on until its next call, which starts it again; no file is lost. False, with nothing done, while
   * something runs in it or asks it something, and where its files cannot be stored.
   */
  readonly suspend?: (() => Promise<boolean>) | undefined;
  /** Ends every process, flushes and lets go. */
  close(): Promise<void>;
}

/** The servers that listen inside the workspace. */
export interface Servers {
  list(): readonly Server[];
  /** A port that was open only for a moment need not be reported. */
  onChange(listener: () => void): Unlisten;
  /**
   * Opens a connection to the server on a port, whose bytes are whatever that server speaks. Resolves to `null` where
   * nothing accepts it. Absent where the page can show the servers' `url` itself.
   */
  readonly connect?: ((port: number) => Promise<ServerConnection | null>) | undefined;
}

export interface Server {
  readonly port: number;
  /** Where the page can show it. Absent where it can be reached only by `connect`. */
  readonly url?: string;
}

/**
 * A connection to a server. Both sides wait for each other: whoever reads slowly slows the writer down. The streams fail
 * with a {@link WorkspaceError} (`EGONE`) where the connection is broken off. Cancelling the one and closing or aborting the
 * other ends it.
 */
export interface ServerConnection {
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly writable: WritableStream<Uint8Array>;
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
  /** Nobody used it, and it holds no frame and no workers. Its next call starts it again, with all of its files. */
  | { readonly state: 'suspended' }
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
  /** Writes the whole file; parents are made. */
  write(path: string, content: Uint8Array, options?: WriteOptions): Promise<void>;
  /** Follows symlinks. `null` where nothing is. */
  stat(path: string): Promise<Stat | null>;
  /** The target of the symlink at a path, as it is written there. `null` where no link is, or a package manager's own one. */
  readLink(path: string): Promise<string | null>;
  /** Makes a symlink, wherever it leads; parents are made. `EEXIST` where something is. */
  makeLink(path: string, target: string): Promise<void>;
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

export interface Search {
  /** Files by glob (`**`, `{a,b}`, `[x]`; hidden files included, `.git` not), newest first, absolute paths. */
  glob(query: GlobQuery): Promise<GlobResult>;
  /** Lines matching a JavaScript regular expression, in text files, `.git` not searched. */
  grep(query: GrepQuery): Promise<GrepResult>;
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
  /**
   * Processes that still run in the background when the command is done go on, as a job of `owner`. Without this, they are
   * ended soon. Where the workspace has no `jobs`, this changes nothing.
   */
  readonly jobs?: { readonly owner: string };
  /** None: it may read whatever is in the workspace. */
  readonly reads?: ReadLimits;
  /** The person's terminal: colours, and the size that programs are told. */
  readonly terminal?: TerminalSize;
}

export interface SnapshotSink {
  /** Resolves to the `hashes` that are not stored yet. */
  missing(hashes: readonly Hash[]): Promise<readonly Hash[]>;
  put(hash: Hash, bytes: Uint8Array): Promise<void>;
}

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
