import { hashBytes, type Hash } from '../base/hash.ts';
import * as z from 'zod';
import type { SnapshotEntry, SnapshotSink, Workspace } from './workspace.ts';

const entrySchema: z.ZodType<SnapshotEntry> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('directory'), path: z.string(), mode: z.number() }),
  z.object({ type: z.literal('symlink'), path: z.string(), target: z.string() }),
  z.object({
    type: z.literal('file'),
    path: z.string(),
    mode: z.number(),
    modified: z.number(),
    size: z.number(),
    hash: z.string(),
  }),
]);
const manifestSchema = z.object({ version: z.literal(1), entries: z.array(entrySchema) });

/** Puts the files and a manifest of them into `sink`; returns the manifest's hash. Equal trees have equal hashes. */
export async function takeSnapshot(workspace: Workspace, sink: SnapshotSink): Promise<Hash> {
  const entries = await workspace.snapshot(sink);
  const manifest: z.infer<typeof manifestSchema> = { version: 1, entries: [...entries] };
  const bytes = new TextEncoder().encode(JSON.stringify(manifest));
  const hash = hashBytes(bytes);
  if ((await sink.missing([hash])).length > 0) await sink.put(hash, bytes);
  return hash;
}

/** Makes the files equal to a snapshot. Rejects where the manifest or a content is not there, before anything changes. */
export async function restoreSnapshot(
  workspace: Workspace,
  manifest: Hash,
  contents: (hash: Hash) => Promise<Uint8Array>,
): Promise<void> {
  const { entries } = manifestSchema.parse(JSON.parse(new TextDecoder().decode(await contents(manifest))));
  await workspace.restore(entries, contents);
}
