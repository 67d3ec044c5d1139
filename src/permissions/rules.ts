import { ROOT } from '../base/places.ts';
import { isFor, isForAll } from './names.ts';
import type { Action, Ask, Decision, Rule, RuleSource } from './types.ts';
import { covers, matches } from './wildcard.ts';

export interface SourcedRule extends Rule {
  readonly source: RuleSource;
  /**
   * On an ask: saved rules do not answer it. On a saved allow: it was the answer to such an ask, so it does answer
   * them.
   */
  readonly strict?: true | undefined;
  /**
   * On a deny: only rules with the same mark are exceptions to it. They lift the deny and leave the action to other
   * rules.
   */
  readonly limit?: true | undefined;
}

/** All rules that a decision considers, each list in the order of writing. */
export interface Rules {
  /** The defaults, then the settings, then the agent's rules. */
  readonly configured: readonly SourcedRule[];
  /** Rules from the person's answers: for this session, and permanent ones. */
  readonly saved: readonly SourcedRule[];
}

export interface Verdict {
  readonly action: Action;
  /** One per pattern, in order. */
  readonly decisions: readonly Decision[];
}

/**
 * Decides one request. A configured deny comes first: only a later, narrower rule of the same source is an exception
 * to it (`{"*": "deny", "git *": "allow"}`), and nothing else overrides it. Otherwise the last configured rule that
 * matches decides, and without any rule it asks. A saved rule only turns an ask into an allow, and a strict ask only
 * if it was the answer to one. With several patterns, one deny denies all of them; otherwise one ask asks.
 */
export function decide(rules: Rules, ask: Pick<Ask, 'permission' | 'patterns' | 'opaque'>): Verdict {
  const patterns = ask.patterns.length > 0 ? ask.patterns : ['*'];
  const relevant = ask.opaque === true ? forOpaque(rules, ask.permission, patterns) : rules;
  const decisions = patterns.map((pattern) => decideOne(relevant, ask.permission, pattern));
  const actions = new Set(decisions.map((decision) => decision.action));
  return { action: actions.has('deny') ? 'deny' : actions.has('ask') ? 'ask' : 'allow', decisions };
}

/** Whether the rules deny everything a permission could be asked for, so that its tool need not be offered. */
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

/** Whether `rule`, written after `deny`, is an exception to a part of it. */
export function isException(rule: SourcedRule, deny: SourcedRule): boolean {
  return (
    rule.action !== 'deny' &&
    rule.source === deny.source &&
    rule.limit === deny.limit &&
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

function decided(pattern: string, { source, strict, limit: _limit, ...rule }: SourcedRule): Decision {
  const isStrict = strict === true && rule.action === 'ask';
  return { pattern, action: rule.action, rule, source, ...(isStrict && { strict }) };
}

/**
 * The rules that can apply to a text which no pattern describes: `git *` must not allow `git log $(anything)`. An
 * allow counts only if it is for exactly this text, or for everything while no narrower rule could be violated
 * unnoticed.
 */
export function forOpaque(rules: Rules, permission: string, texts: readonly string[]): Rules {
  const configured = rules.configured.filter((rule) => isFor(rule.permission, permission));
  const general = configured.findLastIndex((rule) => rule.pattern === '*');
  const denies = configured.some((rule) => rule.action === 'deny');
  const asks = configured.some((rule, index) => rule.action === 'ask' && index > general);
  // `*` as a text stands for anything, so an allow for everything does not match exactly this text.
  const isExact = ({ pattern }: SourcedRule) => pattern !== '*' && texts.includes(pattern);
  return {
    configured: rules.configured.filter(
      (rule) =>
        isExact(rule) ||
        (rule.action === 'allow' ? rule.pattern === '*' && !denies && !asks : isDenyOrOpen(rule)),
    ),
    saved: rules.saved.filter((rule) => isExact(rule) || (rule.pattern === '*' && !denies)),
  };
}

/** An exception to a limit covers what its pattern describes, and that is not known here. */
function isDenyOrOpen({ action, limit }: SourcedRule): boolean {
  return action === 'deny' || limit !== true;
}

/** Whether the rule applies to this permission and text. */
export function applies(rule: Rule, permission: string, text: string): boolean {
  if (!isFor(rule.permission, permission)) return false;
  // Requests name paths relative to the root; a rule may use absolute ones.
  const absolute = rule.pattern.startsWith('/') && !text.startsWith('/') && isPathPermission(permission);
  return matches(rule.pattern, absolute ? `${ROOT}/${text}` : text);
}

function isPathPermission(permission: string): boolean {
  return permission === 'read' || permission === 'edit' || permission === 'list';
}
