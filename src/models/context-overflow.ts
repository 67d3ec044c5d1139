/**
 * How providers and servers word the refusal of a request that exceeds the context window. The test has examples.
 * None of them uses a distinct status for it.
 */
const TOO_LONG: readonly RegExp[] = [
  /context[_ ]?(length|window|size)/i,
  /exceed_context_size|model_context_window_exceeded|request_too_large/i,
  /maximum (context|model|prompt) length/i,
  /(prompt|input|request)( is)? too (long|large)/i,
  /too many (input )?tokens/i,
  /input token count.*exceeds/i,
  /exceeds? the (limit|maximum|model).*tokens/i,
  /exceeded model token limit/i,
  /exceed context limit/i,
  /too large for model with/i,
  /reduce the length of (the|your) (messages|prompt|input)/i,
  /tokens` must be <=/i,
];

/** Rate limits and quotas mention tokens as well. */
const OTHER_LIMITS = /per (minute|day|hour)|\b(TPM|RPM|TPD)\b|quota|please wait before/i;

/** `status` is 0 for an error inside a stream, which has none. */
export function isContextOverflow(status: number, text: string): boolean {
  if (status === 413) return true;
  // Some self-hosted servers answer with 500.
  if (![0, 400, 422, 500].includes(status)) return false;
  return !OTHER_LIMITS.test(text) && TOO_LONG.some((words) => words.test(text));
}
