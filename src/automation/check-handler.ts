/** Throws an error that names the call if a script passes something else than a function, or `null` to take it back. */
export function checkHandler(call: string, handler: unknown): void {
  if (handler !== null && typeof handler !== 'function')
    throw new Error(`${call} takes a function, or null.`);
}
