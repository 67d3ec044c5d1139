import { digestBytes, type Hash } from '../../base/hash.ts';
import { WorkspaceError, type SnapshotEntry, type SnapshotSink } from '../workspace.ts';
import { withChanges } from '../file-lists.ts';
import type { Unignored } from '../without-ignored.ts';
import type { CallKernel } from './calls.ts';
import { answers } from './schemas.ts';

/** Contents are fetched in groups of about this size. */
const GROUP_BYTES = 8_000_000;

/**
 * Takes the snapshots of one workspace, one after another. It remembers the last list, because most snapshots differ
 * from it in few files: only those are listed, sent and checked again. Entries that did not change stay the same objects.
 */
export class SnapshotCalls {
  readonly #call: CallKernel;
  #last: { readonly id: string; readonly entries: readonly SnapshotEntry[] } | null = null;
  #unignored: Unignored | null = null;

  constructor(call: CallKernel) {
    this.#call = call;
  }

  async takeInto(sink: SnapshotSink, skipIgnored: boolean): Promise<readonly SnapshotEntry[]> {
    const contentsOf = (hashes: readonly Hash[]) =>
      this.#call({ method: 'snapshotContents', hashes }, answers.contents);
    const all = await this.#list();
    try {
      const entries = skipIgnored ? await (await this.#filter()).entries(all, contentsOf) : all;
      const sizes = new Map(
        entries.flatMap((entry) => (entry.type === 'file' ? [[entry.hash, entry.size] as const] : [])),
      );
      const missing = await sink.missing([...sizes.keys()]);
      for (const hashes of groups(missing, sizes)) {
        const contents = await contentsOf(hashes);
        await Promise.all(
          contents.map(async (bytes, index) => sink.put(await verified(hashes[index], bytes), bytes)),
        );
      }
      return entries;
    } finally {
      await this.#call({ method: 'snapshotTaken' }, answers.nothing);
    }
  }

  async #list(): Promise<readonly SnapshotEntry[]> {
    const last = this.#last;
    const { id, whole, changed, gone } = await this.#call(
      { method: 'snapshot', since: last?.id ?? null },
      answers.snapshot,
    );
    const entries = whole || !last ? changed : withChanges(last.entries, { changed, gone });
    this.#last = { id, entries };
    return entries;
  }

  async #filter(): Promise<Unignored> {
    const { Unignored } = await import('../without-ignored.ts');
    return (this.#unignored ??= new Unignored());
  }
}

export async function restoreSnapshot(
  call: CallKernel,
  entries: readonly SnapshotEntry[],
  contents: (hash: Hash) => Promise<Uint8Array>,
): Promise<void> {
  const given = new Map<Hash, Uint8Array>();
  for (;;) {
    const missing = await call({ method: 'restore', entries, contents: given }, answers.hashes);
    if (missing.length === 0) return;
    if (missing.some((hash) => given.has(hash)))
      throw new WorkspaceError('EGONE', '', 'The snapshot could not be restored.');
    const fetched = await Promise.all(missing.map(contents));
    for (const [index, bytes] of fetched.entries()) given.set(await verified(missing[index], bytes), bytes);
  }
}

/** Checks the hash that the frame gives for a content, because the app trusts hashes from here on. */
async function verified(hash: Hash | undefined, bytes: Uint8Array): Promise<Hash> {
  const actual = await digestBytes(bytes);
  if (actual !== hash)
    throw new WorkspaceError('EINVAL', '', 'A content does not have the hash it was given.');
  return actual;
}

function* groups(hashes: readonly Hash[], sizes: ReadonlyMap<Hash, number>): Generator<Hash[]> {
  let group: Hash[] = [];
  let bytes = 0;
  for (const hash of hashes) {
    group.push(hash);
    bytes += sizes.get(hash) ?? 0;
    if (bytes < GROUP_BYTES) continue;
    yield group;
    group = [];
    bytes = 0;
  }
  if (group.length > 0) yield group;
}
