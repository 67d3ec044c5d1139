import type { Match } from './matches.ts';

/** How many characters of the line are shown before the match. */
const BEFORE = 30;
const AFTER = 200;

/** A line in three parts, cut so that the match is seen. */
export function lineParts({ text, from, to }: Match): {
  readonly before: string;
  readonly match: string;
  readonly after: string;
} {
  const start = text.slice(0, from).trimStart();
  const before = start.length > BEFORE ? `…${start.slice(-BEFORE)}` : start;
  return { before, match: text.slice(from, Math.min(to, from + AFTER)), after: text.slice(to, to + AFTER) };
}
