import * as z from 'zod/mini';
import { FaultError } from '../base/fault.ts';
import { digestBytes, type Hash } from '../base/hash.ts';
import { FileLists, withChanges, type KeptList, type ListChanges } from './file-lists.ts';
import { isCanonicalRelative } from '../protocol/paths.ts';
import type { SnapshotEntry, SnapshotSink, Workspace } from './workspace.ts';

const path = z.string().check(z.refine(isCanonicalRelative, 'not a path inside the workspace'));
const mode = z.int().check(z.minimum(0), z.maximum(0o7777));

export const snapshotEntriesSchema = z.array(
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('directory'), path, mode }),
    z.object({ type: z.literal('symlink'), path, target: z.string() }),
    z.object({ type: z.literal('ignored'), path }),
    z.object({
      type: z.literal('file'),
      path,
      mode,
      modified: z.number(),
      size: z.int().check(z.nonnegative()),
      hash: z.string(),
    }),
  ]),
);

const keptListSchema = z.union([
  snapshotEntriesSchema,
  z.object({ since: z.string(), changed: snapshotEntriesSchema, gone: z.array(path) }),
]);

/**
 * Stores the tree without ignored files: the contents, and a list of the entries, as the next of `lists`. Returns the hash
 * of that list, or `undefined` where nothing has changed since the last one.
 */
export async function takeSnapshot(
  workspace: Workspace,
  sink: SnapshotSink,
  lists = new FileLists(),
): Promise<Hash | undefined> {
  const entries = await workspace.snapshot(sink, { skipIgnored: true });
  const list = await lists.next(entries);
  if (!list) return undefined;
  if ((await sink.missing([list.hash])).length > 0) await sink.put(list.hash, list.bytes);
  lists.took(list);
  return list.hash;
}

/** Reads the entries of a snapshot. Fault `snapshot-damaged` where they cannot be what was stored. */
export function readSnapshot(manifest: Hash, contents: ContentOf): Promise<readonly SnapshotEntry[]> {
  return new SnapshotReader(contents).read(manifest);
}

type ContentOf = (hash: Hash) => Promise<Uint8Array>;

/** Reads snapshots one after another. It remembers the last one, because most are stored as changes since another. */
export class SnapshotReader {
  readonly #contents: ContentOf;
  #last: { readonly manifest: Hash; readonly entries: readonly SnapshotEntry[] } | null = null;

  constructor(contents: ContentOf) {
    this.#contents = contents;
  }

  /** Reads the entries of a snapshot. Fault `snapshot-damaged` where they cannot be what was stored. */
  async read(manifest: Hash): Promise<readonly SnapshotEntry[]> {
    const changes: ListChanges[] = [];
    let entries: readonly SnapshotEntry[] | undefined;
    for (let at = manifest; !entries;) {
      if (at === this.#last?.manifest) entries = this.#last.entries;
      else {
        const list = await keptList(at, this.#contents);
        if ('since' in list) {
          changes.push(list);
          at = list.since;
        } else entries = list;
      }
    }
    entries = changes.reduceRight(withChanges, entries);
    this.#last = { manifest, entries };
    return entries;
  }
}

async function keptList(hash: Hash, contents: ContentOf): Promise<KeptList> {
  const bytes = await contents(hash);
  if ((await digestBytes(bytes)) === hash) {
    const parsed = keptListSchema.safeParse(JSON.parse(new TextDecoder().decode(bytes)));
    if (parsed.success) return parsed.data;
  }
  throw new FaultError({
    code: 'snapshot-damaged',
    what: 'The list of files in this snapshot is damaged.',
    where: hash,
    next: 'The files are as they were; another snapshot can be restored.',
  });
}

/** The files now, without their contents. */
export function listFiles(workspace: Workspace): Promise<readonly SnapshotEntry[]> {
  const nothing: SnapshotSink = { missing: async () => [], put: async () => undefined };
  return workspace.snapshot(nothing, { skipIgnored: true });
}

/**
 * Makes the tree equal to these entries, or changes nothing and rejects. Files that were ignored then stay as they are, and
 * so do those that are ignored `now`, because the snapshot could not bring them back.
 */
export async function restoreEntries(
  workspace: Workspace,
  entries: readonly SnapshotEntry[],
  now: readonly SnapshotEntry[],
  contents: ContentOf,
): Promise<void> {
  const paths = new Set(entries.flatMap(({ path: at }) => withFolders(at)));
  const ignored = now.filter(({ type, path: at }) => type === 'ignored' && !paths.has(at));
  await workspace.restore([...entries, ...ignored], contents);
}

/** A path and the folders that it lies in. */
function withFolders(at: string): readonly string[] {
  return at.split('/').map((_, index, names) => names.slice(0, index + 1).join('/'));
}
