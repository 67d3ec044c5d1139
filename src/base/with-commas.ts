/**
 * Writes a whole number with commas between its thousands, as the texts for models have it. `toLocaleString('en')` writes the
 * same, but loads the browser's tables of languages with its first call, and the first step of a session would wait for that.
 */
export function withCommas(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
