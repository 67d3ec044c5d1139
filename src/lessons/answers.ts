import { matches } from '../permissions/wildcard.ts';

/** Whether a text fits a pattern. Case and surrounding spaces do not count. */
export function alike(pattern: string, text: string): boolean {
  return matches(pattern.trim().toLowerCase(), text.trim().toLowerCase());
}

/** Whether one of these patterns accepts an answer. */
export function accepts(patterns: readonly string[], answer: string): boolean {
  return patterns.some((pattern) => alike(pattern, answer));
}
