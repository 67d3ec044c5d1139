import type { Json, JsonObject } from '../base/json.ts';

/** The metadata that a provider expects back with a part, if it sent any. */
export function metadata(part: { providerMetadata?: unknown }): { providerMetadata?: JsonObject } {
  const value = part.providerMetadata;
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0 || tooDeep(value))
    return {};
  return { providerMetadata: asJson(value) as JsonObject };
}

/** No tool can use JSON nested deeper than this, and every later recursive reader of the log would fail on it. */
const MAX_DEPTH = 100;

export function tooDeep(value: unknown, left = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return left === 0 || Object.values(value).some((item) => tooDeep(item, left - 1));
}

/**
 * Converts a value to JSON: `undefined` is dropped, dates become text and errors their message; cyclic values and values
 * that are nested too deep become `null`.
 */
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
