import type { PackedError } from '../../builtins/test/wire.ts';
import type { PackedPorts } from '../port-types.ts';

/** The first message to a thread, which must arrive before it runs. */
export interface ThreadBegin {
  readonly kind: 'begin';
  readonly threadId: number;
  readonly name: string;
  readonly workerData: unknown;
  readonly environmentData: ReadonlyMap<unknown, unknown>;
  /** The number of the process to which the thread belongs. */
  readonly pid: number;
  readonly ppid: number;
  /** A counter shared by all threads: the number of the newest one. */
  readonly counter: Int32Array;
  readonly limits: Limits;
  readonly isEval: boolean;
  /** The memory of the environment, if the thread shares it. */
  readonly env: SharedArrayBuffer | undefined;
  readonly port: MessagePort;
  /** `port` and the ports in `workerData`. */
  readonly packed: PackedPorts;
}

/** A report of a thread to its starter, apart from the program's own messages. */
export type FromThread =
  { readonly kind: 'online' } | { readonly kind: 'error'; readonly error: PackedError };

export type Limits = Readonly<
  Record<'maxYoungGenerationSizeMb' | 'maxOldGenerationSizeMb' | 'codeRangeSizeMb' | 'stackSizeMb', number>
>;

/** The limits that a thread reports by default. They have no effect, because the browser sets its own. */
export const DEFAULT_LIMITS: Limits = {
  maxYoungGenerationSizeMb: 48,
  maxOldGenerationSizeMb: 2096,
  codeRangeSizeMb: 0,
  stackSizeMb: 4,
};

export const SHARE_ENV = Symbol.for('nodejs.worker_threads.SHARE_ENV');

/** Tells whether a message of a child process is the report of a thread. */
export function isFromThread(data: unknown): data is FromThread {
  if (typeof data !== 'object' || data === null || !('kind' in data)) return false;
  return data.kind === 'online' || (data.kind === 'error' && 'error' in data);
}
