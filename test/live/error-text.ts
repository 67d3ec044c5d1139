/** Returns the text of an error, or of its cause, because the errors of `fetch` say only there what happened. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
  return code ?? (cause instanceof Error ? cause.message : error.message);
}
