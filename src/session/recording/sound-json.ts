import type { Json } from '../../base/json.ts';
import type { Slices } from '../../base/slices.ts';

/** No session nests deeper than this, and a page can still draw it without running out of stack. */
const MAX_DEPTH = 64;

interface NestedValue {
  readonly value: unknown;
  readonly depth: number;
  readonly path: string;
}

/** Finds problems of a value from outside, before its shape is checked; `undefined` if there are none. */
export async function unsound(source: unknown, slices: Slices): Promise<string | undefined> {
  const waiting: NestedValue[] = [{ value: source, depth: 0, path: '' }];
  for (let place = waiting.pop(); place; place = waiting.pop()) {
    const { value, depth, path } = place;
    if (typeof value === 'number' && !(Math.abs(value) <= Number.MAX_SAFE_INTEGER))
      // Times are added and made into dates, and neither works beyond this.
      return `${path || 'it'} is too large a number`;
    if (typeof value !== 'object' || value === null) continue;
    if (depth === MAX_DEPTH) return `${path.slice(0, 80)} is nested more than ${MAX_DEPTH} deep`;
    if (Object.hasOwn(value, '__proto__')) return `${path || 'it'} has a key named __proto__`;
    const isList = Array.isArray(value);
    for (const [key, item] of Object.entries(value as Record<string, unknown>)) {
      const prefix = path === '' ? key : `${path}.${key}`;
      waiting.push({ value: item, depth: depth + 1, path: isList ? `${path}[${key}]` : prefix });
    }
    await slices.next();
  }
  return undefined;
}

/** Passes every text in the value, including the names of fields, through `change`. */
export function mapTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map((item) => mapTexts(item, change));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [change(key), mapTexts(item, change)]),
  );
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
