import { ShellError } from './errors.ts';

export const USUAL_TIMES = '\nreal\t%3lR\nuser\t%3lU\nsys\t%3lS';
export const POSIX_TIMES = 'real %2R\nuser %2U\nsys %2S';

/**
 * Formats the time of a pipeline, `ms` in milliseconds, by `TIMEFORMAT`. Only elapsed time is known here, and
 * it also serves as user time.
 */
export function timesText(format: string, ms: number): string {
  const values: Readonly<Record<string, number>> = { R: ms, U: ms, S: 0 };
  return format.replace(/%(?:%|P|([0-9]?)(l?)([^])|$)/g, (whole, digits = '', long = '', letter = '') => {
    if (whole === '%%' || whole === '%') return '%';
    if (whole === '%P') return (100).toFixed(2);
    const value = values[String(letter)];
    if (value === undefined)
      throw new ShellError(`TIMEFORMAT: \`${String(letter)}': invalid format character`);
    return duration(value, Math.min(digits === '' ? 3 : Number(digits), 3), long === 'l');
  });
}

function duration(ms: number, places: number, isLong: boolean): string {
  const scale = 10 ** places;
  const cut = (seconds: number) => (Math.floor(seconds * scale) / scale).toFixed(places);
  return isLong ? `${Math.floor(ms / 60_000)}m${cut((ms % 60_000) / 1000)}s` : cut(ms / 1000);
}
