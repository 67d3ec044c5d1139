/** What programs of an embedded workspace may take: held by its kernel, told by its documentation. */
export const LIMITS = {
  /** Of all files together, 256 for each of them included. */
  fileBytes: 256 * 1024 * 1024,
  /** Files, folders and links. */
  files: 100_000,
  /** At once, below one command. */
  processes: 64,
  /** All that one command may print: more would fill the page's memory, which is not the frame's. */
  outputBytes: 32 * 1024 * 1024,
  /** What is left in the background of a command, after it. */
  backgroundMs: 3_000,
  /** Requests to hosts outside at once, of all workspaces of a page. */
  exchanges: 128,
  /** Of one request's body, and of its answer's. */
  exchangeBytes: 64 * 1024 * 1024,
  /** Of the bodies of all requests to hosts outside that are under way: of answers no more is held than is on the way. */
  bodiesBytes: 128 * 1024 * 1024,
  /** How long a host may say nothing, before its answer and within it. */
  silentMs: 60_000,
} as const;
