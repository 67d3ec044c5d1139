import { clock } from '../../loop/browser-clock.ts';
import { nodeError } from '../internal/errors.ts';
import { VM_NAMES } from '../../loader/vm-code.ts';

/** The time by which the running script must end, on the clock of the browser. */
let deadline = Infinity;
const TIMED_OUT = Symbol('a script took too long');

/** Loops and functions of scripts with a timeout call this. */
function tick(): void {
  if (clock.now() > deadline) throw TIMED_OUT;
}

/** Runs a script whose code calls {@link tick}. Throws node's error if it takes longer than `timeout` milliseconds. */
export function inTime(timeout: number, run: () => unknown): unknown {
  const before = deadline;
  deadline = Math.min(before, clock.now() + timeout);
  Object.defineProperty(globalThis, VM_NAMES.tick, { value: tick, configurable: true });
  const isOver = () => before > deadline && clock.now() > deadline;
  const timedOut = () =>
    nodeError('ERR_SCRIPT_EXECUTION_TIMEOUT', `Script execution timed out after ${timeout}ms`);
  try {
    const value = run();
    if (isOver()) throw timedOut();
    return value;
  } catch (error) {
    throw error === TIMED_OUT && isOver() ? timedOut() : error;
  } finally {
    deadline = before;
  }
}
