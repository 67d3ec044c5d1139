import { formatFraction } from './languages/numbers.ts';
import { words } from './words.ts';

const { units } = words;

/** `41 ms`, `0.4 s`, `12.8 s`, `3 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 100) return units.ms(`${Math.max(0, Math.round(ms))}`);
  if (ms < 99_500) return units.s(formatFraction(ms / 1000, ms < 59_950 ? 1 : 0));
  const seconds = Math.round(ms / 1000);
  return units.minutesAndSeconds(Math.floor(seconds / 60), seconds % 60);
}

/** Whole seconds, at least one, as in "Thought for 3 s". */
export function seconds(ms: number): string {
  return ms < 59_500
    ? units.s(`${Math.max(1, Math.round(ms / 1000))}`)
    : duration(Math.round(ms / 1000) * 1000);
}

/** How long ago something was, for a list: `now`, `5 min`, `2 h`, `3 d`. */
export function ago(time: number, now: number): string {
  const minutes = Math.floor((now - time) / 60_000);
  if (minutes < 1) return units.now;
  if (minutes < 60) return units.min(`${minutes}`);
  if (minutes < 24 * 60) return units.h(`${Math.floor(minutes / 60)}`);
  return units.d(`${Math.floor(minutes / (24 * 60))}`);
}
