/** The worker's one process, whenever it is asked for: this module is older than it. */
export const nextTick = (callback: (...args: unknown[]) => void, ...args: unknown[]): void =>
  globalThis.process.nextTick(callback, ...args);

// A pipe does not end these; they are compared with.
export { stdout, stderr };
const stdout = undefined;
const stderr = undefined;
