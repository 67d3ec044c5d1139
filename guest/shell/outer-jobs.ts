import type { ProcessSignal } from '../shared/protocol.ts';

/** A job that an earlier run has left behind in the background. */
export interface OuterJob {
  readonly pid: number;
  /** Its number for `%1`. */
  readonly number: number;
  readonly command: string;
  /** Absent while it runs. */
  readonly status?: number;
  /** Its processes that still run. */
  readonly processes: readonly {
    readonly pid: number;
    readonly ppid: number;
    readonly command: string;
    /** Milliseconds since 1970. */
    readonly started: number;
  }[];
}

/** The jobs of a workspace that outlive the command which started them. */
export interface OuterJobs {
  /** The jobs that run, and those that ended. With `tell`, an end is listed only once. */
  list(tell?: boolean): Promise<readonly OuterJob[]>;
  /** Sends a signal to a job, or to one of its processes. False where there is none of this number. */
  signal(pid: number, signal: ProcessSignal): Promise<boolean>;
}
