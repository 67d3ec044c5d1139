/** The functions that node's own modules wait with. */
type OwnTimers = Pick<
  typeof globalThis,
  | 'setTimeout'
  | 'clearTimeout'
  | 'setInterval'
  | 'clearInterval'
  | 'setImmediate'
  | 'clearImmediate'
  | 'queueMicrotask'
>;

let own: OwnTimers = globalThis;

/**
 * Returns the timers as they were when the process began. Programs may replace the global ones, as the fake clocks of tests do,
 * and what node's own modules wait for must not depend on that.
 */
export const ownTimers = (): OwnTimers => own;

/** Keeps the global timers of this moment, which is before any code of the program runs. */
export function keepTimers(): void {
  const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate } = globalThis;
  const { queueMicrotask } = globalThis;
  own = {
    ...{ setTimeout, clearTimeout, setInterval, clearInterval },
    ...{ setImmediate, clearImmediate, queueMicrotask },
  };
}
