import * as z from 'zod';

const errorSchema = z.object({
  error: z.union([
    z.string().transform((message) => ({ message, code: undefined })),
    z.object({ message: z.string(), code: z.coerce.number().optional().catch(undefined) }),
  ]),
});

/** The message and, if present, the numeric code of an error that a server sent as JSON. */
export function errorIn(body: string): { readonly message?: string; readonly code?: number } {
  const parsed = errorSchema.safeParse(parseJson(body));
  if (!parsed.success) return {};
  const { message, code } = parsed.data.error;
  return { message, ...(code !== undefined && !Number.isNaN(code) && { code }) };
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
