import { DAYS, MONTHS, type Moment } from './strftime.ts';
import { zoneOf } from './zone.ts';

const UNITS: Readonly<Record<string, readonly [field: Field, factor: number]>> = {
  sec: ['seconds', 1],
  second: ['seconds', 1],
  min: ['seconds', 60],
  minute: ['seconds', 60],
  hour: ['seconds', 3600],
  day: ['days', 1],
  week: ['days', 7],
  fortnight: ['days', 14],
  month: ['months', 1],
  year: ['months', 12],
};

type Field = 'seconds' | 'days' | 'months';

/** Seconds east of Greenwich. */
const ZONES: Readonly<Record<string, number>> = {
  utc: 0,
  gmt: 0,
  z: 0,
  ut: 0,
  wet: 0,
  bst: 3600,
  cet: 3600,
  cest: 7200,
  eet: 7200,
  msk: 10800,
  jst: 32400,
  est: -18000,
  edt: -14400,
  cst: -21600,
  cdt: -18000,
  mst: -25200,
  mdt: -21600,
  pst: -28800,
  pdt: -25200,
};

const ORDINALS: Readonly<Record<string, number>> = {
  last: -1,
  this: 0,
  next: 1,
  first: 1,
  third: 3,
  fourth: 4,
  fifth: 5,
  sixth: 6,
  seventh: 7,
  eighth: 8,
  ninth: 9,
  tenth: 10,
  eleventh: 11,
  twelfth: 12,
};

interface ParsedFields {
  year?: number;
  /** Counts from 1. */
  month?: number;
  day?: number;
  time?: { hour: number; minute: number; second: number; nanoseconds: number };
  /** Seconds east of Greenwich. */
  zone?: number;
  weekday?: { day: number; ordinal: number };
  exact?: Moment;
  relative: Record<Field, number>;
  isRelative: boolean;
}

/** The moment that a text stands for by the rules of GNU date; undefined where it is not a date. */
export function parseDate(text: string, now: Moment, zoneName: string): Moment | undefined {
  const seen: ParsedFields = { relative: { seconds: 0, days: 0, months: 0 }, isRelative: false };
  const [, named, after] = /^\s*TZ="([^"]*)"([^]*)$/.exec(text) ?? [];
  if (named !== undefined) return parseDate(after ?? '', now, named);
  let rest = text.replace(/\([^)]*\)/g, ' ').trim();
  while (rest !== '') {
    const taken = take(rest, seen);
    if (taken === 0) return undefined;
    rest = rest.slice(taken).replace(/^[\s,]+/, '');
  }
  return momentOf(seen, now, zoneName);
}

function nameIndex(names: readonly string[], word: string): number {
  if (word.length < 3) return -1;
  return names.findIndex((name) =>
    name.toLowerCase().startsWith(word.toLowerCase().replace(/^sept$/i, 'sep')),
  );
}

function yearOf(digits: string): number {
  const year = Number(digits);
  return digits.length <= 2 ? year + (year < 69 ? 2000 : 1900) : year;
}

/** Reads one item at the start of `rest` and returns its length, or 0 where there is none. */
function take(rest: string, seen: ParsedFields): number {
  const date = (year: number | undefined, month: number, day: number, length: number): number => {
    if (seen.day !== undefined || month < 1 || month > 12 || day < 1 || day > 31) return 0;
    if (year !== undefined) seen.year = year;
    seen.month = month;
    seen.day = day;
    return length;
  };
  let hit = /^@(-?\d+)(?:\.(\d+))?/.exec(rest);
  if (hit) {
    seen.exact = { seconds: Number(hit[1]), nanoseconds: Number((hit[2] ?? '').padEnd(9, '0').slice(0, 9)) };
    return hit[0].length;
  }
  hit =
    /^(\d{4,})-(\d{1,2})-(\d{1,2})(?:[Tt](?=\d))?/.exec(rest) ?? /^(\d{4,})\/(\d{1,2})\/(\d{1,2})/.exec(rest);
  if (hit) return date(Number(hit[1]), Number(hit[2]), Number(hit[3]), hit[0].length);
  hit = /^(\d{1,2})\/(\d{1,2})(?:\/(\d{2,}))?/.exec(rest);
  if (hit)
    return date(
      hit[3] === undefined ? undefined : yearOf(hit[3]),
      Number(hit[1]),
      Number(hit[2]),
      hit[0].length,
    );
  hit = /^(\d{1,2})[-\s]?([A-Za-z]{3,9})\.?(?:[-\s,]+(\d{4}|\d{2})(?![\d:]))?/.exec(rest);
  if (hit && nameIndex(MONTHS, hit[2] ?? '') >= 0)
    return date(
      hit[3] === undefined ? undefined : yearOf(hit[3]),
      nameIndex(MONTHS, hit[2] ?? '') + 1,
      Number(hit[1]),
      hit[0].length,
    );
  hit = /^([A-Za-z]{3,9})\.?[-\s]+(\d{1,2})(?![\d:])(?:[-\s,]+(\d{4})(?![\d:]))?/.exec(rest);
  if (hit && nameIndex(MONTHS, hit[1] ?? '') >= 0)
    return date(
      hit[3] === undefined ? undefined : yearOf(hit[3]),
      nameIndex(MONTHS, hit[1] ?? '') + 1,
      Number(hit[2]),
      hit[0].length,
    );
  return takeTime(rest, seen) || takeWord(rest, seen) || takeNumber(rest, seen);
}

function takeTime(rest: string, seen: ParsedFields): number {
  const hit =
    /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?(?:\s*([ap])\.?m\.?(?![a-z]))?/i.exec(rest) ??
    /^(\d{1,2})()()()\s*([ap])\.?m\.?(?![a-z])/i.exec(rest);
  if (!hit) return 0;
  const [all, hours = '', minutes = '', seconds = '', fraction = '', half] = hit;
  let hour = Number(hours);
  if (half) hour = (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  const [minute, second] = [Number(minutes), Number(seconds)];
  if (hour > 24 || minute > 59 || second > 60 || seen.time) return 0;
  seen.time = { hour, minute, second, nanoseconds: Number(fraction.padEnd(9, '0').slice(0, 9)) };
  // A signed number right after a time is a time zone: `12:00 +1 hour` is an hour later in the zone +01.
  const zone = /^\s*([-+])(\d{1,2})(?::?(\d{2}))?(?!\d)/.exec(rest.slice(all.length));
  if (!zone) return all.length;
  const [text, sign, zoneHours, zoneMinutes] = zone;
  if (Number(zoneHours) > 24) return 0;
  seen.zone = (sign === '-' ? -1 : 1) * (Number(zoneHours) * 3600 + Number(zoneMinutes ?? 0) * 60);
  return all.length + text.length;
}

function relate(seen: ParsedFields, count: number, unit: string, ago: boolean): boolean {
  const found = UNITS[unit.toLowerCase().replace(/s$/, '')];
  if (!found) return false;
  const [field, factor] = found;
  seen.relative[field] += count * factor * (ago ? -1 : 1);
  seen.isRelative = true;
  return true;
}

function takeWord(rest: string, seen: ParsedFields): number {
  const counted = /^([-+]?)\s*(\d+)\s*([a-z]+)(\s+ago\b)?/i.exec(rest);
  if (counted) {
    const [all, sign, digits, unit = '', ago] = counted;
    if (relate(seen, (sign === '-' ? -1 : 1) * Number(digits), unit, ago !== undefined)) return all.length;
  }
  const [word = ''] = /^[a-z]+/i.exec(rest) ?? [];
  if (word === '') return 0;
  const lower = word.toLowerCase();
  const ordinal = ORDINALS[lower];
  if (ordinal !== undefined) {
    const [all = '', next = '', ago] = /^[a-z]+\s+([a-z]+)(\s+ago\b)?/i.exec(rest) ?? [];
    const day = nameIndex(DAYS, next);
    if (day >= 0) {
      seen.weekday = { day, ordinal };
      return all.length;
    }
    return relate(seen, ordinal, next, ago !== undefined) ? all.length : 0;
  }
  const day = nameIndex(DAYS, word);
  if (day >= 0) {
    seen.weekday = { day, ordinal: 0 };
    return word.length + (rest[word.length] === '.' ? 1 : 0);
  }
  switch (lower) {
    case 'now':
    case 'today':
      seen.isRelative = true;
      return word.length;
    case 'tomorrow':
      return relate(seen, 1, 'day', false) ? word.length : 0;
    case 'yesterday':
      return relate(seen, -1, 'day', false) ? word.length : 0;
    case 't':
      return 1;
  }
  const zone = ZONES[lower];
  if (zone !== undefined) {
    const shift = /^([-+])(\d{1,2})(?::?(\d{2}))?(?!\d)/.exec(rest.slice(word.length));
    const more = shift
      ? (shift[1] === '-' ? -1 : 1) * (Number(shift[2]) * 3600 + Number(shift[3] ?? 0) * 60)
      : 0;
    seen.zone = zone + more;
    return word.length + (shift?.[0].length ?? 0);
  }
  const [all = '', ago] = /^[a-z]+(\s+ago\b)?/i.exec(rest) ?? [];
  return relate(seen, 1, word, ago !== undefined) ? all.length : 0;
}

/**
 * Reads an item of digits alone: `20240315`, the year after a date and a time, `1030` as a time, or a zone.
 */
function takeNumber(rest: string, seen: ParsedFields): number {
  const zone = /^([-+])(\d{2}):?(\d{2})(?!\d)/.exec(rest);
  if (zone && seen.time && seen.zone === undefined) {
    seen.zone = (zone[1] === '-' ? -1 : 1) * (Number(zone[2]) * 3600 + Number(zone[3]) * 60);
    return zone[0].length;
  }
  const [digits = ''] = /^\d+(?![\d:])/.exec(rest) ?? [];
  if (digits === '') return 0;
  if (seen.day !== undefined && seen.year === undefined && seen.time) {
    seen.year = yearOf(digits);
    return digits.length;
  }
  if (digits.length >= 5 && seen.day === undefined) {
    const [, year = '', month, day] = /^(\d+)(\d{2})(\d{2})$/.exec(digits) ?? [];
    seen.year = yearOf(year);
    seen.month = Number(month);
    seen.day = Number(day);
    return seen.month > 12 || seen.day > 31 ? 0 : digits.length;
  }
  if (digits.length > 4 || seen.time) return 0;
  const [hour, minute] =
    digits.length <= 2 ? [Number(digits), 0] : [Number(digits.slice(0, -2)), Number(digits.slice(-2))];
  if (hour > 24 || minute > 59) return 0;
  seen.time = { hour, minute, second: 0, nanoseconds: 0 };
  return digits.length;
}

function momentOf(seen: ParsedFields, now: Moment, zoneName: string): Moment | undefined {
  const zone = zoneOf(zoneName);
  const base = seen.exact ?? now;
  const offset = seen.zone ?? zone.offset(base.seconds);
  const wall = new Date((base.seconds + offset) * 1000);
  const isExact = seen.exact !== undefined;
  const keepsTime =
    isExact || (seen.day === undefined && seen.weekday === undefined && seen.isRelative && !seen.time);
  const resets = !keepsTime && !seen.time;
  const time = seen.time ?? {
    hour: resets ? 0 : wall.getUTCHours(),
    minute: resets ? 0 : wall.getUTCMinutes(),
    second: resets ? 0 : wall.getUTCSeconds(),
    nanoseconds: resets ? 0 : base.nanoseconds,
  };
  const year = seen.year ?? wall.getUTCFullYear();
  const month = (seen.month ?? wall.getUTCMonth() + 1) + seen.relative.months;
  let day = (seen.day ?? wall.getUTCDate()) + seen.relative.days;
  if (
    seen.day !== undefined &&
    new Date(Date.UTC(year, (seen.month ?? 1) - 1, seen.day)).getUTCDate() !== seen.day
  )
    return undefined;
  if (seen.weekday && seen.day === undefined) {
    const { day: wanted, ordinal } = seen.weekday;
    const today = wall.getUTCDay();
    day += ((wanted - today + 7) % 7) + 7 * (ordinal - (ordinal > 0 && today !== wanted ? 1 : 0));
  }
  const at = new Date(0);
  at.setUTCFullYear(year, month - 1, day);
  at.setUTCHours(time.hour, time.minute, time.second);
  const seconds = at.getTime() / 1000;
  const utc =
    seen.zone !== undefined ? seconds - seen.zone : seconds - zone.offset(seconds - zone.offset(seconds));
  return { seconds: utc + seen.relative.seconds, nanoseconds: time.nanoseconds };
}
