import type { Clock } from '../../base/clock.ts';
import { FaultError, faultOf, type Fault } from '../../base/fault.ts';
import type { Hash } from '../../base/hash.ts';
import type { Unlisten } from '../../base/listeners.ts';
import { FileLists } from '../../workspace/file-lists.ts';
import type { takeSnapshot } from '../../workspace/snapshot.ts';
import type { SnapshotSink, Workspace } from '../../workspace/workspace.ts';
import type { EventOf } from '../log/events.ts';
import { newestPrompt } from '../log/newest-prompt.ts';
import type { SessionLog } from '../log/log.ts';
import type { SessionState } from '../log/state.ts';
import type { BlobStore } from '../log/store.ts';
import { BatchedBlobs } from './batched-blobs.ts';

type Reason = EventOf<'snapshot.taken'>['reason'];

/** A snapshot that is due, and the prompt to whose moment or work it belongs. */
interface Due {
  readonly reason: Reason;
  readonly messageID?: string;
  /** It is taken even if nothing is known to have changed. */
  readonly always?: boolean;
}

/** With more files, none are kept after single calls: to list all of them after each one costs too much. */
export const MOST_FILES_AFTER_CALLS = 2_000;

/** With more files, only the start snapshot is kept. */
export const MOST_FILES = 20_000;

/**
 * How many bytes the snapshots after calls may add while a session is open; a recording has no room for more.
 */
export const MOST_BYTES_AFTER_CALLS = 20_000_000;

const MOST_FILES_FOR: Readonly<Record<Reason, number>> = {
  'session-start': Infinity,
  'turn-start': MOST_FILES,
  'call-end': MOST_FILES_AFTER_CALLS,
  'turn-end': MOST_FILES,
  restore: Infinity,
};

function notTaken(): Promise<never> {
  return Promise.reject(
    new FaultError({
      code: 'snapshot-failed',
      what: 'There are no snapshots of the files in this session.',
    }),
  );
}

/** Whether the agent has been asked anything. */
function hasAnswers({ messages }: SessionState): boolean {
  return [...messages.values()].some(({ role }) => role === 'assistant');
}

class TooMuch extends Error {}

export interface FileSnapshotsDeps {
  readonly clock?: Clock;
  readonly log: SessionLog;
  readonly blobs: BlobStore;
  /**
   * Puts the files and their next list into `sink`. Returns the list's hash, or `undefined` if nothing
   * changed.
   */
  snapshot?: typeof takeSnapshot;
  problem(fault: Fault): void;
}

/**
 * Takes snapshots of the files before the first call of a session, for undo and for recordings, after each call
 * or turn that changed some, and before a turn if the person did.
 */
export class FileSnapshots {
  readonly #deps: FileSnapshotsDeps;
  readonly #lists = new FileLists();
  /** Hashes of blobs that the session is known to own. */
  readonly #owned = new Set<Hash>();
  #workspace: Workspace | null = null;
  #unwatch: Unlisten | null = null;
  #begun = false;
  #changed = false;
  /** Set after a failure: no other snapshot is taken before the turn ends. */
  #waitsForTurn = false;
  #bytesAfterCalls = 0;
  #taking: Promise<void> | null = null;

  constructor(deps: FileSnapshotsDeps) {
    this.#deps = deps;
  }

  beforeTurn(workspace: Workspace): void {
    const { state } = this.#deps.log;
    // A sub-agent's changes belong to the session that it works for.
    if (state.parent || !this.#deps.snapshot) return;
    this.#watch(workspace);
    // Once the agent has worked, it is too late to tell how the files were at the start.
    const isStart = state.startSnapshot === null && !this.#begun && !hasAnswers(state);
    if (isStart) {
      this.#begun = true;
      this.#take('session-start');
    } else if (this.#changed) this.#take('turn-start');
  }

  /**
   * A prompt has come, maybe into a running turn, whose newest work is in no snapshot yet. One is taken then, because the
   * newest that is there may be older than the moment before the prompt.
   */
  promptAccepted(): void {
    // A prompt that comes before files are watched has its snapshot when its turn begins.
    if (!this.#workspace || this.#deps.log.state.parent) return;
    if (this.#changed || this.#taking) this.#take('turn-start', true);
  }

  callEnded(): void {
    if (!this.#changed || this.#waitsForTurn || this.#bytesAfterCalls > MOST_BYTES_AFTER_CALLS) return;
    this.#take('call-end');
  }

  turnEnded(): void {
    this.#waitsForTurn = false;
    // One that is being taken may still fail, because a call left too much.
    if (this.#changed || this.#taking) this.#take('turn-end');
  }

  /**
   * Takes a snapshot of the files as they are now and returns its manifest. Unlike the others, this one was asked for,
   * so it has no limits, and rejects with a fault if it cannot be stored.
   */
  async present(workspace: Workspace): Promise<Hash> {
    const { snapshot, log } = this.#deps;
    this.#watch(workspace);
    await this.#taking;
    // Only now, because the one that was under way may have been the newest.
    const newest = log.state.snapshots?.newest;
    const taking = (snapshot ?? notTaken)(workspace, this.#sink('restore'), this.#lists);
    this.#track(
      taking.then(
        () => undefined,
        () => undefined,
      ),
    );
    const manifest = await taking;
    this.#changed = false;
    if (manifest === undefined && newest !== undefined) return newest;
    if (manifest === undefined) return notTaken();
    log.append({ type: 'snapshot.taken', manifest, reason: 'restore' });
    return manifest;
  }

  #watch(workspace: Workspace): void {
    if (this.#workspace === workspace) return;
    this.#unwatch?.();
    this.#workspace = workspace;
    this.#unwatch = workspace.watch(() => (this.#changed = true));
    // Nobody watched what happened while the session was closed.
    this.#changed = true;
  }

  /** Resolves when no snapshot is being taken and the files may be changed; `null` if that is so already. */
  ready(): Promise<void> | null {
    return this.#taking;
  }

  /**
   * Where time is made up, resolves when no snapshot is being taken, so that each one has the same place among the events
   * in every run.
   */
  settled(): Promise<void> | null {
    return this.#deps.clock?.isMadeUp ? this.#taking : null;
  }

  async close(): Promise<void> {
    this.#unwatch?.();
    this.#unwatch = null;
    await this.#taking;
  }

  #take(reason: Reason, always = false): void {
    const prompt = newestPrompt(this.#deps.log.state);
    const due: Due = { reason, always, ...(prompt && { messageID: prompt.id }) };
    this.#track(Promise.resolve(this.#taking).then(() => this.#taken(due)));
  }

  #track(taking: Promise<void>): void {
    this.#taking = taking;
    void taking.then(() => {
      if (this.#taking === taking) this.#taking = null;
    });
  }

  async #taken(due: Due): Promise<void> {
    const { reason, always = false } = due;
    const workspace = this.#workspace;
    if (reason === 'turn-end') this.#waitsForTurn = false;
    // The previous snapshot may have been taken late enough to include all changes.
    if (!workspace || (reason !== 'session-start' && !this.#changed && !always)) return;
    this.#changed = false;
    try {
      const next = await this.#deps.snapshot?.(workspace, this.#sink(reason), this.#lists);
      // Nothing differs from the newest one, which may have been taken for another prompt.
      const manifest = next ?? (always ? this.#lists.last?.hash : undefined);
      if (manifest !== undefined)
        this.#deps.log.append({ type: 'snapshot.taken', manifest, reason, ...this.#late(due) });
    } catch (error) {
      this.#failed(due, error);
    }
  }

  /** The prompt that a snapshot belongs to, if a newer one has come meanwhile. */
  #late({ messageID }: Due): { readonly messageID?: string } {
    const isLate = messageID !== undefined && messageID !== newestPrompt(this.#deps.log.state)?.id;
    return isLate ? { messageID } : {};
  }

  #failed(due: Due, error: unknown): void {
    const { reason, messageID } = due;
    if (reason !== 'session-start') this.#changed = true;
    // A failed snapshot after a call is tried once more when the turn ends. A failure then is reported.
    if (reason === 'call-end') {
      this.#waitsForTurn = true;
      return;
    }
    const { log } = this.#deps;
    const { snapshots, messages } = log.state;
    const known = messages.get(messageID ?? '')?.files;
    const isTaken = reason === 'turn-end' ? known?.after : known;
    if (snapshots && (!snapshots.missed || isTaken))
      log.append({ type: 'snapshot.missed', reason, ...this.#late(due) });
    if (error instanceof TooMuch) this.#changed = false;
    else this.#deps.problem(faultOf(error, 'snapshot-failed'));
  }

  #countAfterCall(bytes: number): void {
    this.#bytesAfterCalls += bytes;
    if (this.#bytesAfterCalls > MOST_BYTES_AFTER_CALLS) throw new TooMuch();
  }

  #sink(reason: Reason): SnapshotSink {
    const { blobs, log } = this.#deps;
    const owner = log.state.sessionID;
    const mostFiles = MOST_FILES_FOR[reason];
    const batched = new BatchedBlobs(blobs, owner);
    return {
      missing: async (hashes) => {
        if (hashes.length > mostFiles) throw new TooMuch();
        const unknown = hashes.filter((hash) => !this.#owned.has(hash));
        const missing = unknown.length === 0 ? [] : await blobs.retain(owner, unknown);
        const absent = new Set(missing);
        for (const hash of unknown) if (!absent.has(hash)) this.#owned.add(hash);
        return missing;
      },
      put: async (hash, bytes) => {
        if (reason === 'call-end') this.#countAfterCall(bytes.length);
        await batched.put({ hash, bytes: new Uint8Array(bytes) });
        this.#owned.add(hash);
      },
    };
  }
}
