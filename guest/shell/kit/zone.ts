/** A time zone named as in TZ: by the IANA database, or in POSIX's form `EST5`. */
export interface Zone {
  /** The offset in seconds east of Greenwich at a moment, which is in seconds since 1970. */
  offset(seconds: number): number;
  abbreviation(seconds: number): string;
}

const UTC: Zone = { offset: () => 0, abbreviation: () => 'UTC' };

/** Abbreviations of zones for which `Intl` only has an offset. */
const ABBREVIATIONS: Readonly<Record<string, readonly [winter: string, summer: string]>> = {
  'Europe/London': ['GMT', 'BST'],
  'Europe/Dublin': ['GMT', 'IST'],
  'Europe/Lisbon': ['WET', 'WEST'],
  'Europe/Moscow': ['MSK', 'MSK'],
  'Asia/Tokyo': ['JST', 'JST'],
  'Asia/Seoul': ['KST', 'KST'],
  'Asia/Shanghai': ['CST', 'CST'],
  'Asia/Hong_Kong': ['HKT', 'HKT'],
  'Asia/Kolkata': ['IST', 'IST'],
  'Australia/Sydney': ['AEST', 'AEDT'],
  'Australia/Melbourne': ['AEST', 'AEDT'],
};

const known = new Map<string, Zone>([
  ['', UTC],
  ['UTC', UTC],
  ['UTC0', UTC],
  ['GMT', { offset: () => 0, abbreviation: () => 'GMT' }],
]);

export function zoneOf(name: string): Zone {
  const found = known.get(name);
  if (found) return found;
  const made = zoneNamed(name.replace(/^:/, ''));
  known.set(name, made);
  return made;
}

function zoneNamed(name: string): Zone {
  const fixed = /^([A-Za-z]{3,}|<[^>]+>)([-+]?)(\d{1,2})(?::?(\d{2}))?$/.exec(name);
  if (fixed) {
    const [, label = '', sign, hours, minutes] = fixed;
    const offset = (sign === '-' ? 1 : -1) * (Number(hours) * 3600 + Number(minutes ?? 0) * 60);
    return { offset: () => offset, abbreviation: () => label.replace(/[<>]/g, '') };
  }
  let format: Intl.DateTimeFormat;
  let short: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    short = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'short' });
  } catch {
    return UTC;
  }
  const offset = (seconds: number) => {
    const parts = new Map(
      format.formatToParts(seconds * 1000).map(({ type, value }) => [type, Number(value)]),
    );
    const get = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    const there = Date.UTC(
      get('year'),
      get('month') - 1,
      get('day'),
      get('hour'),
      get('minute'),
      get('second'),
    );
    return Math.round(there / 1000 - Math.floor(seconds));
  };
  const standard = (seconds: number) => {
    const year = new Date(seconds * 1000).getUTCFullYear();
    return Math.min(offset(Date.UTC(year, 0, 1) / 1000), offset(Date.UTC(year, 6, 1) / 1000));
  };
  return {
    offset,
    abbreviation(seconds) {
      const isSummer = offset(seconds) > standard(seconds);
      const listed =
        ABBREVIATIONS[name] ?? (name.startsWith('Europe/') ? european(standard(seconds)) : undefined);
      if (listed) return listed[isSummer ? 1 : 0];
      const shown =
        short.formatToParts(seconds * 1000).find(({ type }) => type === 'timeZoneName')?.value ?? '';
      return /^GMT[-+]/.test(shown) ? offsetText(offset(seconds)).slice(0, 3) : shown;
    },
  };
}

function european(offset: number): readonly [string, string] | undefined {
  return offset === 3600 ? ['CET', 'CEST'] : offset === 7200 ? ['EET', 'EEST'] : undefined;
}

/** Writes an offset such as `+0130`; `colons` is the number of colons, as in `+01:30`. */
export function offsetText(offset: number, colons = 0): string {
  const amount = Math.abs(offset);
  const [hours, minutes, seconds] = [
    Math.floor(amount / 3600),
    Math.floor((amount % 3600) / 60),
    amount % 60,
  ].map((part) => String(part).padStart(2, '0'));
  const between = colons > 0 ? ':' : '';
  return `${offset < 0 ? '-' : '+'}${hours}${between}${minutes}${colons > 1 ? `:${seconds}` : ''}`;
}
