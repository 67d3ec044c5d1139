import type { Json } from '../../base/json.ts';
import { isSecretName, MASK } from '../../base/secrets.ts';

/** The value with every text masked, and what has a secret's name; still JSON of the same shape. */
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
