import { pageLanguage } from './languages.ts';

const language = pageLanguage();

/**
 * Digits stay 0 to 9 in every language, also in Arabic: figures stand beside code, paths and sizes, which have them.
 * English is that of the United States, as in the rest of the page.
 */
export const locale = language === 'en' ? 'en-US' : `${language}-u-nu-latn`;

/** A number with the separators of the page's language: `12,500`. */
export function formatNumber(value: number): string {
  return value.toLocaleString(locale);
}

/** A number with exactly so many digits after the decimal separator, and nothing between thousands: `1.5`. */
export function formatFraction(value: number, digits: number): string {
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false };
  return value.toLocaleString(locale, options);
}

/** A number rounded to so many digits from the first one that is not zero: `0.0031`. */
export function formatDigits(value: number, digits: number): string {
  return value.toLocaleString(locale, { maximumSignificantDigits: digits });
}
