import { BrokenPipe } from '../program.ts';
import { ShellError, ShellExit } from './errors.ts';
import type { Shell } from './shell.ts';
import { Killed, type Task } from './task.ts';
import { runExitTrap, runPending, statusOfSignal } from './traps.ts';

/**
 * Runs everything that a shell or subshell does, including its EXIT trap, and closes its streams. Answers its
 * status.
 */
export function* runToEnd(shell: Shell, body: Task<number>): Task<number> {
  let status: number;
  try {
    try {
      shell.process.check();
      status = yield* body;
      if (shell.process.pending.length > 0) {
        shell.status = status;
        yield* runPending(shell);
      }
    } catch (error) {
      status = yield* statusOf(shell, error);
    }
    if (shell.traps.has('EXIT')) {
      try {
        status = yield* runExitTrap(shell, status);
      } catch (error) {
        status = yield* statusOf(shell, error);
      }
    }
  } finally {
    shell.fds.closeAll();
    shell.process.end();
  }
  return status & 255;
}

/** Prints the error unless it has been printed, and answers the exit status that it causes. */
export function* statusOf(shell: Shell, error: unknown): Task<number> {
  if (error instanceof ShellExit) return error.status;
  if (error instanceof BrokenPipe) return 141;
  if (error instanceof Killed) {
    if (error.signal === 'KILL' && shell.world.isOver) throw error;
    shell.process.endedBy = error.signal;
    return statusOfSignal(error.signal);
  }
  const tooDeep = error instanceof RangeError && /stack/.test(error.message);
  const message = tooDeep
    ? 'maximum nesting level exceeded'
    : error instanceof Error
      ? error.message
      : String(error);
  try {
    if (!(error instanceof ShellError) || !error.isTold) yield* shell.complain(message);
  } catch (again) {
    if (!(again instanceof BrokenPipe)) throw again;
  }
  return error instanceof ShellError ? error.status : 1;
}
