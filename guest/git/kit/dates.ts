import { parseDate } from '../../shell/kit/date-text.ts';
import { DAYS, MONTHS, strftime } from '../../shell/kit/strftime.ts';
import { offsetText, zoneOf } from '../../shell/kit/zone.ts';
import { Fatal } from './fatal.ts';

export interface GitTime {
  /** Seconds since 1970. */
  readonly time: number;
  /** Such as `+0100`. */
  readonly zone: string;
}

export function nowIn(zoneName: string): GitTime {
  const time = Math.floor(Date.now() / 1000);
  return { time, zone: zoneAt(zoneName, time) };
}

function zoneAt(zoneName: string, time: number): string {
  return offsetText(zoneOf(zoneName).offset(time));
}

/** Reads a date that a variable or an option gives; `zoneName` is that of the machine. */
export function readDate(text: string, zoneName: string): GitTime {
  const trimmed = text.trim();
  const raw = /^@?(\d{5,}) ?([-+]\d{4})?$/.exec(trimmed);
  if (raw) {
    const time = Number(raw[1]);
    return { time, zone: raw[2] ?? zoneAt(zoneName, time) };
  }
  const time = readMoment(trimmed, zoneName);
  if (time === undefined) throw new Fatal(`invalid date format: ${text}`);
  const [, zone, utc] = /\d(?::\d\d)? ?(?:([-+]\d\d:?\d\d)|(Z|UTC|GMT))$/i.exec(trimmed) ?? [];
  if (utc !== undefined) return { time, zone: '+0000' };
  return { time, zone: zone?.replace(':', '') ?? zoneAt(zoneName, time) };
}

/** Reads `2 weeks ago`, `yesterday`, `2024-01-31 10:00` and the like as seconds since 1970. */
export function readMoment(text: string, zoneName: string): number | undefined {
  const now = { seconds: Math.floor(Date.now() / 1000), nanoseconds: 0 };
  const plain = text
    .trim()
    .replace(/(\d)\.(?=[a-z])/gi, '$1 ')
    .replaceAll('.', ' ');
  const raw = /^@?(\d{9,})(?: [-+]\d{4})?$/.exec(plain);
  if (raw) return Number(raw[1]);
  if (/^never$/i.test(plain)) return 0;
  const spelled = plain
    .replace(/\bnoon\b/i, '12:00')
    .replace(/\b(one|an?)\b/gi, '1')
    .replace(/\btwo\b/gi, '2')
    .replace(/^(\d{4})[./](\d\d?)[./](\d\d?)/, '$1-$2-$3');
  const wanted = parseDate(spelled, now, zoneName);
  if (!wanted) return undefined;
  // A day without a time means this time of that day.
  if (!/^\d{4}-\d\d-\d\d$/.test(spelled)) return wanted.seconds;
  const offset = zoneOf(zoneName).offset(now.seconds);
  return wanted.seconds + ((now.seconds + offset) % 86_400);
}

/** Writes a time as `--date=` asks for it. */
export function dateText({ time, zone }: GitTime, mode: string, zoneName: string): string {
  const isLocal = /^local$|-local$/.test(mode);
  const style = mode === 'local' ? 'default' : mode.replace(/-local$/, '');
  const shown = isLocal ? zoneAt(zoneName, time) : zone;
  const offset = offsetOf(shown);
  const at = new Date((time + offset) * 1000);
  const two = (number: number) => String(number).padStart(2, '0');
  const clock = `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())}`;
  const day = `${at.getUTCFullYear()}-${two(at.getUTCMonth() + 1)}-${two(at.getUTCDate())}`;
  const weekday = DAYS[at.getUTCDay()]?.slice(0, 3) ?? '';
  const month = MONTHS[at.getUTCMonth()]?.slice(0, 3) ?? '';
  switch (style) {
    case 'iso':
    case 'iso8601':
      return `${day} ${clock} ${shown}`;
    case 'iso-strict':
    case 'iso8601-strict':
      return `${day}T${clock}${shown === '+0000' ? '+00:00' : `${shown.slice(0, 3)}:${shown.slice(3)}`}`;
    case 'short':
      return day;
    case 'rfc':
    case 'rfc2822':
      return `${weekday}, ${at.getUTCDate()} ${month} ${at.getUTCFullYear()} ${clock} ${shown}`;
    case 'unix':
      return String(time);
    case 'raw':
      return `${time} ${zone}`;
    case 'relative':
      return relativeText(time, Math.floor(Date.now() / 1000));
    case 'human':
      return `${weekday} ${month} ${at.getUTCDate()} ${clock.slice(0, 5)} ${at.getUTCFullYear()}`;
  }
  if (style.startsWith('format:')) return formatted(style.slice('format:'.length), time, shown);
  if (style !== 'default' && style !== '') throw new Fatal(`unknown date format ${mode}`);
  return `${weekday} ${month} ${at.getUTCDate()} ${clock} ${at.getUTCFullYear()}${isLocal ? '' : ` ${shown}`}`;
}

/** POSIX counts a zone's offset to the west. */
function formatted(format: string, time: number, zone: string): string {
  const name = `<${zone}>${zone.startsWith('-') ? '+' : '-'}${zone.slice(1, 3)}:${zone.slice(3)}`;
  return strftime(format, { seconds: time, nanoseconds: 0 }, name);
}

function offsetOf(zone: string): number {
  const sign = zone.startsWith('-') ? -1 : 1;
  return sign * (Number(zone.slice(1, 3)) * 3600 + Number(zone.slice(3, 5)) * 60);
}

export function relativeText(time: number, now: number): string {
  const say = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'} ago`;
  let left = now - time;
  if (left < 0) return 'in the future';
  if (left < 90) return say(left, 'second');
  left = Math.floor((left + 30) / 60);
  if (left < 90) return say(left, 'minute');
  left = Math.floor((left + 30) / 60);
  if (left < 36) return say(left, 'hour');
  const days = Math.floor((left + 12) / 24);
  if (days < 14) return say(days, 'day');
  if (days < 70) return say(Math.floor((days + 3) / 7), 'week');
  if (days < 365) return say(Math.floor((days + 15) / 30), 'month');
  if (days < 1825) {
    const months = Math.floor((days * 12 * 2 + 365) / (365 * 2));
    const [years, rest] = [Math.floor(months / 12), months % 12];
    if (rest === 0) return say(years, 'year');
    return `${years} year${years === 1 ? '' : 's'}, ${say(rest, 'month')}`;
  }
  return say(Math.floor((days + 183) / 365), 'year');
}
