import { ROOT } from '../base/places.ts';
import { isFor, isForAll } from './names.ts';
import type { Action, Ask, Decision, Rule, RuleSource } from './types.ts';
import { covers, matches } from './wildcard.ts';

export interface SourcedRule extends Rule {
  readonly source: RuleSource;
  /** An ask: saved rules do not answer it. A saved allow: it was given to such an ask, and answers them. */
  readonly strict?: true | undefined;
}

/** All the rules that a decision considers, each list in order of writing. */
export interface Rules {
  /** Defaults, then settings, then those of the agent. */
  readonly configured: readonly SourcedRule[];
  /** What the person allowed along the way: for this session, and for good. */
  readonly saved: readonly SourcedRule[];
}

export interface Verdict {
  readonly action: Action;
  /** One for each pattern, in order. */
  readonly decisions: readonly Decision[];
}

/**
 * Decides one ask. A configured deny comes first: only a narrower rule after it in the same source makes an
 * exception to it (`{"*": "deny", "git *": "allow"}`), nothing else outvotes it. Then the last configured rule that
 * matches wins, and no rule means ask. What was saved only turns an ask into an allow, and a strict ask only where it
 * was given to one. Of several patterns, one deny denies all, else one ask asks.
 */
export function decide(rules: Rules, ask: Pick<Ask, 'permission' | 'patterns' | 'opaque'>): Verdict {
  const patterns = ask.patterns.length > 0 ? ask.patterns : ['*'];
  const relevant = ask.opaque === true ? forOpaque(rules, ask.permission, patterns) : rules;
  const decisions = patterns.map((pattern) => decideOne(relevant, ask.permission, pattern));
  const actions = new Set(decisions.map((decision) => decision.action));
  return { action: actions.has('deny') ? 'deny' : actions.has('ask') ? 'ask' : 'allow', decisions };
}

/** Whether the rules deny all that a permission could be asked for, so that its tool need not be offered. */
export function deniedEntirely(configured: readonly SourcedRule[], permission: string): boolean {
  return configured.some(
    (rule, index) =>
      rule.action === 'deny' &&
      rule.pattern === '*' &&
      isFor(rule.permission, permission) &&
      !configured.some(
        (other, at) => at > index && isException(other, rule) && isFor(other.permission, permission),
      ),
  );
}

/** Whether `rule`, written after `deny`, takes a part out of it. */
export function isException(rule: SourcedRule, deny: SourcedRule): boolean {
  return (
    rule.action !== 'deny' &&
    rule.source === deny.source &&
    isForAll(deny.permission, rule.permission) &&
    covers(deny.pattern, rule.pattern) &&
    (deny.permission !== rule.permission || deny.pattern !== rule.pattern)
  );
}

function decideOne(rules: Rules, permission: string, pattern: string): Decision {
  const hits = rules.configured.filter((rule) => applies(rule, permission, pattern));
  const deny = hits.findLast(
    (rule, index) =>
      rule.action === 'deny' && !hits.some((other, at) => at > index && isException(other, rule)),
  );
  if (deny) return decided(pattern, deny);
  const configured = hits.at(-1);
  if (configured?.action === 'allow') return decided(pattern, configured);
  const saved = rules.saved.findLast(
    (rule) =>
      rule.action === 'allow' &&
      (rule.strict === true || configured?.strict !== true) &&
      applies(rule, permission, pattern),
  );
  if (saved) return decided(pattern, saved);
  return configured ? decided(pattern, configured) : { pattern, action: 'ask' };
}

function decided(pattern: string, { source, strict, ...rule }: SourcedRule): Decision {
  const isStrict = strict === true && rule.action === 'ask';
  return { pattern, action: rule.action, rule, source, ...(isStrict && { strict }) };
}

/**
 * The rules that can speak for what no pattern describes: `git *` must not allow `git log $(anything)`. An allow
 * counts only if it is for everything, while no narrower rule could be broken unseen, or for exactly this text.
 */
export function forOpaque(rules: Rules, permission: string, texts: readonly string[]): Rules {
  const configured = rules.configured.filter((rule) => isFor(rule.permission, permission));
  const general = configured.findLastIndex((rule) => rule.pattern === '*');
  const denies = configured.some((rule) => rule.action === 'deny');
  const asks = configured.some((rule, index) => rule.action === 'ask' && index > general);
  return {
    configured: rules.configured.filter(
      (rule) =>
        rule.action !== 'allow' || texts.includes(rule.pattern) || (rule.pattern === '*' && !denies && !asks),
    ),
    saved: rules.saved.filter((rule) => texts.includes(rule.pattern) || (rule.pattern === '*' && !denies)),
  };
}

/** Whether the rule is one for this permission and this text. */
export function applies(rule: Rule, permission: string, text: string): boolean {
  if (!isFor(rule.permission, permission)) return false;
  // Paths are asked for relative to the root; a rule may name them absolutely.
  const absolute = rule.pattern.startsWith('/') && !text.startsWith('/') && isPathPermission(permission);
  return matches(rule.pattern, absolute ? `${ROOT}/${text}` : text);
}

function isPathPermission(permission: string): boolean {
  return permission === 'read' || permission === 'edit' || permission === 'list';
}
