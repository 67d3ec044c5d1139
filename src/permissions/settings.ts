import * as z from 'zod';
import { HOME, KEPT_OUTPUTS } from '../base/places.ts';
import type { SourcedRule } from './rules.ts';
import { covers } from './wildcard.ts';
import { actionSchema, type Rule, type RuleSource, type Ruleset } from './types.ts';

/**
 * `permission` as in opencode.json: one action for everything, or by permission an action, or by permission and
 * pattern. The order of keys is the order of the rules.
 */
export const permissionSettingsSchema = z.union([
  actionSchema,
  z.record(z.string(), z.union([actionSchema, z.record(z.string(), actionSchema)])),
]);
export type PermissionSettings = z.infer<typeof permissionSettingsSchema>;

/** `write` and the like are asked for as `edit`; a rule for them under their own name must not be without effect. */
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
  return rulesAsMeant(written, source);
}

/** Rules as a person wrote them, in their order: other names of permissions and `~` are understood. */
export function rulesAsMeant(written: Ruleset, source: RuleSource): SourcedRule[] {
  const rules = written.map(({ permission, pattern, action }) => ({
    permission: Object.hasOwn(ALIASES, permission) ? (ALIASES[permission] ?? permission) : permission,
    pattern: expandHome(pattern),
    action,
    source,
  }));
  return keepingOutputs(rules, source);
}

/** Rules for places outside are not meant for what the tools keep there, unless they name just that. */
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
