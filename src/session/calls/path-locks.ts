import { PermissionCancelled } from '../../permissions/types.ts';

/** Makes calls that write the same path take turns. All sessions of a workspace share one instance. */
export class PathLocks {
  readonly #tails = new Map<string, Promise<void>>();
  /** Pending while somebody holds all paths. */
  #taken: Promise<void> | null = null;

  /** Whether {@link acquire} would wait for somebody. */
  isHeld(path: string): boolean {
    return this.#taken !== null || this.#tails.has(path);
  }

  /** Rejects if `signal` is aborted while waiting. The returned function may be called more than once. */
  async acquire(path: string, signal: AbortSignal): Promise<() => void> {
    // A call that holds a path already never waits here: all paths are taken only while none is held.
    while (this.#taken) if (!(await settledBefore(this.#taken, signal))) throw new PermissionCancelled();
    const before = this.#tails.get(path) ?? Promise.resolve();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const tail = before.then(() => held);
    this.#tails.set(path, tail);
    void tail.then(() => {
      if (this.#tails.get(path) === tail) this.#tails.delete(path);
    });
    if (!(await settledBefore(before, signal))) {
      release();
      throw new PermissionCancelled();
    }
    return release;
  }

  /** Waits until no path is held, then holds all of them. Rejects if `signal` is aborted while waiting. */
  async acquireAll(signal: AbortSignal): Promise<() => void> {
    for (;;) {
      const held = [...this.#tails.values(), ...(this.#taken ? [this.#taken] : [])];
      if (held.length === 0) break;
      const free = Promise.all(held).then(() => undefined);
      if (!(await settledBefore(free, signal))) throw new PermissionCancelled();
    }
    let release = (): void => undefined;
    const taken = new Promise<void>((resolve) => (release = resolve));
    this.#taken = taken;
    void taken.then(() => {
      if (this.#taken === taken) this.#taken = null;
    });
    return release;
  }
}

/** Whether `promise` resolved before the signal was aborted. */
function settledBefore(promise: Promise<void>, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(false);
    const cancel = () => resolve(false);
    signal.addEventListener('abort', cancel);
    void promise.then(() => {
      signal.removeEventListener('abort', cancel);
      resolve(true);
    });
  });
}
