import type { Hash } from '../../base/hash.ts';
import { readSnapshot } from '../snapshot.ts';
import type { SnapshotSink, Workspace } from '../workspace.ts';
import { compareTrees, type ChangedPath } from './compare.ts';

const keepsNothing: SnapshotSink = { missing: async () => [], put: async () => undefined };

/**
 * Compares the workspace with one of its snapshots. Rejects with the fault `snapshot-damaged`, or with that of `content`
 * where the snapshot is no longer stored.
 */
export async function changesSince(
  workspace: Workspace,
  manifest: Hash,
  content: (hash: Hash) => Promise<Uint8Array>,
): Promise<readonly ChangedPath[]> {
  const [before, now] = await Promise.all([
    readSnapshot(manifest, content),
    workspace.snapshot(keepsNothing, { skipIgnored: true }),
  ]);
  return compareTrees(before, now);
}
