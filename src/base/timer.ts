import type { Unlisten } from './listeners.ts';

/**
 * Waiting as a port. Browsers stop or slow the page's own timers in hidden tabs, so its timer runs in a worker
 * (`portTimer` with `timer-worker.ts`); tests advance time by hand.
 */
export interface Timer {
  /** Calls `run` once, `ms` milliseconds from now, unless cancelled. */
  after(ms: number, run: () => void): Unlisten;
}

/** For places where timers are never throttled: Node and workers. */
export const timeoutTimer: Timer = {
  after(ms, run) {
    const id = setTimeout(run, ms);
    return () => clearTimeout(id);
  },
};

/** The part of a `Worker` or a `MessagePort` that the timer needs. */
export interface TimerPort {
  postMessage(message: unknown): void;
  onmessage: ((event: MessageEvent) => void) | null;
}

export function portTimer(port: TimerPort): Timer {
  let lastID = 0;
  const waiting = new Map<number, () => void>();
  port.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (typeof data !== 'number') return;
    const run = waiting.get(data);
    waiting.delete(data);
    run?.();
  };
  return {
    after(ms, run) {
      const id = ++lastID;
      waiting.set(id, run);
      port.postMessage({ id, ms });
      return () => void waiting.delete(id);
    },
  };
}

/** Resolves after `ms`, or at once when `signal` is aborted. */
export function pause(timer: Timer, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const cancel = timer.after(ms, done);
    signal.addEventListener('abort', done);
  });
}
