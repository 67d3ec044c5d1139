import * as z from 'zod';
import { HOME, KEPT_OUTPUTS } from '../base/places.ts';
import type { SourcedRule } from './rules.ts';
import { covers } from './wildcard.ts';
import { actionSchema, type RuleSource } from './types.ts';

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
  return keepingOutputs(entriesOf(settings, source), source);
}

function entriesOf(settings: Exclude<PermissionSettings, string>, source: RuleSource): SourcedRule[] {
  return Object.entries(settings).flatMap(([name, value]) => {
    const permission = Object.hasOwn(ALIASES, name) ? (ALIASES[name] ?? name) : name;
    const patterns = typeof value === 'string' ? { '*': value } : value;
    return Object.entries(patterns).map(([pattern, action]) => ({
      permission,
      pattern: expandHome(pattern),
      action,
      source,
    }));
  });
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
