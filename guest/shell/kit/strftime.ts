import { offsetText, zoneOf } from './zone.ts';

export interface Moment {
  /** Whole seconds since 1970. */
  readonly seconds: number;
  readonly nanoseconds: number;
}

export function now(): Moment {
  const ms = Date.now();
  return {
    seconds: Math.floor(ms / 1000),
    nanoseconds: (ms % 1000) * 1e6 + Math.floor((performance.now() % 1) * 1e6),
  };
}

export function momentOfDate(date: Date): Moment {
  const ms = date.getTime();
  return {
    seconds: Math.floor(ms / 1000),
    nanoseconds: Math.round((ms - Math.floor(ms / 1000) * 1000) * 1e6),
  };
}

export const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
export const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

const DAY_MS = 86_400_000;

/** Formats a moment with a format of C or GNU date, in a zone named as in TZ. */
export function strftime(format: string, moment: Moment, zoneName: string): string {
  const zone = zoneOf(zoneName);
  const offset = zone.offset(moment.seconds);
  const local = new Date((moment.seconds + offset) * 1000);
  const again = (inner: string) => strftime(inner, moment, zoneName);
  return format.replace(
    /%([-_0^#+]*)(\d*)(:{0,3})([EO]?)([a-zA-Z%])/g,
    (all, flags: string, width: string, colons: string, _modifier: string, letter: string) => {
      const found = conversion(
        letter,
        local,
        moment,
        colons.length,
        again,
        () => zone.abbreviation(moment.seconds),
        offset,
      );
      if (found === undefined) return all;
      return adjusted(found, flags, width, letter);
    },
  );
}

interface Found {
  readonly text: string;
  /** Numbers are padded to this width with `fill`. */
  readonly width?: number;
  readonly fill?: '0' | ' ';
}

function number(value: number, width = 2, fill: '0' | ' ' = '0'): Found {
  return { text: String(value), width, fill };
}

function adjusted({ text, width = 0, fill }: Found, flags: string, given: string, letter: string): string {
  let padding: string = fill ?? ' ';
  let upper = false;
  let swap = false;
  for (const flag of flags) {
    if (flag === '-') padding = '';
    else if (flag === '_') padding = ' ';
    else if (flag === '0' || flag === '+') padding = '0';
    else if (flag === '^') upper = true;
    else swap = true;
  }
  if (letter === 'N') {
    const digits = text.slice(0, given === '' ? 9 : Number(given));
    return flags.includes('-') ? digits.replace(/0+$/, '') || '0' : digits;
  }
  if (upper) text = text.toUpperCase();
  if (swap) text = letter === 'p' || letter === 'Z' ? text.toLowerCase() : text.toUpperCase();
  const wanted = given === '' ? (fill ? width : 0) : Number(given);
  if (padding === '') return text;
  const negative = fill && text.startsWith('-');
  return negative ? `-${text.slice(1).padStart(wanted - 1, padding)}` : text.padStart(wanted, padding);
}

const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ['%', '%'],
  ['n', '\n'],
  ['t', '\t'],
]);

/** The conversions that stand for others. */
const COMPOSED: ReadonlyMap<string, string> = new Map([
  ['c', '%a %b %e %H:%M:%S %Y'],
  ['D', '%m/%d/%y'],
  ['F', '%Y-%m-%d'],
  ['r', '%I:%M:%S %p'],
  ['R', '%H:%M'],
  ['T', '%H:%M:%S'],
  ['x', '%m/%d/%y'],
  ['X', '%H:%M:%S'],
]);

function conversion(
  letter: string,
  at: Date,
  moment: Moment,
  colons: number,
  again: (format: string) => string,
  abbreviation: () => string,
  offset: number,
): Found | undefined {
  const character = CHARACTERS.get(letter);
  if (character !== undefined) return { text: character };
  const composed = COMPOSED.get(letter);
  if (composed !== undefined) return { text: again(composed) };
  const [year, month, day, weekday] = [
    at.getUTCFullYear(),
    at.getUTCMonth(),
    at.getUTCDate(),
    at.getUTCDay(),
  ];
  const [hour, minute, second] = [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()];
  const yearDay = Math.floor((Date.UTC(year, month, day) - Date.UTC(year, 0, 1)) / DAY_MS);
  switch (letter) {
    case 'a':
      return { text: DAYS[weekday]?.slice(0, 3) ?? '' };
    case 'A':
      return { text: DAYS[weekday] ?? '' };
    case 'b':
    case 'h':
      return { text: MONTHS[month]?.slice(0, 3) ?? '' };
    case 'B':
      return { text: MONTHS[month] ?? '' };
    case 'C':
      return number(Math.floor(year / 100));
    case 'd':
      return number(day);
    case 'e':
      return number(day, 2, ' ');
    case 'g':
      return number(isoWeek(at).year % 100);
    case 'G':
      return number(isoWeek(at).year, 4);
    case 'H':
      return number(hour);
    case 'I':
      return number(hour % 12 || 12);
    case 'j':
      return number(yearDay + 1, 3);
    case 'k':
      return number(hour, 2, ' ');
    case 'l':
      return number(hour % 12 || 12, 2, ' ');
    case 'm':
      return number(month + 1);
    case 'M':
      return number(minute);
    case 'N':
      return { text: String(moment.nanoseconds).padStart(9, '0') };
    case 'p':
      return { text: hour < 12 ? 'AM' : 'PM' };
    case 'P':
      return { text: hour < 12 ? 'am' : 'pm' };
    case 'q':
      return number(Math.floor(month / 3) + 1, 1);
    case 's':
      return number(moment.seconds, 1);
    case 'S':
      return number(second);
    case 'u':
      return number(weekday || 7, 1);
    case 'U':
      return number(Math.floor((yearDay + 7 - weekday) / 7));
    case 'V':
      return number(isoWeek(at).week);
    case 'w':
      return number(weekday, 1);
    case 'W':
      return number(Math.floor((yearDay + 7 - ((weekday + 6) % 7)) / 7));
    case 'y':
      return number(((year % 100) + 100) % 100);
    case 'Y':
      return number(year, 4);
    case 'z':
      return { text: offsetText(offset, colons) };
    case 'Z':
      return { text: abbreviation() };
    default:
      return undefined;
  }
}

/** Week 1 is the week that contains the first Thursday of the year. */
function isoWeek(at: Date): { readonly year: number; readonly week: number } {
  const thursday = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()));
  thursday.setUTCDate(thursday.getUTCDate() + 3 - ((thursday.getUTCDay() + 6) % 7));
  const year = thursday.getUTCFullYear();
  return { year, week: 1 + Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / DAY_MS / 7) };
}
