/** The worker's one process, whenever it is asked for: this module is older than it. */
export const nextTick = (callback: (...args: unknown[]) => void, ...args: unknown[]): void =>
  globalThis.process.nextTick(callback, ...args);
