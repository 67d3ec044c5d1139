import type * as z from 'zod';

/**
 * What a JSON file of this shape holds. `invalid` makes the error of why it is none: too long (`most`, characters), not
 * JSON, or the field that does not fit.
 */
export function readJsonFile<T>(
  text: string,
  schema: z.ZodType<T>,
  { most, invalid }: { readonly most: number; readonly invalid: (why: string) => Error },
): T {
  if (text.length > most) throw invalid('it is too large');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid('it is not JSON');
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid([issue?.path.join('.'), issue?.message].filter(Boolean).join(': '));
}
