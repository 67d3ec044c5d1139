import type { AutomationSettings } from '../automation/arguments.ts';
import { serverOf } from '../base/server-ids.ts';
import { parseScript, type Script } from '../models/script/schema.ts';
import { parseProviderSettings } from '../models/settings.ts';
import type { App } from '../ui/app.ts';
import { ONLY_MODELS } from '../ui/only-models.ts';
import type { AppParts } from './app.ts';
import { checkedPermissions } from './permission-settings.ts';

/** The parts of the app that `configure()` sets. */
export interface ConfiguredParts extends Pick<AppParts, 'automate' | 'setScript'> {
  readonly app: { readonly hosts: Pick<App['hosts'], 'addHosts'> };
  readonly models: Pick<AppParts['models'], 'choose'>;
  readonly permissions: Pick<AppParts['permissions'], 'override'>;
}

/**
 * Applies the settings, and returns the script that they hold, if there is one. Everything is checked before anything is
 * applied, so that refused settings change nothing.
 */
export async function configure(
  parts: ConfiguredParts,
  { provider, model = '', baseURL, apiKey, script, permission, hosts }: AutomationSettings,
  page = new URL(location.href),
): Promise<Script | undefined> {
  const parsed = script === undefined ? undefined : parseScript(script);
  const choice = {
    provider,
    model: model || ONLY_MODELS.get(provider) || '',
    ...(baseURL !== undefined && { baseURL }),
  };
  parseProviderSettings({ ...choice, ...serverOf(provider) });
  if (permission !== undefined) checkedPermissions(permission);
  if (hosts) (await import('./reach/hosts.ts')).hostsIn(hosts.join('\n'), page);

  parts.automate();
  await parts.models.choose(choice, apiKey === undefined ? undefined : { value: apiKey, remember: false });
  // Set last, after what a full storage can make fail, so that no more is allowed than before.
  if (hosts) await parts.app.hosts.addHosts(hosts);
  parts.permissions.override(permission);
  if (parsed) parts.setScript(model, parsed);
  return parsed;
}
