/** A number as this language writes it, with so many digits after the separator; digits stay 0 to 9, as in the app. */
export function numberIn(language: string, value: number, digits = 0): string {
  const least = { minimumFractionDigits: digits };
  return value.toLocaleString(`${language}-u-nu-latn`, least);
}

/** The time as `0:07`, or with tenths of seconds, as `0:07.4`. */
export function clockIn(language: string, ms: number, tenths: boolean): string {
  const rest = Math.floor(ms / 100) % 600;
  const seconds = tenths
    ? numberIn(language, rest / 10, 1).padStart(4, '0')
    : `${Math.floor(rest / 10)}`.padStart(2, '0');
  return `${Math.floor(ms / 60_000)}:${seconds}`;
}
