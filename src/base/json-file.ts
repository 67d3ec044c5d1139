import * as z from 'zod/mini';

/**
 * Parses a JSON file and checks its shape. `invalid` makes the error to throw from the reason: longer than `most`
 * characters, not JSON, or a field that does not fit.
 */
export function readJsonFile<T>(
  text: string,
  schema: z.core.$ZodType<T>,
  { most, invalid }: { readonly most: number; readonly invalid: (why: string) => Error },
): T {
  if (text.length > most) throw invalid('it is too large');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid('it is not JSON');
  }
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid([issue?.path.join('.'), issue?.message].filter(Boolean).join(': '));
}
