import { pageClock } from '../../base/clock.ts';
import type { Parts } from './parts.ts';

/** How long deleted sessions and workspaces can be restored. */
const UNDO_MS = 24 * 60 * 60 * 1000;
/** How long full outputs are stored; sessions with Keep on store them longer. */
const OUTPUTS_MS = 7 * 24 * 60 * 60 * 1000;

/** Removes for good what was deleted long ago, and full outputs past their time. */
export async function purgeExpired({ sessions, options: { storage } }: Parts): Promise<void> {
  const now = pageClock.now();
  await storage.sessions.purge(now - UNDO_MS);
  await storage.workspaces.purge(now - UNDO_MS);
  // Limited to workspaces that this tab writes: taking the locks of others would shut out other tabs.
  const writableIDs = new Set(
    sessions.live().flatMap(({ state, writable }) => (writable ? state.workspaceID : [])),
  );
  await sessions.dropExpiredOutputs(now - OUTPUTS_MS, (id) => writableIDs.has(id));
}
