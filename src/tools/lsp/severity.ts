import type { Severity } from '../../language/language.ts';

/** Sorted from the most to the least severe. */
export const SEVERITIES = ['error', 'warning', 'information', 'hint'] as const satisfies readonly Severity[];

/** Whether `severity` is at least as severe as `least`. */
export function isAtLeast(severity: Severity, least: Severity | 'all'): boolean {
  return least === 'all' || SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(least);
}
