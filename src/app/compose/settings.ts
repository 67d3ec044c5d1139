import { pageClock } from '../../base/clock.ts';
import { OWN_SCRIPT } from '../../ui/app.ts';
import { ConfigurationsOfApp } from '../configurations.ts';
import { ModelSettings } from '../model-settings.ts';
import { PermissionSettingsOfApp } from '../permission-settings.ts';
import type { Parts } from './parts.ts';

export function createModels(parts: Parts): ModelSettings {
  const { network, youQueue, recorded, scripts, options } = parts;
  return new ModelSettings({
    settings: options.storage.settings,
    keys: options.keys,
    network,
    timer: options.timer,
    you: youQueue,
    recorded: (model) => recorded.get(model),
    async script(model) {
      const given = scripts.get(model);
      if (given) return given;
      if (model === OWN_SCRIPT) return (await parts.ownScript()).script;
      return model.startsWith('lesson/') ? (await parts.lessons()).script(model) : undefined;
    },
  });
}

export function createPermissions({ channel, options }: Parts): PermissionSettingsOfApp {
  const { settings, rules } = options.storage;
  return new PermissionSettingsOfApp(settings, rules, () => channel.sendChanged('rules'));
}

export function createConfigurations(parts: Parts): ConfigurationsOfApp {
  const { permissions, pages, secrets, channel, options } = parts;
  return new ConfigurationsOfApp({
    settings: options.storage.settings,
    workspace: (id) => parts.workspaces.open(id),
    permissions: () => permissions.current(),
    timer: options.timer,
    services: {
      web: pages,
      secrets: {
        names: () => secrets.names(),
        fill: (text, host, context) => secrets.fill(text, host, (ask) => context.ask(ask)),
        hide: (text) => options.keys.redact(text),
      },
    },
    changed(workspaceID) {
      if (workspaceID === null) channel.sendChanged('configuration');
      for (const session of parts.sessions.live())
        if (
          'rulesChanged' in session &&
          (workspaceID ?? session.state.workspaceID) === session.state.workspaceID
        )
          void session.rulesChanged();
    },
    now: () => pageClock.now(),
  });
}
