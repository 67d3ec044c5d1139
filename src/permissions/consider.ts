import { applies, forOpaque, type Rules, type SourcedRule } from './rules.ts';
import type { Ask, ConsideredRule, Decision } from './types.ts';

/** Limits for the list of rules per pattern and for the patterns, so that the log does not fill up with rules. */
export const LISTED_RULES = 20;
export const LISTED_PATTERNS = 20;

/** Adds to each decision every rule that matches, including rules that were overridden or could not count. */
export function consider(
  rules: Rules,
  ask: Pick<Ask, 'permission' | 'patterns' | 'opaque'>,
  decisions: readonly Decision[],
): readonly Decision[] {
  const counting = ask.opaque === true ? forOpaque(rules, ask.permission, ask.patterns) : rules;
  const isAside = (rule: SourcedRule) =>
    counting !== rules && !counting.configured.includes(rule) && !counting.saved.includes(rule);
  const all = [...rules.configured, ...rules.saved];
  return decisions.map((decision, index) => {
    if (index >= LISTED_PATTERNS) return decision;
    const matching = all
      .filter((rule) => applies(rule, ask.permission, decision.pattern))
      .map((rule): ConsideredRule => {
        const { permission, pattern, action, source } = rule;
        return { permission, pattern, action, source, ...(isAside(rule) && { aside: true }) };
      });
    const decided = matching[decidingIndex(matching, decision)];
    // Later rules override earlier ones, so the first ones matter least.
    const first = Math.max(0, matching.length - LISTED_RULES);
    const considered = matching.filter((rule, at) => at >= first || rule === decided);
    const unlisted = matching.length - considered.length;
    return { ...decision, considered, ...(unlisted > 0 && { unlisted }) };
  });
}

/** The index of the matching rule that decided; -1 if none did. */
export function decidingIndex(
  considered: readonly ConsideredRule[],
  { rule, source }: Pick<Decision, 'rule' | 'source'>,
): number {
  return considered.findLastIndex(
    (each) =>
      !each.aside &&
      each.source === source &&
      each.action === rule?.action &&
      each.permission === rule.permission &&
      each.pattern === rule.pattern,
  );
}
