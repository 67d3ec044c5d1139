import type { JournalChange } from '../journal.ts';
import type { FileChange } from '../workspace.ts';
import type { Life } from './life.ts';
import { Mirror } from './mirror.ts';
import { sync } from './sync.ts';

/** While something runs, what is known of the files is believed for this long. */
const STALE_MS = 1_000;

export interface TruthOptions {
  /** The life that is now; one that was given up begins again. */
  readonly alive: () => Promise<Life>;
  readonly isAlive: () => boolean;
  /** Something runs that may change files. */
  readonly isRunning: () => boolean;
  /** To be kept, and told. */
  readonly changed: (changes: readonly FileChange[], kept: readonly JournalChange[]) => void;
}

/** What is known of the container's files, and how it is kept true of them. */
export class Truth {
  readonly mirror = new Mirror();
  readonly #options: TruthOptions;
  #queue: Promise<unknown> = Promise.resolve();
  /** Counts what may have changed the files without us, and how far of it is known. */
  #touched = 0;
  #known = 0;
  #synced = 0;
  /** When we last changed the files ourselves. */
  #wrote = 0;

  constructor(options: TruthOptions) {
    this.#options = options;
  }

  /** Something may have changed files. */
  touch(): void {
    this.#touched++;
  }

  /** They are as the mirror has them. */
  settle(): void {
    this.#known = this.#touched;
  }

  /** We changed them, and the mirror with them. */
  wrote(): void {
    this.#wrote = performance.now();
  }

  /** A change was seen; it is found out, told and kept although nobody may ask. */
  seen(): void {
    // Nobody else can have been it.
    if (!this.#options.isRunning() && performance.now() - this.#wrote < STALE_MS) return;
    this.touch();
    void this.fresh().catch(() => {});
  }

  /** One after the other, with the mirror true. */
  alone<T>(work: (life: Life) => Promise<T>): Promise<T> {
    const turn = this.#queue.then(async () => {
      const life = await this.#options.alive();
      await this.#sync(life);
      return work(life);
    });
    this.#queue = turn.catch(() => {});
    return turn;
  }

  /** The life that is now, with the mirror true of it. */
  fresh(): Promise<Life> {
    const alive = this.#options.alive();
    // What is true needs no turn: thousands of reads come at once.
    if (this.#options.isAlive() && !this.#isStale()) return alive;
    return alive.then((life) => (this.#isStale() ? this.alone(async (current) => current) : life));
  }

  #isStale(): boolean {
    return (
      this.#known !== this.#touched ||
      (this.#options.isRunning() && performance.now() - this.#synced > STALE_MS)
    );
  }

  async #sync(life: Life): Promise<void> {
    while (this.#isStale()) {
      const touched = this.#touched;
      const { changes, kept } = await sync(life, this.mirror);
      this.#known = touched;
      this.#synced = performance.now();
      this.#options.changed(changes, kept);
    }
  }
}
