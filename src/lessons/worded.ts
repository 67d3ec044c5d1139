/** Gives each text in a value in other words. */
export function worded<Value>(value: Value, text: (text: string) => string): Value;
export function worded(value: unknown, text: (text: string) => string): unknown {
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return value.map((each: unknown) => worded(each, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, worded(each, text)]));
}
