/** Members of an event, whose types are not known: each function gives an empty value where another one stands. */
export const text = (value: unknown): string => (typeof value === 'string' ? value : '');
export const number = (value: unknown): number => (typeof value === 'number' ? value : 0);
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
