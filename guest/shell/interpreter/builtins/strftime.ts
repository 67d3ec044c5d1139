const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);

interface Moment {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly weekday: number;
  /** Minutes east of Greenwich. */
  readonly offset: number;
  readonly zone: string;
}

/** A moment as C's strftime writes it, in the time zone `zone` (that of the machine without one). */
export function strftime(format: string, date: Date, zone?: string): string {
  const moment = momentOf(date, zone);
  return format.replace(/%([-_0^#]?)(:{0,3}[a-zA-Z%+])/g, (all, flag: string, kind: string) => {
    const text = field(kind, moment, date, zone);
    if (text === undefined) return all;
    if (flag === '-') return text.replace(/^[0 ]+(?=\d)/, '');
    if (flag === '_') return text.replace(/^0+(?=\d)/, (zeros) => ' '.repeat(zeros.length));
    if (flag === '0') return text.replace(/^ +/, (blanks) => '0'.repeat(blanks.length));
    if (flag === '^') return text.toUpperCase();
    return text;
  });
}

function momentOf(date: Date, zone: string | undefined): Moment {
  const timeZone =
    !zone || zone === 'UTC0' ? (zone === undefined ? undefined : 'UTC') : zone.replace(/^:/, '');
  let format: Intl.DateTimeFormat;
  const how = {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
    timeZoneName: 'short',
  } as const;
  try {
    format = new Intl.DateTimeFormat('en-US', { ...how, ...(timeZone && { timeZone }) });
  } catch {
    format = new Intl.DateTimeFormat('en-US', { ...how, timeZone: 'UTC' });
  }
  const parts = new Map(format.formatToParts(date).map(({ type, value }) => [type, value]));
  const number = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type) ?? 0);
  const [year, month, day] = [number('year'), number('month'), number('day')];
  const [hour, minute, second] = [number('hour'), number('minute'), number('second')];
  const local = Date.UTC(year, month - 1, day, hour, minute, second);
  const offset = Math.round((local - Math.floor(date.getTime() / 1000) * 1000) / 60_000);
  return {
    year,
    month,
    day,
    hour,
    minute,
    second,
    offset,
    weekday: new Date(local).getUTCDay(),
    zone: parts.get('timeZoneName') ?? 'UTC',
  };
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

function dayOfYear({ year, month, day }: Moment): number {
  return Math.floor((Date.UTC(year, month - 1, day) - Date.UTC(year, 0, 1)) / 86_400_000) + 1;
}

function isoWeek(moment: Moment): { readonly year: number; readonly week: number } {
  const weekday = moment.weekday === 0 ? 7 : moment.weekday;
  const thursday = new Date(Date.UTC(moment.year, moment.month - 1, moment.day + 4 - weekday));
  const year = thursday.getUTCFullYear();
  return { year, week: Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / 604_800_000) + 1 };
}

function field(kind: string, moment: Moment, date: Date, zone: string | undefined): string | undefined {
  const again = (format: string) => strftime(format, date, zone);
  const twelve = moment.hour % 12 || 12;
  const sign = moment.offset < 0 ? '-' : '+';
  const [hours, minutes] = [Math.floor(Math.abs(moment.offset) / 60), Math.abs(moment.offset) % 60];
  switch (kind) {
    case '%':
      return '%';
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case 'Y':
      return String(moment.year);
    case 'C':
      return two(Math.floor(moment.year / 100));
    case 'y':
      return two(moment.year % 100);
    case 'm':
      return two(moment.month);
    case 'd':
      return two(moment.day);
    case 'e':
      return String(moment.day).padStart(2);
    case 'H':
      return two(moment.hour);
    case 'k':
      return String(moment.hour).padStart(2);
    case 'I':
      return two(twelve);
    case 'l':
      return String(twelve).padStart(2);
    case 'M':
      return two(moment.minute);
    case 'S':
      return two(moment.second);
    case 'N':
      return String(date.getTime() % 1000)
        .padStart(3, '0')
        .padEnd(9, '0');
    case 's':
      return String(Math.floor(date.getTime() / 1000));
    case 'p':
      return moment.hour < 12 ? 'AM' : 'PM';
    case 'P':
      return moment.hour < 12 ? 'am' : 'pm';
    case 'A':
      return DAYS[moment.weekday];
    case 'a':
      return DAYS[moment.weekday]?.slice(0, 3);
    case 'B':
      return MONTHS[moment.month - 1];
    case 'b':
    case 'h':
      return MONTHS[moment.month - 1]?.slice(0, 3);
    case 'j':
      return String(dayOfYear(moment)).padStart(3, '0');
    case 'u':
      return String(moment.weekday || 7);
    case 'w':
      return String(moment.weekday);
    case 'U':
      return two(Math.floor((dayOfYear(moment) + 6 - moment.weekday) / 7));
    case 'W':
      return two(Math.floor((dayOfYear(moment) + 6 - ((moment.weekday + 6) % 7)) / 7));
    case 'V':
      return two(isoWeek(moment).week);
    case 'G':
      return String(isoWeek(moment).year);
    case 'g':
      return two(isoWeek(moment).year % 100);
    case 'q':
      return String(Math.ceil(moment.month / 3));
    case 'F':
      return again('%Y-%m-%d');
    case 'T':
    case 'X':
      return again('%H:%M:%S');
    case 'D':
    case 'x':
      return again('%m/%d/%y');
    case 'R':
      return again('%H:%M');
    case 'r':
      return again('%I:%M:%S %p');
    case 'c':
      return again('%a %b %e %H:%M:%S %Y');
    case 'z':
      return `${sign}${two(hours)}${two(minutes)}`;
    case ':z':
      return `${sign}${two(hours)}:${two(minutes)}`;
    case '::z':
      return `${sign}${two(hours)}:${two(minutes)}:00`;
    case ':::z':
      return minutes === 0 ? `${sign}${two(hours)}` : `${sign}${two(hours)}:${two(minutes)}`;
    case 'Z':
      return moment.zone;
    default:
      return undefined;
  }
}
