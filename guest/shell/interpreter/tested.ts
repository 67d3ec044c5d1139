import type { Shell } from './shell.ts';
import type { Task } from './task.ts';

/** Runs work whose failure does not count for `set -e` and ERR. */
export function* runTested(shell: Shell, work: Task<number>): Task<number> {
  shell.unchecked++;
  try {
    return yield* work;
  } finally {
    shell.unchecked--;
  }
}
