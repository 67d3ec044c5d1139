/** Guards that narrow a value which a program gave, in place of a cast. */

export function isFunction(value: unknown): value is (...args: unknown[]) => unknown {
  return typeof value === 'function';
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

const NO_MEMBERS = Object.freeze({});

/** Returns a value whose members can be read. It has none if the value is no object. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : NO_MEMBERS;
}
