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
  const time = localTimeOf(moment, offset);
  const field = (letter: string, colons: number): FormattedField | undefined => {
    const character = CHARACTERS.get(letter);
    if (character !== undefined) return { text: character };
    const composed = COMPOSED.get(letter);
    if (composed !== undefined) return { text: strftime(composed, moment, zoneName) };
    if (letter === 'z') return { text: offsetText(offset, colons) };
    if (letter === 'Z') return { text: zone.abbreviation(moment.seconds) };
    return FIELDS[letter]?.(time);
  };
  return format.replace(
    /%([-_0^#+]*)(\d*)(:{0,3})([EO]?)([a-zA-Z%])/g,
    (all, flags: string, width: string, colons: string, _modifier: string, letter: string) => {
      const found = field(letter, colons.length);
      return found === undefined ? all : adjusted(found, flags, width, letter);
    },
  );
}

interface FormattedField {
  readonly text: string;
  /** Numbers are padded to this width with `fill`. */
  readonly width?: number;
  readonly fill?: '0' | ' ';
}

function number(value: number, width = 2, fill: '0' | ' ' = '0'): FormattedField {
  return { text: String(value), width, fill };
}

function adjusted(
  { text, width = 0, fill }: FormattedField,
  flags: string,
  given: string,
  letter: string,
): string {
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

/** A moment in the fields of its zone. */
interface LocalTime {
  readonly at: Date;
  readonly moment: Moment;
  readonly year: number;
  /** Counts from 0. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  /** Sunday is 0. */
  readonly weekday: number;
  /** Counts from 0. */
  readonly yearDay: number;
}

function localTimeOf(moment: Moment, offset: number): LocalTime {
  const at = new Date((moment.seconds + offset) * 1000);
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  return {
    at,
    moment,
    year,
    month,
    day,
    hour: at.getUTCHours(),
    weekday: at.getUTCDay(),
    yearDay: Math.floor((Date.UTC(year, month, day) - Date.UTC(year, 0, 1)) / DAY_MS),
  };
}

/** The conversions that depend on the local time alone. */
const FIELDS: Readonly<Record<string, (time: LocalTime) => FormattedField>> = {
  a: ({ weekday }) => ({ text: DAYS[weekday]?.slice(0, 3) ?? '' }),
  A: ({ weekday }) => ({ text: DAYS[weekday] ?? '' }),
  b: ({ month }) => ({ text: MONTHS[month]?.slice(0, 3) ?? '' }),
  h: ({ month }) => ({ text: MONTHS[month]?.slice(0, 3) ?? '' }),
  B: ({ month }) => ({ text: MONTHS[month] ?? '' }),
  C: ({ year }) => number(Math.floor(year / 100)),
  d: ({ day }) => number(day),
  e: ({ day }) => number(day, 2, ' '),
  g: ({ at }) => number(isoWeek(at).year % 100),
  G: ({ at }) => number(isoWeek(at).year, 4),
  H: ({ hour }) => number(hour),
  I: ({ hour }) => number(hour % 12 || 12),
  j: ({ yearDay }) => number(yearDay + 1, 3),
  k: ({ hour }) => number(hour, 2, ' '),
  l: ({ hour }) => number(hour % 12 || 12, 2, ' '),
  m: ({ month }) => number(month + 1),
  M: ({ at }) => number(at.getUTCMinutes()),
  N: ({ moment }) => ({ text: String(moment.nanoseconds).padStart(9, '0') }),
  p: ({ hour }) => ({ text: hour < 12 ? 'AM' : 'PM' }),
  P: ({ hour }) => ({ text: hour < 12 ? 'am' : 'pm' }),
  q: ({ month }) => number(Math.floor(month / 3) + 1, 1),
  s: ({ moment }) => number(moment.seconds, 1),
  S: ({ at }) => number(at.getUTCSeconds()),
  u: ({ weekday }) => number(weekday || 7, 1),
  U: ({ yearDay, weekday }) => number(Math.floor((yearDay + 7 - weekday) / 7)),
  V: ({ at }) => number(isoWeek(at).week),
  w: ({ weekday }) => number(weekday, 1),
  W: ({ yearDay, weekday }) => number(Math.floor((yearDay + 7 - ((weekday + 6) % 7)) / 7)),
  y: ({ year }) => number(((year % 100) + 100) % 100),
  Y: ({ year }) => number(year, 4),
};

/** Week 1 is the week that contains the first Thursday of the year. */
function isoWeek(at: Date): { readonly year: number; readonly week: number } {
  const thursday = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()));
  thursday.setUTCDate(thursday.getUTCDate() + 3 - ((thursday.getUTCDay() + 6) % 7));
  const year = thursday.getUTCFullYear();
  return { year, week: 1 + Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / DAY_MS / 7) };
}
