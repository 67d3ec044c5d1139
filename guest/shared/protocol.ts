import type { ProcessSignal } from './signals.ts';
import type { KeyboardMode, LineState } from '../../src/protocol/terminal.ts';
import type { NetRequest } from '../../src/protocol/exchange.ts';
import type { GlobQuery, GlobResult, GrepQuery, GrepResult } from '../../src/protocol/workspace-values.ts';

export type { FromServer, NetHeaders, NetRequest, ToServer } from '../../src/protocol/exchange.ts';

/**
 * A process that another process starts. It has its parent's limits on reading, and ends with the process of the app that
 * both belong to. `id` is the parent's own number for it.
 */
export interface ChildStart {
  readonly id: number;
  readonly program:
    | { readonly kind: 'node'; readonly args: readonly string[] }
    | {
        readonly kind: 'shell';
        readonly script: string;
        readonly args: readonly string[];
        /** `$0`; default `bash`. */
        readonly name?: string;
      };
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The size of its terminal, and which of its streams (0, 1, 2) are connected to it. */
  readonly terminal?: {
    readonly streams: readonly number[];
    readonly columns: number;
    readonly rows: number;
  };
  /** Whether parent and child can send each other messages; only node processes can. */
  readonly channel?: boolean;
  /** Whether an interrupt in its parent's terminal leaves it alone. */
  readonly detached?: boolean;
  /** The data of a node process that serves as a worker thread of another. */
  readonly thread?: unknown;
  /** The number of the shell's background process that it belongs to. */
  readonly job?: number;
}

/** Messages from a process to the kernel: about its children, its HTTP requests and its connections. */
export type ToChild =
  /** The answer comes over `channel`, as {@link FromServer}. */
  | { readonly kind: 'fetch'; readonly request: NetRequest; readonly channel: MessagePort }
  /**
   * Connects to a port of the workspace, or to the path of a socket. The two ends talk over `channel`, with
   * {@link ConnectionMessage}s.
   */
  | {
      readonly kind: 'connect';
      readonly to: number | string;
      readonly host: string;
      readonly channel: MessagePort;
    }
  | { readonly kind: 'startChild'; readonly start: ChildStart }
  | { readonly kind: 'childInput'; readonly id: number; readonly bytes: Uint8Array }
  | { readonly kind: 'endChildInput'; readonly id: number }
  | { readonly kind: 'signalChild'; readonly id: number; readonly signal: ProcessSignal }
  /** The child's terminal has a new size. */
  | { readonly kind: 'resizeChild'; readonly id: number; readonly columns: number; readonly rows: number }
  /** A message to the child; `data` is anything that can be cloned. */
  | {
      readonly kind: 'messageChild';
      readonly id: number;
      readonly data: unknown;
      readonly transfer?: readonly Transferable[];
    }
  | { readonly kind: 'disconnectChild'; readonly id: number }
  /** The parent has read this many bytes of the child's output. At most {@link OUTPUT_WINDOW} bytes may be on the way. */
  | { readonly kind: 'childOutputUsed'; readonly id: number; readonly bytes: number };

/** Messages from the kernel about a child, to the process that started it. All output comes before `childExited`. */
export type FromChild =
  | { readonly kind: 'childStarted'; readonly id: number; readonly pid: number }
  | { readonly kind: 'childOutput'; readonly id: number; readonly stream: 1 | 2; readonly bytes: Uint8Array }
  | {
      readonly kind: 'childExited';
      readonly id: number;
      readonly exitCode: number;
      readonly signal?: ProcessSignal;
    }
  | {
      readonly kind: 'childMessage';
      readonly id: number;
      readonly data: unknown;
      readonly transfer?: readonly Transferable[];
    }
  | { readonly kind: 'childDisconnected'; readonly id: number }
  /** The child did not start; the code is EAGAIN where too many processes run already. */
  | { readonly kind: 'childFailed'; readonly id: number; readonly code: string; readonly message: string }
  /**
   * The child waits for a piece of standard input, or its end. A parent that passes on its own input reads it only then,
   * so that a child that does not read leaves the input to others.
   */
  | { readonly kind: 'childWantsInput'; readonly id: number }
  /** With `raw`, the child wants each key of its terminal as it is pressed, without echo; without, whole lines again. */
  | { readonly kind: 'childKeyboard'; readonly id: number; readonly raw: boolean };

export type { ProcessSignal } from './signals.ts';

/** How many bytes of output may be on the way to a reader, and of input to a shell. */
export const OUTPUT_WINDOW = 1024 * 1024;

/**
 * Layout of the memory that the kernel shares with a shell worker, by index: the number of the run to stop, and how often
 * the run was interrupted. `bytes` is the size of that memory.
 */
export const FLAG = { stopped: 0, interrupts: 1, bytes: 8 } as const;

/** Messages to a shell worker. `run` numbers the scripts of one worker; messages about an earlier run are ignored. */
export type ToShell =
  | {
      readonly kind: 'run';
      readonly run: number;
      readonly script: string;
      /** The positional parameters, from `$1` on. */
      readonly args?: readonly string[];
      /** `$0`. */
      readonly name?: string;
      readonly pid?: number;
      readonly cwd: string;
      readonly env: Readonly<Record<string, string>>;
      /** The terminal of a shell that another process started. */
      readonly terminal?: ChildStart['terminal'];
      /** Whether background processes go on when the script is done: it then says `left`, and `done` after their end. */
      readonly keepsJobs?: boolean;
      /** All of standard input; without it, input is streamed. */
      readonly stdin?: Uint8Array;
      readonly columns?: number;
      /** The rows of a terminal whose size never changes. */
      readonly rows?: number;
      /** The rows of the terminal of an interactive shell. Such a shell has no script: it runs lines in one environment. */
      readonly typedRows?: number;
      /** Shared memory, where the page is cross-origin isolated; see {@link FLAG} for its layout. */
      readonly flag?: Int32Array;
    }
  | { readonly kind: 'input'; readonly bytes: Uint8Array }
  | { readonly kind: 'endInput' }
  /** A line to run once the lines before it are done; answered with `lineDone`. */
  | { readonly kind: 'line'; readonly run: number; readonly text: string }
  | { readonly kind: 'resize'; readonly run: number; readonly columns: number; readonly rows: number }
  | { readonly kind: 'stop'; readonly run: number }
  /** `job` is the number of a job that the script has left behind, where only that gets the signal. */
  | { readonly kind: 'signal'; readonly run: number; readonly signal: ProcessSignal; readonly job?: number }
  /** About a process that the script started. */
  | { readonly kind: 'child'; readonly run: number; readonly message: FromChild }
  /** The kernel has taken this many bytes of output. At most {@link OUTPUT_WINDOW} bytes should be on the way. */
  | { readonly kind: 'outputUsed'; readonly run: number; readonly bytes: number }
  /** The worker answers with `rested` once nothing runs in it any more. */
  | { readonly kind: 'rest' }
  /** The outcomes of the calls of the `fs` message with this id, in order. */
  | { readonly kind: 'answers'; readonly id: number; readonly outcomes: readonly FsOutcome[] };

export type FsOutcome = { readonly value?: unknown } | { readonly code: string; readonly message: string };

export type FromShell =
  /** The shell has been loaded. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'rested' }
  /** Calls on the files, to be carried out in order. */
  | { readonly kind: 'fs'; readonly id: number; readonly run: number; readonly calls: readonly ShellCall[] }
  /** `stream` defaults to standard output. `job` is the number of the background process that printed it. */
  | {
      readonly kind: 'output';
      readonly run: number;
      readonly bytes: Uint8Array;
      readonly stream?: 1 | 2;
      readonly job?: number;
    }
  /** The script is done, and these processes go on in the background. */
  | {
      readonly kind: 'left';
      readonly run: number;
      readonly exitCode: number;
      readonly cwd: string;
      readonly jobs: readonly LeftBehind[];
    }
  /** Nothing of this job runs any more. */
  | {
      readonly kind: 'jobEnded';
      readonly run: number;
      readonly job: number;
      readonly exitCode: number;
      readonly signal?: ProcessSignal;
    }
  | { readonly kind: 'child'; readonly run: number; readonly message: ToChild }
  /** The script has read this many bytes of its input. */
  | { readonly kind: 'inputUsed'; readonly run: number; readonly bytes: number }
  | { readonly kind: 'lineDone'; readonly run: number; readonly state: LineState }
  | { readonly kind: 'keyboard'; readonly run: number; readonly mode: KeyboardMode }
  | {
      readonly kind: 'done';
      readonly run: number;
      readonly exitCode: number;
      readonly cwd: string;
      /** Set where the script ended itself with a signal. */
      readonly signal?: ProcessSignal;
    };

/** A process that goes on in the background after its script. */
export interface LeftBehind {
  readonly pid: number;
  readonly command: string;
  /** Milliseconds since 1970. */
  readonly started: number;
  /** The absolute path of the file that its output was redirected to. */
  readonly writesTo?: string;
}

/** A call of a shell to the kernel. */
export type ShellCall = FsCall | JobCall;

/** Calls about the jobs that earlier scripts have left behind. */
export type JobCall =
  /** All of them that the kernel still knows. With `tell`, an end is listed for the last time. */
  | { readonly op: 'jobs'; readonly tell: boolean }
  /** Signals a job or one of its processes. Answers false where there is none of this number. */
  | { readonly op: 'signalJob'; readonly pid: number; readonly signal: ProcessSignal };

export type FsCall =
  | {
      readonly op: 'read' | 'exists' | 'stat' | 'lstat' | 'readdir' | 'readlink' | 'realpath';
      readonly path: string;
    }
  | ShellOnlyCall
  | { readonly op: 'write' | 'append'; readonly path: string; readonly content: Uint8Array }
  | { readonly op: 'mkdir'; readonly path: string; readonly recursive: boolean }
  | { readonly op: 'rm'; readonly path: string; readonly recursive: boolean; readonly force: boolean }
  | { readonly op: 'cp'; readonly from: string; readonly to: string; readonly recursive: boolean }
  | { readonly op: 'mv' | 'link'; readonly from: string; readonly to: string }
  | { readonly op: 'symlink'; readonly target: string; readonly path: string }
  | { readonly op: 'chmod'; readonly path: string; readonly mode: number }
  | { readonly op: 'utimes'; readonly path: string; readonly modified: number; readonly accessed: number };

/** Calls that do in one message what would otherwise take many. */
export type ShellOnlyCall =
  /** The entries of a folder, each with its `lstat`: {@link FsListedAnswer}. */
  | { readonly op: 'entries'; readonly path: string }
  /** Facts about a program that is fetched when it is first used: {@link FsImageAnswer}, or null. */
  | { readonly op: 'image'; readonly name: string }
  /** Whether it may read the content of the file that is at a path, or would be. Fails with EACCES where it may not. */
  | { readonly op: 'mayRead'; readonly path: string }
  /** Whether two files have the same content. */
  | { readonly op: 'same'; readonly from: string; readonly to: string }
  /** The source of a part of the shell, which `path` names. */
  | { readonly op: 'part'; readonly path: string };

export interface FsStatAnswer {
  readonly type: 'file' | 'directory' | 'symlink' | 'device';
  readonly size: number;
  readonly mode: number;
  /** Milliseconds since the epoch. */
  readonly modified: number;
  /** The same number for each name of one file. */
  readonly inode: number;
  /** How many names (hard links) the file has. */
  readonly names: number;
}

export interface FsImageAnswer {
  readonly version: string;
  /** How many bytes are fetched for it. */
  readonly bytes: number;
  /** Whether it was fetched already. */
  readonly isHere: boolean;
}

/** One entry in the answer to `entries`: a name with its `lstat`. */
export interface FsListedAnswer extends FsStatAnswer {
  readonly name: string;
}

export interface FsEntryAnswer {
  readonly name: string;
  readonly type: FsStatAnswer['type'];
}

/** Messages to the search worker. Paths are absolute, in the replica and in the answers. */
export type ToSearch =
  | { readonly kind: 'put'; readonly files: readonly ReplicaFile[] }
  /** Removes each path and everything below it. */
  | { readonly kind: 'remove'; readonly paths: readonly string[] }
  | (SearchRequest & { readonly id: number });

export type SearchRequest =
  | { readonly kind: 'glob'; readonly query: SearchQuery<GlobQuery> }
  | { readonly kind: 'grep'; readonly query: SearchQuery<GrepQuery> };

/** `path` is real and absolute here. */
export type SearchQuery<Query extends GlobQuery | GrepQuery> = Omit<Query, 'signal' | 'path'> & {
  readonly path: string;
};

export type FromSearch =
  /** Everything found so far. A search that has to be ended returns the last of these. */
  | { readonly kind: 'partial'; readonly id: number; readonly result: GlobResult | GrepResult }
  | { readonly kind: 'answer'; readonly id: number; readonly result: GlobResult | GrepResult }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string };

export interface ReplicaFile {
  readonly path: string;
  readonly modified: number;
  /** Null where the content was not asked for: such a file is found by its name only. */
  readonly bytes: Uint8Array | null;
}

/** One end of a conversation: a worker seen from outside, its own global scope, or a MessagePort. */
export interface Peer<Out, In> {
  post(message: Out, transfer?: Transferable[]): void;
  onMessage(listener: (message: In) => void): void;
}

/** A worker that can be ended for certain. */
export interface WorkerPeer<Out, In> extends Peer<Out, In> {
  /** The listener is called when the worker cannot start, or dies of an uncaught error. */
  onFailure(listener: (reason: string) => void): void;
  terminate(): void;
}
