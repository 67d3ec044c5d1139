import type { Hash } from '../../base/hash.ts';
import { listFiles, readSnapshot } from '../snapshot.ts';
import { ROOT, type Workspace } from '../workspace.ts';
import { compareTrees, type ChangedPath } from './compare.ts';
import { withEditedRenames } from './similar.ts';

/**
 * Compares the workspace with one of its snapshots; a file that was moved and edited is a rename. Rejects with the fault `snapshot-damaged`, or with that of `content`
 * where the snapshot is no longer stored.
 */
export async function changesSince(
  workspace: Workspace,
  manifest: Hash,
  content: (hash: Hash) => Promise<Uint8Array>,
): Promise<readonly ChangedPath[]> {
  const [before, now] = await Promise.all([readSnapshot(manifest, content), listFiles(workspace)]);
  const changes = compareTrees(before, now);
  const gone = new Set(changes.map((change) => change.before));
  return withEditedRenames(changes, (version) =>
    gone.has(version) && version.type === 'file'
      ? content(version.hash)
      : workspace.files.read(`${ROOT}/${version.path}`),
  );
}
