/** The limits of programs in an embedded workspace. The kernel enforces them, and the documentation lists them. */
export const LIMITS = {
  /** The size of all files together in bytes, counting 256 extra for each. */
  fileBytes: 256 * 1024 * 1024,
  /** The number of files, folders and links. */
  files: 100_000,
  /** How many processes may run at once in one command. */
  processes: 64,
  /** How many bytes one command may print. More would fill the memory of the page itself, not just the frame's. */
  outputBytes: 32 * 1024 * 1024,
  /** How long background jobs may run after a command that may not leave any behind. */
  backgroundMs: 3_000,
  /** How many jobs may run at once in the background. */
  jobs: 16,
  /** How many bytes of a job's newest output are kept at least; up to twice as many are. */
  jobLogBytes: 512 * 1024,
  /** How many requests to hosts outside all workspaces of a page may have open at once. */
  exchanges: 128,
  /** The size of a request's body, and of its answer's, in bytes. */
  exchangeBytes: 64 * 1024 * 1024,
  /** The size of the bodies of all open requests to hosts outside, in bytes. Answers are streamed and do not count. */
  bodiesBytes: 128 * 1024 * 1024,
  /** How long a host may send nothing, before its answer and during it. */
  silentMs: 60_000,
} as const;
