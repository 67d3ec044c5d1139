/** Whether a value can have properties of its own. */
export function isObjectLike(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

/** Reads a property of any value. Only objects and functions have some. */
export function propertyOf(value: unknown, key: string): unknown {
  return isObjectLike(value) ? Reflect.get(value, key) : undefined;
}
