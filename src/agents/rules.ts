import { isException, type SourcedRule } from '../permissions/rules.ts';
import { rulesOf, type PermissionSettings } from '../permissions/settings.ts';
import type { Action, Rule, RuleSource, Ruleset } from '../permissions/types.ts';
import { isFor } from '../permissions/names.ts';
import { defaultRules } from '../tools/permissions.ts';
import type { Agent } from './agent.ts';
import { agentNamed } from './agents.ts';
import { NO_SETUP, type Setup } from './setup.ts';

/** Permissions that every agent has, because they ask how to go on. */
const EVERYONE = ['doom_loop', 'external_directory'];

/**
 * The rules for the agent of that name: the defaults, the settings, the configuration files and its own rules, in
 * that order. `limits` are the rules of the agents it works for; see {@link limitsFor}.
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
    ...commandLimit(known),
    ...general,
    ...onlyRules(known, general).map((rule) => ({ ...rule, source: 'agent' as const })),
    ...ownRules(known.rules, 'agent'),
    ...ownRules(limits, 'parent'),
  ];
}

/** Marks an agent's own rules. An answer that the person gave to another agent does not settle what these rules ask. */
export function ownRules(rules: Ruleset, source: RuleSource): SourcedRule[] {
  return rules.map((rule) => ({ ...rule, source, ...(rule.action === 'ask' && { strict: true as const }) }));
}

/**
 * Denies every shell command that the agent may not run. These rules come first, so that the later rules decide about
 * the commands it may run. If a file gives the agent a rule for `bash`, that command is allowed too; a rule for all
 * commands lifts the limit.
 */
function commandLimit({ commands, rules }: Agent): SourcedRule[] {
  if (!commands) return [];
  const given = rules.filter(({ permission, action }) => permission === 'bash' && action !== 'deny');
  if (given.some(({ pattern }) => pattern === '*')) return [];
  const limit = (pattern: string, action: Action): SourcedRule => ({
    ...{ permission: 'bash', pattern, action },
    ...{ source: 'agent', limit: true },
  });
  const patterns = [...commands, ...given.map(({ pattern }) => pattern)];
  return [limit('*', 'deny'), ...patterns.map((pattern) => limit(pattern, 'ask'))];
}

/**
 * Denies every permission that the agent does not have. The defaults and the settings still decide about the others,
 * so their rules are repeated as exceptions.
 */
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

/** Permissions that a sub-agent has only if its own rules mention them. */
const OWN_ONLY = ['todowrite', 'task'];

/**
 * The limits of a sub-agent: it must never have more rights than `parent`, the agent that gives it work and may have
 * `limits` itself. It inherits the parent's denies and asks, and the parent's allows only as exceptions to the
 * parent's own denies.
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
  // An exception must not override what binds the parent itself.
  const bound = parent.limits.some(({ action }) => action === 'deny');
  const own = agentNamed(child, setup.agents);
  const mentioned = (permission: string) =>
    own.rules.some((rule) => rule.permission === permission) || own.only?.includes(permission) === true;
  // Command limits come last here, so that no earlier rule is an exception to them.
  const ordered = [...kept.filter(({ limit }) => !limit), ...kept.filter(({ limit }) => limit)];
  return [
    ...parent.limits,
    ...ordered
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
