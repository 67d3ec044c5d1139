import type { Hash } from '../base/hash.ts';
import type { WriteOptions } from './write-options.ts';
import type { Job } from './jobs.ts';
import type { JournalChange, JournalContents, NodeMeta } from './journal.ts';
import type { ImageFacts } from './images.ts';
import type { KeyboardMode, LineState } from './terminal.ts';
import type {
  Exit,
  FileChange,
  GlobQuery,
  GrepQuery,
  ReadLimits,
  SnapshotEntry,
} from './workspace-values.ts';
import type { NetRequest } from './exchange.ts';
import type { OutsideEntry } from './outside.ts';

/** Messages from the app to the kernel, over the one port between them. */
export type ToKernel =
  /** The first message. The kernel answers with `hello`. */
  | {
      readonly kind: 'start';
      readonly contents: JournalContents;
      readonly scratch: readonly ScratchNode[];
      readonly quotaBytes: number;
      /** The programs that can be fetched when they are first used. */
      readonly images?: readonly ImageFacts[];
      /** The time that files count from, a millisecond for each change, and no program takes any; the real time if absent. */
      readonly madeUpTime?: number;
    }
  /** The worker scripts. Nothing can be run or searched before. */
  | { readonly kind: 'programs'; readonly programs: Programs }
  | { readonly kind: 'ping' }
  | { readonly kind: 'call'; readonly id: number; readonly call: Call }
  /** The caller of this search no longer waits for it. */
  | { readonly kind: 'cancel'; readonly id: number }
  /**
   * A batch was stored, or failed to be; the next may come. `hashes` has the hash of each content that was stored apart from
   * the tree, in the order of the changes, and null for each other change.
   */
  | { readonly kind: 'stored'; readonly hashes: readonly (Hash | null)[]; readonly isBehind: boolean }
  /** The answer to `wantContents`; null for what is missing. */
  | {
      readonly kind: 'contents';
      readonly id: number;
      readonly contents: readonly (Uint8Array<ArrayBuffer> | null)[];
    }
  | { readonly kind: 'spawn'; readonly process: string; readonly command: string; readonly how: SpawnHow }
  | { readonly kind: 'input'; readonly process: string; readonly bytes: Uint8Array }
  | { readonly kind: 'endInput'; readonly process: string }
  /** A line for an interactive shell. */
  | { readonly kind: 'line'; readonly process: string; readonly text: string }
  /** Connects to the server that listens on a port. Both ends then say `ConnectionMessage`s over `channel`. */
  | { readonly kind: 'connect'; readonly port: number; readonly channel: MessagePort }
  | { readonly kind: 'resize'; readonly process: string; readonly columns: number; readonly rows: number }
  /** Ends a process for certain. With a signal, its shell gets the signal, and continues where it handles it. */
  | { readonly kind: 'kill'; readonly process: string; readonly signal?: 'SIGINT' | 'SIGTERM' | 'SIGHUP' }
  /** The answer to `wantNode`: the program's script, or why it could not be loaded. */
  | { readonly kind: 'node'; readonly script?: Blob; readonly failed?: string }
  /** The answer to `wantPart`: the part's source, or why it could not be loaded. */
  | { readonly kind: 'part'; readonly part: Part; readonly source?: string; readonly failed?: string }
  /** The answer to `wantImage`: its files, joined and packed with gzip, or why they could not be loaded. */
  | { readonly kind: 'image'; readonly name: string; readonly packed?: ArrayBuffer; readonly failed?: string }
  | { readonly kind: 'outside'; readonly id: number; readonly entry: OutsideEntry | null };

/** A file or folder in a scratch folder, such as `/tmp`, which the journal does not store. Its path starts at the top. */
export interface ScratchNode {
  readonly node: NodeMeta;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The parts of `node` that are loaded only for programs that use them. guest/node/parts.ts says what each contains. */
export const NODE_PARTS = [
  'brotli',
  'crypto',
  'http',
  'imports',
  'keys',
  'lexer',
  'mock',
  'patterns',
  'perf',
  'readline',
  'typescript',
  'wasi',
  'websocket',
  'zlib',
] as const;
export type NodePart = (typeof NODE_PARTS)[number];

/** The commands of the shell whose code is loaded when they are first run. */
export const SHELL_PARTS = [
  'archives',
  'awk',
  'compare',
  'git',
  'jq',
  'less',
  'math',
  'npm',
  'rare',
  'rg',
  'sed',
  'sums',
] as const;
export type ShellPart = (typeof SHELL_PARTS)[number];
export type Part = NodePart | ShellPart;

/** Classic scripts. A blob is handed over without its bytes, and only the worker that it starts reads them. */
export interface Programs {
  readonly shell: Blob;
  readonly search: Blob;
}

export interface SpawnHow {
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string>>;
  /** All of standard input; without it, input is streamed. */
  readonly stdin?: Uint8Array;
  readonly timeoutMs?: number;
  readonly reads?: ReadLimits;
  /** Without this, what still runs in the background is ended soon after the command. */
  readonly jobs?: { readonly owner: string };
  readonly columns?: number;
  /** The rows of a terminal whose size never changes. */
  readonly rows?: number;
  /** The rows of the terminal of an interactive shell. */
  readonly typedRows?: number;
}

export type Call =
  | { readonly method: 'resolve' | 'stat' | 'readLink' | 'makeDirectory'; readonly path: string }
  | { readonly method: 'makeLink'; readonly path: string; readonly target: string }
  | { readonly method: 'read' | 'list'; readonly path: string; readonly real?: boolean }
  | ({ readonly method: 'write'; readonly path: string; readonly content: Uint8Array } & WriteOptions)
  | {
      readonly method: 'remove';
      readonly path: string;
      readonly recursive: boolean;
      readonly expect?: Hash;
      readonly real?: boolean;
    }
  | { readonly method: 'rename'; readonly from: string; readonly to: string; readonly real?: boolean }
  | { readonly method: 'glob'; readonly query: Omit<GlobQuery, 'signal'> }
  | { readonly method: 'grep'; readonly query: Omit<GrepQuery, 'signal'> }
  /** Sends all waiting changes for the journal, and then answers. */
  | { readonly method: 'flush' }
  /** Like `flush`, but answers with the scratch files, because this kernel is about to be ended. */
  | { readonly method: 'leave' }
  /** Ends a job, or all jobs of a session. */
  | { readonly method: 'stopJob'; readonly job: number }
  | { readonly method: 'stopJobsOf'; readonly owner: string }
  /** Answers with the newest output of a job. */
  | { readonly method: 'jobOutput'; readonly job: number }
  /** Answers with facts about `node`, or null where it cannot run. */
  | { readonly method: 'node' }
  /**
   * Answers with the entries that differ from the snapshot with the id `since`, or with all of them where that is not
   * the newest one. The kernel keeps the contents until the next `snapshot` or `snapshotTaken`.
   */
  | { readonly method: 'snapshot'; readonly since: string | null }
  | { readonly method: 'snapshotTaken' }
  | { readonly method: 'snapshotContents'; readonly hashes: readonly Hash[] }
  /** Restores and answers with an empty list. If contents are missing, changes nothing and answers with their hashes. */
  | {
      readonly method: 'restore';
      readonly entries: readonly SnapshotEntry[];
      readonly contents: ReadonlyMap<Hash, Uint8Array>;
    };

/** Messages from the kernel to the app. The app validates each, because the frame is not trusted. */
export type FromKernel =
  | { readonly kind: 'hello' }
  | { readonly kind: 'pong' }
  | { readonly kind: 'answer'; readonly id: number; readonly value?: unknown }
  | {
      readonly kind: 'failed';
      readonly id: number;
      readonly code: string;
      readonly path: string;
      readonly message: string;
    }
  | { readonly kind: 'batch'; readonly changes: readonly JournalChange[] }
  | { readonly kind: 'changes'; readonly changes: readonly FileChange[] }
  | { readonly kind: 'output'; readonly process: string; readonly bytes: Uint8Array }
  | { readonly kind: 'lineDone'; readonly process: string; readonly state: LineState }
  | { readonly kind: 'keyboard'; readonly process: string; readonly mode: KeyboardMode }
  | { readonly kind: 'exited'; readonly process: string; readonly exit: Exit }
  /** All jobs, the ended ones that are remembered included, after a change of any. */
  | { readonly kind: 'jobs'; readonly jobs: readonly Job[] }
  /** All ports on which processes listen, after one of them was opened or closed. */
  | { readonly kind: 'servers'; readonly ports: readonly number[] }
  | { readonly kind: 'outside'; readonly id: number; readonly path: string }
  /** Asks for contents that the app stores apart from the tree. */
  | { readonly kind: 'wantContents'; readonly id: number; readonly hashes: readonly Hash[] }
  /** A process needs `node`, whose program is fetched only now. */
  | { readonly kind: 'wantNode' }
  /** A node program needs this part of node, or a shell the code of this command. */
  | { readonly kind: 'wantPart'; readonly part: Part }
  /** A process uses a file of this image. */
  | { readonly kind: 'wantImage'; readonly name: string }
  /** A process sends a request to a host outside. The answer goes over `channel`, as FromServer. */
  | { readonly kind: 'reach'; readonly request: NetRequest; readonly channel: MessagePort };
