/**
 * The words of providers and servers for a request that is longer than the model can read; examples stand in the test.
 * None has a status of its own for it.
 */
const WORDS: readonly RegExp[] = [
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

/** Limits of another kind speak of tokens as well: so many a minute, or so many that one answer may have. */
const OTHERWISE = /per (minute|day|hour)|\b(TPM|RPM|TPD)\b|quota|please wait before/i;

/** `status` 0: it has none, as in a stream. */
export function saysTooLong(status: number, said: string): boolean {
  if (status === 413) return true;
  // Some servers of one's own answer with 500.
  if (![0, 400, 422, 500].includes(status)) return false;
  return !OTHERWISE.test(said) && WORDS.some((words) => words.test(said));
}
