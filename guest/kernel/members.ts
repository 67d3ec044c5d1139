import { LIMITS } from '../../src/protocol/limits.ts';
import type { ChildStart, FromChild, ProcessSignal } from '../shared/protocol.ts';
import type { OpenFiles } from './open-files.ts';
import type { OutputWindow } from './output-window.ts';
import type { Runner } from './runner.ts';

/** How many processes may run at once in one process of the app, its shell included. */
export const MAX_MEMBERS = LIMITS.processes;

/** Anything sent to a process: input, the end of input, a line to run, a new terminal size, or a message. */
export type ProcessInput =
  | Uint8Array
  | 'end'
  | 'disconnected'
  | { readonly line: string }
  | { readonly columns: number; readonly rows: number }
  | { readonly message: unknown; readonly transfer: readonly Transferable[] };

/** Receives the news about a process: for its parent, or for a call that waits for its end. */
export interface Owner {
  tell(message: WithoutId<FromChild>): void;
}

export type WithoutId<Message> = Message extends unknown ? Omit<Message, 'id'> : never;

/** One of the processes that belong to a process of the app. */
export interface Member {
  readonly pid: number;
  readonly ppid: number;
  /** Milliseconds since 1970. */
  readonly started: number;
  readonly start: Omit<ChildStart, 'id'>;
  readonly owner: Owner;
  readonly window: OutputWindow;
  /** Input that came before the worker was ready. The worker gets it first. */
  readonly pendingInput: ProcessInput[];
  /** Its children, keyed by its own numbers for them. */
  readonly children: Map<number, Member>;
  /** The open files of a node process. Shells have none. */
  readonly files?: OpenFiles;
  /** How many bytes of input a shell has been sent and has not read. */
  unread: number;
  runner?: Runner;
  /** The child that it waits for (as in `spawnSync`). */
  awaited?: Member;
  /** Whether it gets its terminal's keys one by one, as they are pressed. */
  raw?: boolean;
  /** The last signal that it received and handles itself. */
  lastSignal?: ProcessSignal;
  isOver?: true;
}
