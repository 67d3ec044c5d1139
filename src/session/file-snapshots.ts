import { faultOf, type Fault } from '../base/fault.ts';
import type { Hash } from '../base/hash.ts';
import type { Unlisten } from '../base/listeners.ts';
import type { SnapshotSink, Workspace } from '../workspace/workspace.ts';
import type { EventOf } from './events.ts';
import type { SessionLog } from './log.ts';
import type { BlobStore } from './store.ts';

type Reason = EventOf<'snapshot.taken'>['reason'];

/** Of a workspace with more files, only the start is kept: a list of them with every turn would outgrow the files. */
export const MOST_FILES = 2_000;

class TooManyFiles extends Error {}

export interface FileSnapshotsDeps {
  readonly log: SessionLog;
  readonly blobs: BlobStore;
  /** Puts the files and their manifest into `sink`; returns the manifest's hash. */
  snapshot?(workspace: Workspace, sink: SnapshotSink): Promise<Hash>;
  problem(fault: Fault): void;
}

/** The files as they were before the first call of a session, for undo and for recordings, and after each turn that changed some. */
export class FileSnapshots {
  readonly #deps: FileSnapshotsDeps;
  /** What the session is known to own. */
  readonly #owned = new Set<Hash>();
  #workspace: Workspace | null = null;
  #unwatch: Unlisten | null = null;
  #begun = false;
  #changed = false;
  #last: Hash | null = null;
  #taking: Promise<void> = Promise.resolve();

  constructor(deps: FileSnapshotsDeps) {
    this.#deps = deps;
  }

  beforeTurn(workspace: Workspace): void {
    const { state } = this.#deps.log;
    // A sub-agent's changes belong to the session that it works for.
    if (state.parent || !this.#deps.snapshot) return;
    if (this.#workspace !== workspace) {
      this.#unwatch?.();
      this.#workspace = workspace;
      this.#unwatch = workspace.watch(() => (this.#changed = true));
    }
    if (state.startSnapshot !== null || this.#begun) return;
    this.#begun = true;
    this.#take('session-start', Infinity);
  }

  /** A turn has ended. */
  turnEnded(): void {
    if (!this.#changed) return;
    this.#changed = false;
    this.#take('turn-end', MOST_FILES);
  }

  /** Resolves when none is being taken: the files may be changed. */
  async ready(): Promise<void> {
    await this.#taking;
  }

  async close(): Promise<void> {
    this.#unwatch?.();
    this.#unwatch = null;
    await this.#taking;
  }

  #take(reason: Reason, most: number): void {
    const workspace = this.#workspace;
    if (!workspace) return;
    this.#taking = this.#taking.then(async () => {
      try {
        const manifest = await this.#deps.snapshot?.(workspace, this.#sink(most));
        if (manifest === undefined || manifest === this.#last) return;
        this.#last = manifest;
        this.#deps.log.append({ type: 'snapshot.taken', manifest, reason });
      } catch (error) {
        if (error instanceof TooManyFiles) return;
        if (reason === 'session-start') this.#begun = false;
        else this.#changed = true;
        this.#deps.problem(faultOf(error, 'snapshot-failed'));
      }
    });
  }

  #sink(most: number): SnapshotSink {
    const { blobs, log } = this.#deps;
    const owner = log.state.sessionID;
    return {
      missing: async (hashes) => {
        if (hashes.length > most) throw new TooManyFiles();
        const unknown = hashes.filter((hash) => !this.#owned.has(hash));
        const missing = unknown.length === 0 ? [] : await blobs.retain(owner, unknown);
        const absent = new Set(missing);
        for (const hash of unknown) if (!absent.has(hash)) this.#owned.add(hash);
        return missing;
      },
      put: async (hash, bytes) => {
        await blobs.put(owner, [{ hash, bytes: new Uint8Array(bytes) }]);
        this.#owned.add(hash);
      },
    };
  }
}
