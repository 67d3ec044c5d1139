import { pageLanguage } from './languages.ts';
import { locale } from './numbers.ts';

/** An English page keeps to the customs of the browser, which may be those of another country than the United States. */
const dates = pageLanguage() === 'en' ? undefined : locale;

/** The time of day of a moment in milliseconds since 1970. */
export function formatTime(at: number): string {
  return new Date(at).toLocaleTimeString(dates);
}

/** The date of a moment in milliseconds since 1970. */
export function formatDate(at: number): string {
  return new Date(at).toLocaleDateString(dates);
}
