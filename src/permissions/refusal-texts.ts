import type { Verdict } from './rules.ts';

/** The model reads this when a call is not allowed. */
export function deniedText(permission: string, verdict: Verdict): string {
  const rules = verdict.decisions
    .filter((decision) => decision.action === 'deny')
    .map(({ pattern, rule }) => `${pattern} (rule: ${rule?.permission} ${rule?.pattern})`);
  return `The rules deny '${permission}' for ${rules.join(', ')}. Do not try to get around this: work without it, or tell the user what you would need.`;
}

export function rejectedText(message: string | undefined): string {
  if (message === undefined) return 'The user refused this call.';
  return `The user refused this call and said: ${message}`;
}

export function refusedText(message: string | undefined): string {
  const said = message === undefined ? '' : ` They said: ${message}`;
  return `The user has already refused exactly this in this turn, so it was not asked for again.${said}`;
}
