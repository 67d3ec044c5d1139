import { formatFraction } from '../../languages/numbers.ts';

const SHORT_MS = 10_000;

/** The time as `0:07`, or as `0:07.4` in a recording of only some seconds. */
export function clockOf(ms: number, duration: number): string {
  const tenths = Math.floor(ms / 100) % 600;
  const seconds =
    duration < SHORT_MS
      ? formatFraction(tenths / 10, 1).padStart(4, '0')
      : String(Math.floor(tenths / 10)).padStart(2, '0');
  return `${Math.floor(ms / 60_000)}:${seconds}`;
}
