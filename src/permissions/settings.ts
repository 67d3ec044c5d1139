import * as z from 'zod/mini';
import { HOME, KEPT_OUTPUTS } from '../base/places.ts';
import type { SourcedRule } from './rules.ts';
import { covers } from './wildcard.ts';
import { actionSchema, type Rule, type RuleSource, type Ruleset } from './types.ts';

/**
 * The `permission` key of opencode.json: one action for everything, or an action per permission, or per permission
 * and pattern. The order of the keys is the order of the rules.
 */
export const permissionSettingsSchema = z.union([
  actionSchema,
  z.record(z.string(), z.union([actionSchema, z.record(z.string(), actionSchema)])),
]);
export type PermissionSettings = z.infer<typeof permissionSettingsSchema>;

/** `write` and similar tools ask for `edit`; a rule with their own name must have an effect too. */
const ALIASES: Readonly<Record<string, string>> = {
  write: 'edit',
  patch: 'edit',
  apply_patch: 'edit',
  multiedit: 'edit',
  ls: 'list',
};

const OUTSIDE = 'external_directory';

export function rulesOf(settings: PermissionSettings, source: RuleSource): SourcedRule[] {
  if (typeof settings === 'string') return [{ permission: '*', pattern: '*', action: settings, source }];
  const written = Object.entries(settings).flatMap(([permission, value]): Rule[] =>
    Object.entries(typeof value === 'string' ? { '*': value } : value).map(([pattern, action]) => ({
      permission,
      pattern,
      action,
    })),
  );
  return normalizedRules(written, source);
}

/** Interprets rules as a person wrote them, in their order: aliases of permissions and `~` are resolved. */
export function normalizedRules(written: Ruleset, source: RuleSource): SourcedRule[] {
  const rules = written.map(({ permission, pattern, action }) => ({
    permission: Object.hasOwn(ALIASES, permission) ? (ALIASES[permission] ?? permission) : permission,
    pattern: expandHome(pattern),
    action,
    source,
  }));
  return keepingOutputs(rules, source);
}

/** Rules about places outside do not apply to what the tools store there, unless they name exactly that. */
function keepingOutputs(rules: SourcedRule[], source: RuleSource): SourcedRule[] {
  const pattern = `${KEPT_OUTPUTS}/*`;
  const outside = rules.filter(({ permission }) => permission === OUTSIDE);
  if (outside.some((rule) => rule.pattern === pattern)) return rules;
  if (!outside.some((rule) => rule.action !== 'allow' && covers(rule.pattern, pattern))) return rules;
  return [...rules, { permission: OUTSIDE, pattern, action: 'allow', source }];
}

function expandHome(pattern: string): string {
  return pattern.replace(/^(?:~|\$HOME)(?=\/|$)/, HOME);
}
