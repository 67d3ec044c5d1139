/** A command that goes on in the background after the call that started it. */
export interface Job {
  /** The number of its process, as in `kill 4711`. */
  readonly id: number;
  /** Its number among the jobs, as in `kill %1`. */
  readonly number: number;
  /** The id of the session that started it. */
  readonly owner: string;
  readonly command: string;
  /** Milliseconds since the epoch. */
  readonly started: number;
  /** The absolute path of the file with what it printed to the call's own output, newest part only. */
  readonly log: string;
  /** The absolute path of the file that its output is redirected to. */
  readonly writesTo?: string;
  /** The ports on which it listens, ascending. */
  readonly ports: readonly number[];
  /** The end of its output, at most {@link TAIL_CHARACTERS} long. */
  readonly tail: string;
  /** Absent while it runs. */
  readonly end?: JobEnd;
}

export interface JobEnd {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** As a shell reports it: 143 after SIGTERM. */
  readonly exitCode: number;
  readonly by: JobEndCause;
}

/**
 * `itself`: it ended, whatever its code. `command`: a command signalled it. `person`: the person stopped it. `limit`:
 * too many jobs ran. `lost`: what it ran in is gone. `copied`: the session is a copy of the one that the job belongs to;
 * only logs have this.
 */
export const JOB_END_CAUSES = ['itself', 'command', 'person', 'limit', 'lost', 'copied'] as const;
export type JobEndCause = (typeof JOB_END_CAUSES)[number];

export const TAIL_CHARACTERS = 2_000;
