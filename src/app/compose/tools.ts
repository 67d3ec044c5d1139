import { configuredRules } from '../../agents/rules.ts';
import { locksOf, visibilityOf } from '../../permissions/visibility.ts';
import type { Web } from '../../tools/webfetch/web.ts';
import { Languages } from '../languages.ts';
import { ToolLogOfApp } from '../tool-log.ts';
import { ToolServersOfApp } from '../tool-servers.ts';
import { AFTER_CHANGES } from '../tool-settings.ts';
import { loadedTools, type LoadedTools } from '../tools.ts';
import type { Parts } from './parts.ts';

export function createToolLog(parts: Parts): ToolLogOfApp {
  return new ToolLogOfApp({
    before: (...page) => parts.sessions.eventsBefore(...page),
    redact: (text) => parts.options.keys.redact(text),
  });
}

export function createLanguages(parts: Parts): Languages {
  const { tools, options } = parts;
  return new Languages(
    options.timer,
    (id) => parts.configurations.current(id).flags[AFTER_CHANGES] ?? tools.flags().has(AFTER_CHANGES),
  );
}

export function createPages({ network, web, options }: Parts): Web {
  return {
    fetch: (...request) => fetch(...request),
    reachable: (address, signal) => network.reachable(address, signal),
    policed: async (origins) =>
      (await import('../reach/policed-frame.ts')).policedFrame(options.container, origins.join(' ')),
    proxy: () => web.proxy(),
  };
}

export function createRegistry(parts: Parts): LoadedTools {
  const { pages, web, languages, toolLog } = parts;
  return loadedTools(
    pages,
    (service) => web.key(service),
    languages.of,
    async (workspace) => (await parts.previews()).of(workspace),
    toolLog.starts.started,
    () => parts.servers.settled(),
    (workspace) => parts.configurations.tools(workspace),
  );
}

export function createToolServers(parts: Parts): ToolServersOfApp {
  const { configurations, permissions, secrets, registry, workspaces, options } = parts;
  return new ToolServersOfApp({
    configurations,
    keys: options.keys,
    secrets,
    timer: options.timer,
    workspace: (id) => workspaces.open(id),
    reads: (id) => {
      const configured = configuredRules('build', permissions.current(), [], configurations.current(id));
      return {
        visibility: visibilityOf({ configured, saved: [] }),
        locks: locksOf({ configured }),
        except: [],
      };
    },
    register: (tool) => registry.register(tool),
  });
}
