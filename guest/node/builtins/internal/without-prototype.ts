/** Returns an empty object that inherits nothing, as node makes those whose keys come from outside. */
export const withoutPrototype = <Value>(): Record<string, Value> =>
  Object.create(null) as Record<string, Value>;
