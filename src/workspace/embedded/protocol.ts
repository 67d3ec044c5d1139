import type { Hash } from '../../base/hash.ts';
import type { JournalChange, JournalContents } from '../journal.ts';
import type { KeyboardMode, LineState } from '../typed-shell.ts';
import type { Exit, FileChange, GlobQuery, GrepQuery, ReadLimits, SnapshotEntry } from '../workspace.ts';
import type { NetRequest } from './exchange.ts';
import type { OutsideEntry } from './outside.ts';

/** From the app to the kernel, over the one port between them. */
export type ToKernel =
  /** First of all; the kernel answers with `hello`. */
  | { readonly kind: 'start'; readonly contents: JournalContents; readonly quotaBytes: number }
  /** Sources of the worker scripts; nothing can be run or searched before. */
  | { readonly kind: 'programs'; readonly programs: Programs }
  | { readonly kind: 'ping' }
  | { readonly kind: 'call'; readonly id: number; readonly call: Call }
  /** The caller of this search waits no longer. */
  | { readonly kind: 'cancel'; readonly id: number }
  /** The last batch was dealt with; the next may come. */
  | { readonly kind: 'stored' }
  | { readonly kind: 'spawn'; readonly process: string; readonly command: string; readonly how: SpawnHow }
  | { readonly kind: 'input'; readonly process: string; readonly bytes: Uint8Array }
  | { readonly kind: 'endInput'; readonly process: string }
  /** To a shell that lines are typed into. */
  | { readonly kind: 'line'; readonly process: string; readonly text: string }
  | { readonly kind: 'resize'; readonly process: string; readonly columns: number; readonly rows: number }
  /** Ends it for certain; with a signal its shell is only told, and goes on where it handles it. */
  | { readonly kind: 'kill'; readonly process: string; readonly signal?: 'SIGINT' | 'SIGTERM' | 'SIGHUP' }
  /** The answer to `wantNode`: the program's source, or why it could not be had. */
  | { readonly kind: 'node'; readonly source?: string; readonly failed?: string }
  /** The answer to `wantPart`, alike. */
  | { readonly kind: 'part'; readonly part: NodePart; readonly source?: string; readonly failed?: string }
  | { readonly kind: 'outside'; readonly id: number; readonly entry: OutsideEntry | null };

/** What `node` loads only for programs that use it. `keys`: ciphers, keys and signatures. */
export const NODE_PARTS = ['keys', 'brotli', 'typescript', 'websocket'] as const;
export type NodePart = (typeof NODE_PARTS)[number];

/** JavaScript source text of one classic script each. */
export interface Programs {
  readonly shell: string;
  readonly search: string;
}

export interface SpawnHow {
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string>>;
  /** All of standard input; without it input is streamed. */
  readonly stdin?: Uint8Array;
  readonly timeoutMs?: number;
  readonly reads?: ReadLimits;
  readonly columns?: number;
  /** Of a terminal that lines are typed into. */
  readonly typedRows?: number;
}

export type Call =
  | { readonly method: 'resolve' | 'stat' | 'makeDirectory'; readonly path: string }
  | { readonly method: 'read' | 'list'; readonly path: string; readonly real?: boolean }
  | {
      readonly method: 'write';
      readonly path: string;
      readonly content: Uint8Array;
      readonly expect?: Hash | null;
      readonly real?: boolean;
    }
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
  /** Sends what has gathered for the journal; the answer comes after it. */
  | { readonly method: 'flush' }
  | { readonly method: 'commands' }
  /** What `node` is here, and null where it cannot run. */
  | { readonly method: 'node' }
  /** The kernel keeps the contents until the next `snapshot` or `snapshotTaken`. */
  | { readonly method: 'snapshot' | 'snapshotTaken' }
  | { readonly method: 'snapshotContents'; readonly hashes: readonly Hash[] }
  /** Changes nothing and answers with the hashes of contents it needs, or restores and answers with none. */
  | {
      readonly method: 'restore';
      readonly entries: readonly SnapshotEntry[];
      readonly contents: ReadonlyMap<Hash, Uint8Array>;
    };

/** From the kernel to the app. The app parses each: the frame is not trusted. */
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
  | { readonly kind: 'outside'; readonly id: number; readonly path: string }
  /** A process asked for `node`, whose program is fetched only then. */
  | { readonly kind: 'wantNode' }
  /** A program of node uses this part of it. */
  | { readonly kind: 'wantPart'; readonly part: NodePart }
  /** A process asks somebody outside; the answer comes over `channel`, as FromServer. */
  | { readonly kind: 'reach'; readonly request: NetRequest; readonly channel: MessagePort };
