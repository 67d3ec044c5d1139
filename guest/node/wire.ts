import type { NodePart } from '../../src/workspace/embedded/protocol.ts';
import type { FileChange } from '../../src/workspace/workspace.ts';
import type {
  ChildStart,
  FromChild,
  FsCall,
  FsStatAnswer,
  NetRequest,
  ProcessSignal,
  ToChild,
} from '../protocol.ts';

/** From the kernel to a node worker. */
export type ToNode =
  | NodeStart
  /** A piece of standard input, asked for with `wantInput`; null at its end. */
  | { readonly kind: 'input'; readonly bytes: Uint8Array | null }
  | { readonly kind: 'signal'; readonly signal: ProcessSignal }
  | { readonly kind: 'resize'; readonly columns: number; readonly rows: number }
  /** Somebody asks a server of this process; its answer goes over `channel`, as FromServer. */
  | {
      readonly kind: 'request';
      readonly address: number | string;
      readonly request: NetRequest;
      readonly channel: MessagePort;
    }
  /** Somebody connects to a server of this process: `host` is how it was named, `port` the other side's. */
  | {
      readonly kind: 'connection';
      readonly address: number | string;
      readonly host: string;
      readonly port: number;
      readonly channel: MessagePort;
    }
  | { readonly kind: 'child'; readonly message: FromChild }
  /** From the process that started this one. */
  | { readonly kind: 'message'; readonly data: unknown }
  | { readonly kind: 'disconnected' }
  /** Something changed below a watched path: where, and how. */
  | {
      readonly kind: 'changed';
      readonly watch: number;
      readonly path: string;
      readonly change: FileChange['change'];
    };

export interface NodeStart {
  readonly kind: 'start';
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly pid: number;
  readonly ppid: number;
  readonly terminal?: ChildStart['terminal'];
  /** It can send messages to the process that started it. */
  readonly channel: boolean;
  readonly thread?: unknown;
  /** See guest/node/shared-answer.ts. */
  readonly shared: SharedArrayBuffer;
}

/** From a node worker to the kernel. */
export type FromNode =
  | { readonly kind: 'ready' }
  /** Answered in shared memory; the worker waits and says nothing meanwhile but `more`. */
  | { readonly kind: 'call'; readonly call: NodeCall }
  /** The next piece of an answer that was too long. */
  | { readonly kind: 'more' }
  | { readonly kind: 'output'; readonly stream: 1 | 2; readonly bytes: Uint8Array }
  | { readonly kind: 'wantInput' }
  /** Signals that the program handles itself. */
  | { readonly kind: 'catches'; readonly signals: readonly ProcessSignal[] }
  /** Its terminal is to give each key as it is pressed, or lines again. */
  | { readonly kind: 'keyboard'; readonly raw: boolean }
  | { readonly kind: 'child'; readonly message: ToChild }
  /** To the process that started this one. */
  | { readonly kind: 'message'; readonly data: unknown; readonly transfer?: readonly Transferable[] }
  | { readonly kind: 'disconnect' }
  | { readonly kind: 'watch'; readonly watch: number; readonly path: string; readonly recursive: boolean }
  | { readonly kind: 'unwatch'; readonly watch: number }
  /** Its server there answers nobody any more. */
  | { readonly kind: 'unlisten'; readonly address: number | string }
  | { readonly kind: 'exit'; readonly exitCode: number; readonly signal?: ProcessSignal };

/** What a message counts for, bytes, whatever is in it. */
const MESSAGE_WEIGHT = 4096;

/** What counts as on its way until the kernel says that it was taken: who sends without end has to wait. */
export function weightOf(message: FromNode): number {
  if (message.kind === 'output') return message.bytes.byteLength;
  if (message.kind === 'message') return MESSAGE_WEIGHT;
  if (message.kind !== 'child') return 0;
  return MESSAGE_WEIGHT + (message.message.kind === 'childInput' ? message.message.bytes.byteLength : 0);
}

export type NodeCall =
  /** On a port, any free one where it is 0, or on the path of a socket. Answers which. Fails with EADDRINUSE. */
  | { readonly kind: 'listen'; readonly address: number | string }
  | { readonly kind: 'files'; readonly call: NodeFsCall }
  /** Runs a child to its end. */
  | {
      readonly kind: 'runChild';
      readonly start: ChildStart;
      readonly input: Uint8Array;
      readonly timeoutMs?: number;
      readonly killSignal?: ProcessSignal;
      readonly maxBytes?: number;
      /** Streams of the process itself that the child has as they are. */
      readonly inherits?: readonly number[];
    }
  /** Starts a child; answers its number, 0 where it could not be started. */
  | { readonly kind: 'startChild'; readonly start: ChildStart }
  /** Signals a process of the same command by its number; none: only looks. Answers whether there is one. */
  | { readonly kind: 'kill'; readonly pid: number; readonly signal?: ProcessSignal }
  /** Names of what the shell can run. */
  | { readonly kind: 'commands' }
  /** The source of a part of node. Fails with EIO. */
  | { readonly kind: 'part'; readonly part: NodePart }
  /** Waits for a piece of standard input: bytes, or undefined at its end. */
  | { readonly kind: 'readInput' };

/** How a child of `runChild` ended. Its outputs come with it: see guest/node/ran-child.ts. */
export interface RanChild {
  readonly pid: number;
  readonly exitCode: number;
  readonly signal?: ProcessSignal;
  readonly timedOut: boolean;
  readonly overflowed: boolean;
  readonly failed?: { readonly code: string; readonly message: string };
}

export const OPEN = { read: 1, write: 2, create: 4, exclusive: 8, truncate: 16, append: 32 } as const;

/** Files as a process with file descriptors needs them. A handle is the kernel's number for an open file. */
export type NodeFsCall =
  | FsCall
  | { readonly op: 'open'; readonly path: string; readonly flags: number; readonly mode: number }
  | { readonly op: 'close' | 'fstat'; readonly handle: number }
  | { readonly op: 'readAt'; readonly handle: number; readonly position: number; readonly length: number }
  /** At the end of the file where `position` is -1. Answers how long the file is now. */
  | {
      readonly op: 'writeAt';
      readonly handle: number;
      readonly position: number;
      readonly content: Uint8Array;
    }
  | { readonly op: 'truncate'; readonly handle: number; readonly length: number }
  | { readonly op: 'fchmod'; readonly handle: number; readonly mode: number }
  | { readonly op: 'futimes'; readonly handle: number; readonly modified: number; readonly accessed: number }
  /** Answers undefined where nothing is, so that looking for a module throws nothing. */
  | { readonly op: 'look' | 'lookLink'; readonly path: string }
  /** Bits as of access(2): 4 to read, 2 to write, 1 to execute. */
  | { readonly op: 'access'; readonly path: string; readonly mode: number }
  | { readonly op: 'unlink' | 'rmdir'; readonly path: string }
  | { readonly op: 'statfs'; readonly path: string }
  /** Of a symlink itself. */
  | { readonly op: 'lutimes'; readonly path: string; readonly modified: number; readonly accessed: number };

/** What `fstat` and `look` answer. */
export interface NodeStat extends FsStatAnswer {
  /** Milliseconds; `changed` is of the node itself. */
  readonly accessed: number;
  readonly changed: number;
  readonly born: number;
}
