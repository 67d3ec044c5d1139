export type Plain = (this: unknown, ...args: unknown[]) => unknown;

/** Replaces a member of this name and keeps how it was defined. */
export function replace(holder: object, name: string, value: Plain): void {
  const { length } = Reflect.get(holder, name) as Plain;
  Object.defineProperties(value, {
    name: { value: name, configurable: true },
    length: { value: length, configurable: true },
  });
  Object.defineProperty(holder, name, { value });
}
