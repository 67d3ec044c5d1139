import type { FromNode, ToNode } from './node/wire.ts';
import type { ProcessSignal } from './signals.ts';
import type { KeyboardMode, LineState } from '../src/workspace/typed-shell.ts';
import type { NetRequest } from '../src/workspace/embedded/exchange.ts';
import type { GlobQuery, GlobResult, GrepQuery, GrepResult } from '../src/workspace/workspace.ts';

export type { FromServer, NetHeaders, NetRequest, ToServer } from '../src/workspace/embedded/exchange.ts';

/**
 * A process that a process starts. It has the starter's limits on reading and ends with the process of the app that both
 * belong to. `id` is the starter's own number for it.
 */
export interface ChildStart {
  readonly id: number;
  readonly program:
    | { readonly kind: 'node'; readonly args: readonly string[] }
    | {
        readonly kind: 'shell';
        readonly script: string;
        readonly args: readonly string[];
        /** `$0`; `bash` where it is not told. */
        readonly name?: string;
      };
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Which of its streams are the terminal, and its size. */
  readonly terminal?: {
    readonly streams: readonly number[];
    readonly columns: number;
    readonly rows: number;
  };
  /** Both ends can send each other messages; only a node process has such an end. */
  readonly channel?: boolean;
  /** What interrupts its starter's terminal leaves it alone. */
  readonly detached?: boolean;
  /** What a node process that serves as a thread of another is given. */
  readonly thread?: unknown;
}

/** From a process to the kernel, about what it started and what it asks for by HTTP. */
export type ToChild =
  /** The answer comes over `channel`, as {@link FromServer}. */
  | { readonly kind: 'fetch'; readonly request: NetRequest; readonly channel: MessagePort }
  /** To a port of the workspace, or to the path of a socket; what both ends say goes over `channel`, as {@link OverConnection}. */
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
  /** The terminal that it was given has another size now. */
  | { readonly kind: 'resizeChild'; readonly id: number; readonly columns: number; readonly rows: number }
  /** Over the channel: anything that can be cloned. */
  | {
      readonly kind: 'messageChild';
      readonly id: number;
      readonly data: unknown;
      readonly transfer?: readonly Transferable[];
    }
  | { readonly kind: 'disconnectChild'; readonly id: number }
  /** So much of its output was used: a child has at most {@link OUTPUT_WINDOW} bytes on the way. */
  | { readonly kind: 'childOutputUsed'; readonly id: number; readonly bytes: number };

/** From the kernel to the process that started it. Output is there before the end. */
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
  /** It did not start: EAGAIN where too many run already. */
  | { readonly kind: 'childFailed'; readonly id: number; readonly code: string; readonly message: string }
  /**
   * It waits for a piece of standard input, or its end. Who passes on its own input reads it only then: a child that
   * does not read leaves it to others.
   */
  | { readonly kind: 'childWantsInput'; readonly id: number }
  /** It wants each key of its terminal as it is pressed, shown by nobody; or lines again. */
  | { readonly kind: 'childKeyboard'; readonly id: number; readonly raw: boolean };

export type { ProcessSignal } from './signals.ts';

/** So much output may be on its way to a reader, and so much input to a shell. */
export const OUTPUT_WINDOW = 1024 * 1024;

/** Words that the kernel and a shell worker share: the number of the run to stop, and how often one was interrupted. */
export const FLAG = { stopped: 0, interrupts: 1, bytes: 8 } as const;

/** Between the kernel and a shell worker. `run` numbers the scripts of one worker; answers to an old run are lost. */
export type ToShell =
  | {
      readonly kind: 'run';
      readonly run: number;
      readonly script: string;
      /** `$1` and on. */
      readonly args?: readonly string[];
      /** `$0`. */
      readonly name?: string;
      readonly pid?: number;
      readonly cwd: string;
      readonly env: Readonly<Record<string, string>>;
      /** Which streams are the terminal, where another process started this one. */
      readonly terminal?: ChildStart['terminal'];
      /** All of standard input; without it input is streamed. */
      readonly stdin?: Uint8Array;
      readonly columns?: number;
      /** The rows of a terminal that lines are typed into: what one of them sets, the next has. There is no script then. */
      readonly typedRows?: number;
      /** Shared where the page is isolated: what is in it stands at {@link FLAG}. */
      readonly flag?: Int32Array;
    }
  | { readonly kind: 'input'; readonly bytes: Uint8Array }
  | { readonly kind: 'endInput' }
  /** To be run once those before it are done; answered with `lineDone`. */
  | { readonly kind: 'line'; readonly run: number; readonly text: string }
  | { readonly kind: 'resize'; readonly run: number; readonly columns: number; readonly rows: number }
  | { readonly kind: 'stop'; readonly run: number }
  | { readonly kind: 'signal'; readonly run: number; readonly signal: ProcessSignal }
  /** About what the script started. */
  | { readonly kind: 'child'; readonly run: number; readonly message: FromChild }
  /** So much of what was printed has been taken: there should be at most {@link OUTPUT_WINDOW} bytes on the way. */
  | { readonly kind: 'outputUsed'; readonly run: number; readonly bytes: number }
  /** Answered with `rested` by a worker that has come to rest. */
  | { readonly kind: 'rest' }
  | { readonly kind: 'answer'; readonly id: number; readonly value?: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly code: string; readonly message: string };

export type FromShell =
  | { readonly kind: 'ready'; readonly commands: readonly string[] }
  | { readonly kind: 'rested' }
  | { readonly kind: 'fs'; readonly id: number; readonly run: number; readonly call: FsCall }
  /** Standard output where `stream` is not told. */
  | {
      readonly kind: 'output';
      readonly run: number;
      readonly bytes: Uint8Array;
      readonly stream?: 1 | 2;
    }
  | { readonly kind: 'child'; readonly run: number; readonly message: ToChild }
  /** So much of its input was read. */
  | { readonly kind: 'inputUsed'; readonly run: number; readonly bytes: number }
  | { readonly kind: 'lineDone'; readonly run: number; readonly state: LineState }
  | { readonly kind: 'keyboard'; readonly run: number; readonly mode: KeyboardMode }
  | {
      readonly kind: 'done';
      readonly run: number;
      readonly exitCode: number;
      readonly cwd: string;
      /** It has signalled itself. */
      readonly signal?: ProcessSignal;
    };

export type FsCall =
  | {
      readonly op: 'read' | 'exists' | 'stat' | 'lstat' | 'readdir' | 'readlink' | 'realpath';
      readonly path: string;
    }
  | { readonly op: 'write' | 'append'; readonly path: string; readonly content: Uint8Array }
  | { readonly op: 'mkdir'; readonly path: string; readonly recursive: boolean }
  | { readonly op: 'rm'; readonly path: string; readonly recursive: boolean; readonly force: boolean }
  | { readonly op: 'cp'; readonly from: string; readonly to: string; readonly recursive: boolean }
  | { readonly op: 'mv' | 'link'; readonly from: string; readonly to: string }
  | { readonly op: 'symlink'; readonly target: string; readonly path: string }
  | { readonly op: 'chmod'; readonly path: string; readonly mode: number }
  | { readonly op: 'utimes'; readonly path: string; readonly modified: number; readonly accessed: number };

export interface FsStatAnswer {
  readonly type: 'file' | 'directory' | 'symlink' | 'device';
  readonly size: number;
  readonly mode: number;
  /** Milliseconds. */
  readonly modified: number;
  /** The same for each name of a file, and how many names it has. */
  readonly inode: number;
  readonly names: number;
}

export interface FsEntryAnswer {
  readonly name: string;
  readonly type: FsStatAnswer['type'];
}

/** Between the kernel and the search worker. Paths are absolute, in the replica as in the answers. */
export type ToSearch =
  | { readonly kind: 'put'; readonly files: readonly ReplicaFile[] }
  /** Removes each path and everything below it. */
  | { readonly kind: 'remove'; readonly paths: readonly string[] }
  | (SearchAsked & { readonly id: number });

export type SearchAsked =
  | { readonly kind: 'glob'; readonly query: SearchQuery<GlobQuery> }
  | { readonly kind: 'grep'; readonly query: SearchQuery<GrepQuery> };

/** `path` is real and absolute here. */
export type SearchQuery<Query extends GlobQuery | GrepQuery> = Omit<Query, 'signal' | 'path'> & {
  readonly path: string;
};

export type FromSearch =
  /** What was found so far, in full each time: a search that has to be ended keeps the last of these. */
  | { readonly kind: 'partial'; readonly id: number; readonly result: GlobResult | GrepResult }
  | { readonly kind: 'answer'; readonly id: number; readonly result: GlobResult | GrepResult }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string };

export interface ReplicaFile {
  readonly path: string;
  readonly modified: number;
  readonly bytes: Uint8Array;
}

/** One end of a conversation: a worker seen from outside, its own global scope, or a MessagePort. */
export interface Peer<Out, In> {
  post(message: Out, transfer?: Transferable[]): void;
  onMessage(listener: (message: In) => void): void;
}

/** A worker that can be ended for certain. */
export interface WorkerPeer<Out, In> extends Peer<Out, In> {
  /** It could not start, or it died of something uncaught. */
  onFailure(listener: (reason: string) => void): void;
  terminate(): void;
}

export interface StartWorkers {
  /** A node worker of this source text. */
  node?(source: string): WorkerPeer<ToNode, FromNode>;
  shell(): WorkerPeer<ToShell, FromShell>;
  search(): WorkerPeer<ToSearch, FromSearch>;
}
