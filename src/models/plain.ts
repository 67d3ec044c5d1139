import type { Json, JsonObject } from '../base/json.ts';

/** What a provider wants back with a part; none where it says nothing. */
export function metadata(part: { providerMetadata?: unknown }): { providerMetadata?: JsonObject } {
  const value = part.providerMetadata;
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0 || tooDeep(value))
    return {};
  return { providerMetadata: asJson(value) as JsonObject };
}

/** JSON nested deeper than this is of no use to any tool, and readers that recurse would break on it, for good. */
const MAX_DEPTH = 100;

export function tooDeep(value: unknown, left = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return left === 0 || Object.values(value).some((item) => tooDeep(item, left - 1));
}

/** The value as JSON holds it: `undefined` gone, dates as text, errors as their message, cycles as `null`, and so is what is nested too deep. */
export function asJson(value: unknown): Json {
  if (tooDeep(value)) return null;
  try {
    const text: string | undefined = JSON.stringify(value, (_key, item: unknown) =>
      item instanceof Error ? item.message : typeof item === 'bigint' ? String(item) : item,
    );
    return text === undefined ? null : (JSON.parse(text) as Json);
  } catch {
    return null;
  }
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Without the fields that are `undefined`. */
export function defined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Defined<T>;
}
