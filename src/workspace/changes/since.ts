import type { Hash } from '../../base/hash.ts';
import { listFiles, readSnapshot } from '../snapshot.ts';
import type { Workspace } from '../workspace.ts';
import { compareTrees, type ChangedPath } from './compare.ts';

/**
 * Compares the workspace with one of its snapshots. Rejects with the fault `snapshot-damaged`, or with that of `content`
 * where the snapshot is no longer stored.
 */
export async function changesSince(
  workspace: Workspace,
  manifest: Hash,
  content: (hash: Hash) => Promise<Uint8Array>,
): Promise<readonly ChangedPath[]> {
  const [before, now] = await Promise.all([readSnapshot(manifest, content), listFiles(workspace)]);
  return compareTrees(before, now);
}
