import type { Json } from '../../base/json.ts';
import { isSecretName, MASK } from '../../base/secrets.ts';

/** Masks every text, and every value with the name of a secret. The shape of the JSON stays the same. */
export function maskedJson(value: Json, mask: (text: string) => string): Json {
  if (typeof value === 'string') return mask(value);
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map((each) => maskedJson(each, mask));
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      typeof each === 'string' && each !== '' && isSecretName(name) ? MASK : maskedJson(each, mask),
    ]),
  );
}

function isList(value: readonly Json[] | object): value is readonly Json[] {
  return Array.isArray(value);
}
