import type { Unlisten } from '../base/listeners.ts';
import type { Job } from '../protocol/jobs.ts';

export type { Job, JobEnd, JobEndCause } from '../protocol/jobs.ts';

/** The jobs that commands have left in the background: see `jobs` of `SpawnOptions`. */
export interface Jobs {
  /** Returns the jobs that run and the newest that ended, oldest first. */
  list(): readonly Job[];
  /** Called when one began or ended, and from time to time while they print. */
  onChange(listener: () => void): Unlisten;
  /** Asks a job to end, and soon ends it for certain. Nothing happens if it is over. */
  stop(id: number): Promise<void>;
  /** Stops all jobs of an owner. */
  stopAllOf(owner: string): Promise<void>;
  /** The newest output of a job, some 500 kB at most. Empty if it is not known any more. */
  output(id: number): Promise<string>;
}
