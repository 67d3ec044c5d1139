/**
 * Work of the shell that may have to wait: a generator that yields a promise only for a value that is not
 * available yet, so that work without waits costs no turn of the event loop.
 */
export type Task<T> = Generator<Promise<unknown>, T, unknown>;

export function* wait<T>(value: T | Promise<T>): Task<T> {
  return value instanceof Promise ? ((yield value) as T) : value;
}

/** Thrown to end a process of the shell. The message is the name of the signal. */
export class Killed extends Error {
  override readonly name = 'Killed';
  readonly signal: string;

  constructor(signal: string) {
    super(signal);
    this.signal = signal;
  }
}

/** Thrown into `wait` when a signal with a trap arrives. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/**
 * Runs a task to its end, synchronously where it never waits. `interruptible` may cut a wait short by
 * rejecting.
 */
export function drive<T>(
  task: Task<T>,
  interruptible: (promise: Promise<unknown>) => Promise<unknown>,
): T | Promise<T> {
  const step = task.next();
  return step.done ? step.value : driveOn(task, step.value, interruptible);
}

async function driveOn<T>(
  task: Task<T>,
  first: Promise<unknown>,
  interruptible: (promise: Promise<unknown>) => Promise<unknown>,
): Promise<T> {
  let waited = first;
  for (;;) {
    let step: IteratorResult<Promise<unknown>, T>;
    try {
      const value = await interruptible(waited);
      step = task.next(value);
    } catch (error) {
      // An error of the task itself passes through here once more, as the task has ended by then.
      step = task.throw(error);
    }
    if (step.done) return step.value;
    waited = step.value;
  }
}
