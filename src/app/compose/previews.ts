import { configuredRules } from '../../agents/rules.ts';
import { visibilityOf } from '../../permissions/visibility.ts';
import { visibilityTest } from '../../protocol/visibility.ts';
import { previewOriginOf, Previews } from '../previews.ts';
import type { Parts } from './parts.ts';

/** Loaded with the first preview. */
export function createPreviews(parts: Parts): Previews {
  const { hosts, options } = parts;
  return new Previews({
    container: options.container,
    timer: options.timer,
    origin: previewOriginOf(document),
    isVisible: async (workspaceID, path) => {
      const { configurations, permissions } = parts;
      const configured = configuredRules(
        'build',
        permissions.current(),
        [],
        configurations.current(workspaceID),
      );
      return visibilityTest(visibilityOf({ configured, saved: [] }))(path);
    },
    sources: async () => {
      const [{ AllowedHosts }, lines] = await Promise.all([import('../reach/hosts.ts'), hosts.hosts()]);
      return new AllowedHosts(lines, new URL(location.href)).sources;
    },
  });
}
