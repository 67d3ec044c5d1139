import * as z from 'zod';
import { HOME } from '../base/places.ts';
import type { SourcedRule } from './rules.ts';
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

export function rulesOf(settings: PermissionSettings, source: RuleSource): SourcedRule[] {
  if (typeof settings === 'string') return [{ permission: '*', pattern: '*', action: settings, source }];
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

function expandHome(pattern: string): string {
  return pattern.replace(/^(?:~|\$HOME)(?=\/|$)/, HOME);
}
