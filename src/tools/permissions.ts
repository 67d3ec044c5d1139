import { KEPT_OUTPUTS, OWN_FILES } from '../base/places.ts';
import { rulesOf } from '../permissions/settings.ts';
import type { SourcedRule } from '../permissions/rules.ts';
import { EFFECTS, type Effect, type Permission } from './manifest.ts';
import { manifests } from './manifests.ts';

/** Permissions that no tool has as its own. */
const OTHERS: readonly Permission[] = [
  {
    id: 'doom_loop',
    rules: { '*': 'ask' },
    question: 'continue after a suspected loop',
    label: 'Continue after a suspected loop',
    asksByDefault: 'Suspected loops ask by default.',
  },
  {
    id: 'external_directory',
    // The owner of the files refuses everything else outside.
    rules: { '*': 'deny', [`${KEPT_OUTPUTS}/*`]: 'allow', [`${OWN_FILES}/*`]: 'allow' },
    question: 'read outside the workspace',
  },
  { id: 'secret', rules: {}, label: 'Give a secret to a host' },
];

/** All permissions, in the order of the settings. */
export const permissions: readonly Permission[] = [...new Set(EFFECTS.flatMap(permissionsWith)), ...OTHERS];

const byID = new Map(permissions.map((permission) => [permission.id, permission]));

/** `undefined` for the permission of a tool that is not the app's own. */
export function permissionNamed(id: string): Permission | undefined {
  return byID.get(id);
}

/** The ids of the permissions that tools with this effect ask for. */
export function permissionsFor(effect: Effect): readonly string[] {
  return permissionsWith(effect).map(({ id }) => id);
}

/** The rules that apply if the settings say nothing. */
export const defaultRules: readonly SourcedRule[] = rulesOf(
  Object.fromEntries(permissions.map(({ id, rules }) => [id, rules])),
  'default',
);

function permissionsWith(effect: Effect): readonly Permission[] {
  const own = manifests.flatMap(({ effect: each, permission }) =>
    each === effect && permission ? [permission] : [],
  );
  return [...new Set(own)];
}
