import * as z from 'zod';
import { FaultError } from '../base/fault.ts';
import { digestBytes, type Hash } from '../base/hash.ts';
import { isCanonicalRelative } from './paths.ts';
import type { SnapshotEntry, SnapshotSink, Workspace } from './workspace.ts';

const path = z.string().refine(isCanonicalRelative, 'not a path inside the workspace');
const mode = z.number().int().min(0).max(0o7777);

export const snapshotEntriesSchema = z.array(
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('directory'), path, mode }),
    z.object({ type: z.literal('symlink'), path, target: z.string() }),
    z.object({
      type: z.literal('file'),
      path,
      mode,
      modified: z.number(),
      size: z.number().int().nonnegative(),
      hash: z.string(),
    }),
  ]),
);

/**
 * Keeps the whole tree: contents and, as JSON, the list of what they are. Returns the hash of that list, which is the
 * same for the same tree.
 */
export function takeSnapshot(workspace: Workspace, sink: SnapshotSink): Promise<Hash> {
  // One after another: a runtime keeps the contents of one snapshot while it is taken.
  const before = taking.get(workspace) ?? Promise.resolve();
  const taken = before.then(() => take(workspace, sink));
  taking.set(
    workspace,
    taken.catch(() => undefined),
  );
  return taken;
}

const taking = new WeakMap<Workspace, Promise<unknown>>();

async function take(workspace: Workspace, sink: SnapshotSink): Promise<Hash> {
  const entries = await workspace.snapshot(sink);
  const bytes = new TextEncoder().encode(JSON.stringify(entries));
  const manifest = await digestBytes(bytes);
  if ((await sink.missing([manifest])).length > 0) await sink.put(manifest, bytes);
  return manifest;
}

/** The entries of a snapshot. Fault `snapshot-damaged` where they cannot be what was kept. */
export async function readSnapshot(
  manifest: Hash,
  contents: (hash: Hash) => Promise<Uint8Array>,
): Promise<readonly SnapshotEntry[]> {
  const bytes = await contents(manifest);
  if ((await digestBytes(bytes)) === manifest) {
    const parsed = snapshotEntriesSchema.safeParse(JSON.parse(new TextDecoder().decode(bytes)));
    if (parsed.success) return parsed.data;
  }
  throw new FaultError({
    code: 'snapshot-damaged',
    what: 'The list of files in this snapshot is damaged.',
    where: manifest,
    next: 'The files are as they were; another snapshot can be restored.',
  });
}

/** Makes the tree equal to a snapshot, or changes nothing and rejects. */
export async function restoreSnapshot(
  workspace: Workspace,
  manifest: Hash,
  contents: (hash: Hash) => Promise<Uint8Array>,
): Promise<void> {
  await workspace.restore(await readSnapshot(manifest, contents), contents);
}
