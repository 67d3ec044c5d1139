import { BatchedBlobs } from '../../src/session/turn/batched-blobs.ts';
import { openStorage } from '../../src/storage/open.ts';
import { compareTrees } from '../../src/workspace/changes/compare.ts';
import { FileLists } from '../../src/workspace/file-lists.ts';
import { listFiles, readSnapshot, restoreEntries, takeSnapshot } from '../../src/workspace/snapshot.ts';
import type { SnapshotSink, Workspace } from '../../src/workspace/workspace.ts';

const OWNER = 'ses_bench';
const encoder = new TextEncoder();

/** Snapshots of a workspace in the browser's storage, as a session takes them. */
export class BenchHistory {
  readonly #workspace: Workspace;
  readonly #lists = new FileLists();
  readonly #owned = new Set<string>();
  #edits = 0;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** Milliseconds for a snapshot, and the bytes that it put into the storage. */
  async snapshot(): Promise<{ readonly ms: number; readonly bytes: number; readonly manifest: string }> {
    const { sessions } = await openStorage({ onProblem: (fault) => console.error(fault) });
    const batched = new BatchedBlobs(sessions.blobs, OWNER);
    let bytes = 0;
    const sink: SnapshotSink = {
      missing: async (hashes) => {
        const unknown = hashes.filter((hash) => !this.#owned.has(hash));
        const missing = unknown.length === 0 ? [] : await sessions.blobs.retain(OWNER, unknown);
        for (const hash of unknown) this.#owned.add(hash);
        return missing;
      },
      put: async (hash, content) => {
        bytes += content.length;
        await batched.put({ hash, bytes: new Uint8Array(content) });
      },
    };
    const started = performance.now();
    const manifest = await takeSnapshot(this.#workspace, sink, this.#lists);
    return { ms: performance.now() - started, bytes, manifest: manifest ?? '' };
  }

  /** Changes so many files. */
  async edit(files: number): Promise<void> {
    this.#edits++;
    const { paths } = await this.#workspace.search.glob({
      pattern: '**/*.ts',
      limit: 10_000,
      timeoutMs: 60_000,
    });
    for (const path of [...paths].sort().slice(0, files))
      await this.#workspace.files.write(path, encoder.encode(`export const edit = ${this.#edits};\n`));
  }

  /** Milliseconds to make the files as they were in a snapshot. */
  async restore(manifest: string): Promise<number> {
    const { sessions } = await openStorage({ onProblem: (fault) => console.error(fault) });
    const content = async (hash: string) =>
      (await sessions.blobs.get(hash)) ?? Promise.reject(new Error(`${hash} is not stored`));
    const started = performance.now();
    const entries = await readSnapshot(manifest, content);
    const now = await listFiles(this.#workspace);
    if (compareTrees(now, entries).length === 0) throw new Error('There is nothing to restore.');
    await restoreEntries(this.#workspace, entries, now, content);
    await this.#workspace.durable();
    return performance.now() - started;
  }
}
