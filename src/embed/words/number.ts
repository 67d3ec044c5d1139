/** A number as this language writes it, with at least so many digits after the separator; digits stay 0 to 9, as in the app. */
export function numberIn(language: string, value: number, digits = 0): string {
  return value.toLocaleString(`${language}-u-nu-latn`, { minimumFractionDigits: digits });
}
