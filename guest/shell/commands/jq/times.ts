import { parseDate } from '../../kit/date-text.ts';
import { JqError, type Json } from './json.ts';
import { listOf, numberOf, stringOf } from './typed.ts';

export function brokenDown(seconds: number): Json[] {
  const at = new Date(seconds * 1000);
  const start = Date.UTC(at.getUTCFullYear(), 0, 1);
  return [
    at.getUTCFullYear(),
    at.getUTCMonth(),
    at.getUTCDate(),
    at.getUTCHours(),
    at.getUTCMinutes(),
    at.getUTCSeconds() + (seconds - Math.floor(seconds)),
    at.getUTCDay(),
    Math.floor((at.getTime() - start) / 86_400_000),
  ];
}

export function secondsOf(value: Json): number {
  if (typeof value === 'number') return value;
  const [year = 1970, month = 0, day = 1, hour = 0, minute = 0, second = 0] = listOf(
    value,
    'mktime requires array of 6 numbers',
  ).map((part) => numberOf(part));
  return Math.floor(Date.UTC(year, month, day, hour, minute, Math.floor(second)) / 1000);
}

export function parsedTime(text: Json, format: string): Json {
  const written = stringOf(text, 'strptime/1 requires string inputs and arguments');
  const moment = parseDate(written.replace(/Z$/, ' UTC'), { seconds: 0, nanoseconds: 0 }, 'UTC');
  if (!moment) throw new JqError(`date "${written}" does not match format "${format}"`);
  return brokenDown(moment.seconds);
}
