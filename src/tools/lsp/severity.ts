import type { Severity } from '../../language/language.ts';

/** From the gravest on. */
export const SEVERITIES = ['error', 'warning', 'information', 'hint'] as const satisfies readonly Severity[];

/** Whether `severity` is at least as grave as `least`. */
export function isAtLeast(severity: Severity, least: Severity | 'all'): boolean {
  return least === 'all' || SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(least);
}
