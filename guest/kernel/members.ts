import { LIMITS } from '../../src/workspace/embedded/limits.ts';
import type { ChildStart, FromChild, ProcessSignal } from '../protocol.ts';
import type { OpenFiles } from './open-files.ts';
import type { OutputWindow } from './output-window.ts';
import type { Runner } from './runner.ts';

/** So many processes may run at once for one of the app, itself included. */
export const MAX_MEMBERS = LIMITS.processes;

/** What a process is given: input, its end, a line that it is to run, a new size of its terminal, or a message. */
export type Early =
  | Uint8Array
  | 'end'
  | 'disconnected'
  | { readonly line: string }
  | { readonly columns: number; readonly rows: number }
  | { readonly message: unknown; readonly transfer: readonly Transferable[] };

/** Who started a process and hears of it: another one, or a call that waits for its end. */
export interface Owner {
  tell(message: WithoutId<FromChild>): void;
}

export type WithoutId<Message> = Message extends unknown ? Omit<Message, 'id'> : never;

/** One process below a process of the app. */
export interface Member {
  readonly pid: number;
  readonly ppid: number;
  readonly start: Omit<ChildStart, 'id'>;
  readonly owner: Owner;
  readonly window: OutputWindow;
  /** Input that came before its worker was there; the worker takes it over. */
  readonly early: Early[];
  /** By its own numbers. */
  readonly children: Map<number, Member>;
  /** Of a node process. */
  readonly files?: OpenFiles;
  /** Input that a shell has and has not read, bytes. */
  unread: number;
  runner?: Runner;
  /** The one that it waits for. */
  awaited?: Member;
  /** It has its terminal's keys as they are pressed. */
  raw?: boolean;
  /** What it was told last. */
  signalled?: ProcessSignal;
  over?: true;
}
