import { Complaint } from '../../kit/complaint.ts';

const UNITS: Readonly<Record<string, number>> = {
  b: 512,
  kB: 1000,
  K: 1024,
  k: 1024,
  KiB: 1024,
  MB: 1e6,
  M: 1024 ** 2,
  MiB: 1024 ** 2,
  GB: 1e9,
  G: 1024 ** 3,
  GiB: 1024 ** 3,
  T: 1024 ** 4,
  TB: 1e12,
};

/** Parses a count of GNU tools, with a unit such as `K` or `MB`. */
export function amountOf(text: string, what: string): number {
  const [, digits, unit = ''] = /^(\d+)([a-zA-Z]*)$/.exec(text) ?? [];
  const factor = unit === '' ? 1 : UNITS[unit];
  if (digits === undefined || factor === undefined) throw new Complaint(`invalid ${what}: '${text}'`, 1);
  return Number(digits) * factor;
}
