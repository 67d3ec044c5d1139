/** Returns the text with a full stop at its end, unless it ends like a sentence already. */
export function asSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
