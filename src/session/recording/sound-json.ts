import type { Json } from '../../base/json.ts';

/** Deeper than anything a session writes; a page that draws it would run out of stack long after. */
const MAX_DEPTH = 64;

/** What is wrong with a value from outside before anybody looks at its shape; `undefined` where nothing is. */
export function unsound(value: unknown, depth = 0, path = ''): string | undefined {
  if (typeof value === 'number') {
    // Times are added to each other and made into dates: beyond this neither works.
    return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? undefined : `${path || 'it'} is too large a number`;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === MAX_DEPTH) return `${path.slice(0, 80)} is nested more than ${MAX_DEPTH} deep`;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const problem = unsound(value[index], depth + 1, `${path}[${index}]`);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }
  for (const [key, item] of Object.entries(value)) {
    if (key === '__proto__') return `${path || 'it'} has a key named __proto__`;
    const problem = unsound(item, depth + 1, path === '' ? key : `${path}.${key}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** The value with every text in it, names of fields included, passed through `change`. */
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
