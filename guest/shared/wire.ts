import type { NodePart } from '../../src/protocol/frame.ts';
import type { FileChange } from '../../src/protocol/workspace-values.ts';
import type {
  ChildStart,
  FromChild,
  FsCall,
  ShellOnlyCall,
  FsStatAnswer,
  NetRequest,
  ProcessSignal,
  ToChild,
} from './protocol.ts';

/** Messages from the kernel to a node worker. */
export type ToNode =
  | NodeStart
  /** A piece of standard input, asked for with `wantInput`; null at its end. */
  | { readonly kind: 'input'; readonly bytes: Uint8Array | null }
  | { readonly kind: 'signal'; readonly signal: ProcessSignal }
  | { readonly kind: 'resize'; readonly columns: number; readonly rows: number }
  /** A request to a server of this process. The answer goes over `channel`, as FromServer. */
  | {
      readonly kind: 'request';
      readonly address: number | string;
      readonly request: NetRequest;
      readonly channel: MessagePort;
    }
  /** A connection to a server of this process. `host` is the name that the client used, `port` its own. */
  | {
      readonly kind: 'connection';
      readonly address: number | string;
      readonly host: string;
      readonly port: number;
      readonly channel: MessagePort;
    }
  | { readonly kind: 'child'; readonly message: FromChild }
  /** A message from the process that started this one. */
  | { readonly kind: 'message'; readonly data: unknown }
  | { readonly kind: 'disconnected' }
  /** A change at or below a watched path. */
  | {
      readonly kind: 'changed';
      readonly watch: number;
      readonly path: string;
      readonly change: FileChange['change'];
      /** Whether a file was made with a content. */
      readonly isWritten: boolean;
    };

export interface NodeStart {
  readonly kind: 'start';
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly pid: number;
  readonly ppid: number;
  readonly terminal?: ChildStart['terminal'];
  /** Whether this process and its parent can send each other messages. */
  readonly channel: boolean;
  readonly thread?: unknown;
  /** The memory for answers. Its layout is in guest/shared/shared-answer.ts. */
  readonly shared: SharedArrayBuffer;
  /** The memory of a `NamesVersion`. */
  readonly names: SharedArrayBuffer;
  /** The programs of many files that are there when the process starts. */
  readonly images: readonly SharedImage[];
}

/** A program of many files, none of which changes. A process finds and reads its modules without asking the kernel. */
export interface SharedImage {
  /** The folder that shows the files. */
  readonly at: string;
  /** The files as `joinImage` joins them. */
  readonly memory: SharedArrayBuffer;
}

/** Messages from a node worker to the kernel. */
export type FromNode =
  | { readonly kind: 'ready' }
  /** The answer comes in shared memory. Until then the worker sends nothing except `more`. */
  | { readonly kind: 'call'; readonly call: NodeCall }
  /** Asks for the next piece of a long answer. */
  | { readonly kind: 'more' }
  | { readonly kind: 'output'; readonly stream: 1 | 2; readonly bytes: Uint8Array }
  /** Adds bytes to the end of a file that is open. If that fails, the next call with the handle does. */
  | { readonly kind: 'append'; readonly handle: number; readonly bytes: Uint8Array }
  | { readonly kind: 'wantInput' }
  /** The signals that the program handles itself. */
  | { readonly kind: 'catches'; readonly signals: readonly ProcessSignal[] }
  /** Switches the terminal to single keys (`raw`) or back to lines. */
  | { readonly kind: 'keyboard'; readonly raw: boolean }
  | { readonly kind: 'child'; readonly message: ToChild }
  /** A message to the process that started this one. */
  | { readonly kind: 'message'; readonly data: unknown; readonly transfer?: readonly Transferable[] }
  | { readonly kind: 'disconnect' }
  | { readonly kind: 'watch'; readonly watch: number; readonly path: string; readonly recursive: boolean }
  | { readonly kind: 'unwatch'; readonly watch: number }
  /** The server at this address has closed. */
  | { readonly kind: 'unlisten'; readonly address: number | string }
  /** The program has compiled a WebAssembly module. Modules of the same bytes have the same name. */
  | { readonly kind: 'compiled'; readonly name: string; readonly module: WebAssembly.Module }
  | { readonly kind: 'exit'; readonly exitCode: number; readonly signal?: ProcessSignal };

/** The bytes that one message counts for, whatever its content. */
const MESSAGE_WEIGHT = 4096;

/** Returns the bytes that a message counts for until the kernel takes it. With too many, the sender waits. */
export function weightOf(message: FromNode): number {
  if (message.kind === 'output' || message.kind === 'append') return message.bytes.byteLength;
  if (message.kind === 'message') return MESSAGE_WEIGHT;
  if (message.kind !== 'child') return 0;
  return MESSAGE_WEIGHT + (message.message.kind === 'childInput' ? message.message.bytes.byteLength : 0);
}

/** How one of several file operations ended. A missing value is undefined. */
export type FileOutcome =
  { readonly value?: unknown } | { readonly failed: { readonly code: string; readonly message: string } };

export type NodeCall =
  /** Listens on a port (0: a free one) or a socket's path. Returns the address. Fails with EADDRINUSE. */
  | { readonly kind: 'listen'; readonly address: number | string }
  | { readonly kind: 'files'; readonly call: NodeFsCall }
  /** Carries out several file operations in order. Returns a list of {@link FileOutcome}. If it fails, none was carried out. */
  | { readonly kind: 'severalFiles'; readonly calls: readonly NodeFsCall[] }
  /** Runs a child and waits for its end. */
  | {
      readonly kind: 'runChild';
      readonly start: ChildStart;
      readonly input: Uint8Array;
      readonly timeoutMs?: number;
      readonly killSignal?: ProcessSignal;
      readonly maxBytes?: number;
      /** The streams of this process that the child inherits. */
      readonly inherits?: readonly number[];
    }
  /** Starts a child. Returns its process number, or 0 if it did not start. */
  | { readonly kind: 'startChild'; readonly start: ChildStart }
  /** Signals a process of the same command. Without a signal, it only tells whether the process exists. */
  | { readonly kind: 'kill'; readonly pid: number; readonly signal?: ProcessSignal }
  /** Returns the source of a part of node. Fails with EIO. */
  | { readonly kind: 'part'; readonly part: NodePart }
  /** Returns the code of a module that an earlier process kept. `name` is a path or a URL. */
  | { readonly kind: 'moduleCode'; readonly name: string }
  /** Keeps the code of a module for other processes; guest/kernel/module-codes.ts says how long. */
  | { readonly kind: 'keepModuleCode'; readonly name: string; readonly code: Uint8Array }
  /** Waits for a piece of standard input. Returns bytes, or undefined at its end. */
  | { readonly kind: 'readInput' };

/** How a child of `runChild` ended. guest/shared/ran-child.ts packs it together with its outputs. */
export interface RanChild {
  readonly pid: number;
  readonly exitCode: number;
  readonly signal?: ProcessSignal;
  readonly timedOut: boolean;
  readonly overflowed: boolean;
  readonly failed?: { readonly code: string; readonly message: string };
}

export const OPEN = {
  read: 1,
  write: 2,
  create: 4,
  exclusive: 8,
  truncate: 16,
  append: 32,
  directory: 64,
  noFollow: 128,
} as const;

/** The file calls of a process with file descriptors. A handle is the kernel's number for an open file. */
export type NodeFsCall =
  | Exclude<FsCall, ShellOnlyCall>
  | { readonly op: 'open'; readonly path: string; readonly flags: number; readonly mode: number }
  | { readonly op: 'close' | 'fstat'; readonly handle: number }
  | { readonly op: 'readAt'; readonly handle: number; readonly position: number; readonly length: number }
  /** Writes at `position`, or at the end of the file if it is -1. Returns the new length of the file. */
  | {
      readonly op: 'writeAt';
      readonly handle: number;
      readonly position: number;
      readonly content: Uint8Array;
    }
  | { readonly op: 'truncate'; readonly handle: number; readonly length: number }
  | { readonly op: 'fchmod'; readonly handle: number; readonly mode: number }
  | { readonly op: 'futimes'; readonly handle: number; readonly modified: number; readonly accessed: number }
  /** Returns {@link Looked}. */
  | { readonly op: 'look' | 'lookLink'; readonly path: string }
  /** Returns the {@link FolderNames} of a folder, of which there are none where there is no folder, or null. */
  | { readonly op: 'names'; readonly path: string }
  /** Checks permissions. `mode` has the bits of access(2): 4 to read, 2 to write, 1 to execute. */
  | { readonly op: 'access'; readonly path: string; readonly mode: number }
  | { readonly op: 'unlink' | 'rmdir'; readonly path: string }
  | { readonly op: 'statfs'; readonly path: string }
  /** Sets the times of a symlink itself. */
  | { readonly op: 'lutimes'; readonly path: string; readonly modified: number; readonly accessed: number };

/** In place of a stat: a name on the way is no folder. */
export const BLOCKED = 0;

/** The answer to `look`. Undefined if nothing is there: a search for a module finds that often, and an error takes longer. */
export type Looked = NodeStat | typeof BLOCKED | undefined;

/**
 * The answer to `names`. What it says stays so as long as the version of names does. For folders that are too large, or
 * whose files the app stores, there is none.
 */
export interface FolderNames {
  readonly files: readonly string[];
  readonly folders: readonly string[];
  readonly links: readonly string[];
}

/** The answer to `fstat` and `look`. */
export interface NodeStat extends FsStatAnswer {
  /** Times in milliseconds. `changed` is the last change of the node itself, such as of its mode. */
  readonly accessed: number;
  readonly changed: number;
  readonly born: number;
}
