import { isFor } from './names.ts';
import { decide, type Rules, type SourcedRule } from './rules.ts';
import type { Action } from './types.ts';
import { covers, overlap } from './wildcard.ts';

const PERMISSION = 'webfetch';

/** How far the rules allow redirects of a request. A page learns of redirects only after they have been followed. */
export interface RedirectRules {
  /** Whether every address is allowed. */
  readonly anywhere: boolean;
  /** The strictest decision about any address of this origin. */
  actionWithin(origin: string): Action;
  /** Origins whose addresses are all allowed. */
  readonly allowed: readonly string[];
  /** Whether some address is denied, so that the target of a redirect must be known before it is followed. */
  readonly denies: boolean;
}

export function redirectRules(rules: Rules): RedirectRules {
  const configured = rules.configured.filter(isForPages);
  const saved = rules.saved.filter(isForPages);
  const all = [...configured, ...saved];
  const rulesForPages = { configured, saved };
  const actionWithin = (origin: string) => strictest(rulesForPages, `${origin}/*`);
  return {
    anywhere: strictest(rulesForPages, '*') === 'allow',
    actionWithin,
    allowed: [...new Set(all.flatMap(originOf))].filter((origin) => actionWithin(origin) === 'allow'),
    denies: strictest(rulesForPages, '*') === 'deny',
  };
}

function isForPages({ permission }: SourcedRule): boolean {
  return isFor(permission, PERMISSION);
}

/**
 * The decision that applies to all addresses covered by `pattern`. A rule for only some of them counts only if it is
 * stricter.
 */
function strictest({ configured, saved }: Rules, pattern: string): Action {
  const isWhole = (rule: SourcedRule) => covers(rule.pattern, pattern);
  const parts = configured.filter((rule) => !isWhole(rule) && overlap(rule.pattern, pattern));
  if (parts.some(({ action }) => action === 'deny')) return 'deny';
  const whole = { configured: configured.filter(isWhole), saved: saved.filter(isWhole) };
  const { action } = decide(whole, { permission: PERMISSION, patterns: [pattern] });
  const asks = parts.filter((rule) => rule.action === 'ask');
  const isAnswered = (rule: SourcedRule) => rule.strict !== true && whole.saved.length > 0;
  return action === 'allow' && !asks.every(isAnswered) ? 'ask' : action;
}

/** The origin that an allow rule clearly covers, in the form that `always` saves. */
function originOf({ action, pattern }: SourcedRule): string[] {
  const origin = /^(https?:\/\/[^/*?]+)\/\*$/.exec(pattern)?.[1];
  return action === 'allow' && origin !== undefined ? [origin] : [];
}
