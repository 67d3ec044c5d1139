import { defaultRules } from '../permissions/defaults.ts';
import { isException, type SourcedRule } from '../permissions/rules.ts';
import { rulesOf, type PermissionSettings } from '../permissions/settings.ts';
import type { Rule, RuleSource, Ruleset } from '../permissions/types.ts';
import { isFor } from '../permissions/names.ts';
import type { Agent } from './agent.ts';
import { agentNamed } from './agents.ts';
import { NO_SETUP, type Setup } from './setup.ts';

/** Questions about how to go on, which no agent may be without. */
const EVERYONE = ['doom_loop', 'external_directory'];

/**
 * What is configured for the agent of that name: the defaults, the settings, the configuration files and its own rules,
 * in that order. `limits`: of the agents it works for, see {@link limitsFor}.
 */
export function configuredRules(
  agent: string,
  settings: PermissionSettings,
  limits: Ruleset = [],
  setup: Setup = NO_SETUP,
): readonly SourcedRule[] {
  const known = agentNamed(agent, setup.agents);
  const general = [...defaultRules, ...rulesOf(settings, 'settings'), ...setup.rules];
  return [
    ...general,
    ...onlyRules(known, general).map((rule) => ({ ...rule, source: 'agent' as const })),
    ...ownRules(known.rules, 'agent'),
    ...ownRules(limits, 'parent'),
  ];
}

/** Of what makes an agent what it is. A yes that was given to another agent does not answer its asks. */
export function ownRules(rules: Ruleset, source: RuleSource): SourcedRule[] {
  return rules.map((rule) => ({ ...rule, source, ...(rule.action === 'ask' && { strict: true as const }) }));
}

/** Denies all but what the agent has; there the defaults and the settings go on to decide, said again as exceptions. */
function onlyRules({ only }: Agent, general: readonly Rule[]): Rule[] {
  if (!only) return [];
  return [
    { permission: '*', pattern: '*', action: 'deny' },
    ...[...only, ...EVERYONE].flatMap((permission): Rule[] => [
      { permission, pattern: '*', action: 'ask' },
      ...general
        .filter((rule) => rule.action !== 'deny' && isFor(rule.permission, permission))
        .map(({ pattern, action }) => ({ permission, pattern, action })),
    ]),
  ];
}

/** Not for those who work for another, unless their own rules speak of it. */
const OWN_ONLY = ['todowrite', 'task'];

/**
 * What binds a sub-agent beyond its own rules: it must never have more than the agent that gives it work, `parent`,
 * which may itself be bound by `limits`. The parent's denies and asks go along, its allows only as exceptions to its own denies.
 */
export function limitsFor(
  child: string,
  parent: { readonly agent: string; readonly settings: PermissionSettings; readonly limits: Ruleset },
  setup: Setup = NO_SETUP,
): Ruleset {
  const rules = configuredRules(parent.agent, parent.settings, [], setup).filter(
    ({ source }) => source === 'agent',
  );
  const denies = rules.filter(({ action }) => action === 'deny');
  const kept = rules.filter(
    (rule) => rule.action !== 'allow' || denies.some((deny) => isException(rule, deny)),
  );
  // An exception must not reach behind what binds the parent itself.
  const bound = parent.limits.some(({ action }) => action === 'deny');
  const own = agentNamed(child, setup.agents);
  const mentioned = (permission: string) =>
    own.rules.some((rule) => rule.permission === permission) || own.only?.includes(permission) === true;
  return [
    ...parent.limits,
    ...kept
      .filter(({ action }) => !bound || action === 'deny')
      .map(({ permission, pattern, action }) => ({ permission, pattern, action })),
    ...[...OWN_ONLY, ...setup.primaryTools]
      .filter((permission) => !mentioned(permission))
      .map((permission): Rule => ({
        permission,
        pattern: '*',
        action: 'deny',
      })),
  ];
}
