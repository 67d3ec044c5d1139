import { configuredRules } from '../../agents/rules.ts';
import { pageClock } from '../../base/clock.ts';
import { visibilityOf } from '../../permissions/visibility.ts';
import { visibilityTest } from '../../protocol/visibility.ts';
import { PreviewNotes } from '../preview-notes.ts';
import { previewOriginOf, Previews } from '../previews.ts';
import { shownSessionID } from '../shown-session.ts';
import type { Parts } from './parts.ts';

/** Loaded with the first preview. */
export function createPreviews(parts: Parts): Previews {
  const { hosts, options, sessions } = parts;
  const notes = new PreviewNotes({
    sessions: () => sessions.live().filter((session) => 'note' in session),
    shownID: shownSessionID,
    timer: options.timer,
  });
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
    happened(workspaceID, event) {
      // The order in which a page does things is its own, and runs with a seed are to have equal logs.
      if (!pageClock.isMadeUp) notes.add(workspaceID, event);
    },
  });
}
