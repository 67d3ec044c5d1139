/** The timers of the runner, which stay as they were if a program replaces the global ones. */
export interface Clock {
  readonly setTimeout: typeof setTimeout;
  readonly clearTimeout: typeof clearTimeout;
  readonly now: () => number;
}
