import type { JournalChange } from '../../protocol/journal.ts';
import type { FileChange } from '../workspace.ts';
import type { ContainerInstance } from './instance.ts';
import { Mirror } from './mirror.ts';
import { sync } from './sync.ts';

/** How long the mirror counts as up to date while something runs. */
const STALE_MS = 1_000;

export interface MirrorSyncOptions {
  /** The current instance. A suspended one is started again. */
  readonly alive: () => Promise<ContainerInstance>;
  readonly isAlive: () => boolean;
  /** Whether something runs that may change files. */
  readonly isRunning: () => boolean;
  /** Reports changes to listeners and stores them in the journal. */
  readonly changed: (changes: readonly FileChange[], kept: readonly JournalChange[]) => void;
}

/** Keeps the mirror of the container's files up to date. */
export class MirrorSync {
  readonly mirror = new Mirror();
  readonly #options: MirrorSyncOptions;
  #queue: Promise<unknown> = Promise.resolve();
  /** Counts the times that something else may have changed files. */
  #touched = 0;
  /** The value of `#touched` that the mirror reflects. */
  #known = 0;
  #synced = 0;
  /** When the app itself last changed files. */
  #wrote = 0;

  constructor(options: MirrorSyncOptions) {
    this.#options = options;
  }

  /** Called when something may have changed files. */
  touch(): void {
    this.#touched++;
  }

  /** Called when the mirror is known to be up to date. */
  settle(): void {
    this.#known = this.#touched;
  }

  /** Called when the app has changed files, and the mirror with them. */
  wrote(): void {
    this.#wrote = performance.now();
  }

  /** Called when a watcher saw a change, which is then scanned for, reported and stored. */
  seen(): void {
    // The change is our own, because nothing else runs.
    if (!this.#options.isRunning() && performance.now() - this.#wrote < STALE_MS) return;
    this.touch();
    void this.fresh().catch(() => {});
  }

  /** Runs `work` with an up-to-date mirror, one at a time. */
  alone<T>(work: (instance: ContainerInstance) => Promise<T>): Promise<T> {
    const turn = this.#queue.then(async () => {
      const instance = await this.#options.alive();
      await this.#sync(instance);
      return work(instance);
    });
    this.#queue = turn.catch(() => {});
    return turn;
  }

  /** The current instance, once the mirror is up to date. */
  fresh(): Promise<ContainerInstance> {
    const alive = this.#options.alive();
    // An up-to-date mirror needs no place in the queue, because thousands of reads can come at once.
    if (this.#options.isAlive() && !this.#isStale()) return alive;
    return alive.then((instance) => (this.#isStale() ? this.alone(async (current) => current) : instance));
  }

  #isStale(): boolean {
    return (
      this.#known !== this.#touched ||
      (this.#options.isRunning() && performance.now() - this.#synced > STALE_MS)
    );
  }

  async #sync(instance: ContainerInstance): Promise<void> {
    while (this.#isStale()) {
      const touched = this.#touched;
      const { changes, kept } = await sync(instance, this.mirror);
      this.#known = touched;
      this.#synced = performance.now();
      this.#options.changed(changes, kept);
    }
  }
}
