import type { Clock, Ids } from '../base/clock.ts';
import { FaultError } from '../base/fault.ts';
import { Listeners, type Unlisten } from '../base/listeners.ts';
import type { Timer } from '../base/timer.ts';
import type { HeldLock, WorkspaceLocks } from '../storage/locks.ts';
import type { AppWorkspaces, WorkspaceSummary } from '../ui/app.ts';
import { words } from '../ui/words.ts';
import type { Jobs } from '../workspace/jobs.ts';
import type { WorkspaceRecord, WorkspaceRegistry } from '../workspace/registry.ts';
import type { Workspace, WorkspaceKind } from '../workspace/workspace.ts';

export interface WorkspacesDeps {
  readonly registry: WorkspaceRegistry;
  readonly locks: WorkspaceLocks;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The kind of new workspaces if none is specified. */
  readonly kind: WorkspaceKind | 'auto';
  /** Asks for a container to be tried when this new workspace starts. */
  tryContainer(workspaceID: string): void;
  /** Starts the runtime of a workspace. */
  start(record: WorkspaceRecord): Promise<Workspace>;
  /** This tab gives up a workspace: stops its sessions and writes what is left. */
  closeSessions(workspaceID: string): Promise<void>;
  /** Closes the sessions that only followed another tab, so that they are reopened for writing. */
  closeFollowers(workspaceID: string): Promise<void>;
  /** Whether a turn is running in one of the workspace's sessions. */
  isBusy(workspaceID: string): boolean;
  /** Whether this tab shows a session of the workspace that another tab writes. */
  isFollowed(workspaceID: string): boolean;
  readonly timer: Timer;
  /** Notifies the other tabs. */
  changed(): void;
}

/**
 * How many of the most recently used workspaces stay started even if they are not on the page, so that switching
 * between them is fast.
 */
const STAY_READY = 3;
/** How long a tab may take to reload, in milliseconds. Until then, no other tab takes over its workspace. */
const RELOAD_MS = 3_000;

/** The workspaces of this device. Only the tab with a workspace's lock runs it and writes to it. */
export class Workspaces implements AppWorkspaces {
  readonly #deps: WorkspacesDeps;
  readonly #changed = new Listeners<void>();
  readonly #locks = new Map<string, Promise<HeldLock | undefined>>();
  /** Ordered by use; the most recently used one is last. */
  readonly #running = new Map<string, Promise<Workspace>>();
  /** How many views show each workspace. */
  readonly #viewers = new Map<string, number>();
  /** Workspaces that this tab will take over when their writer closes. */
  readonly #awaited = new Set<string>();

  constructor(deps: WorkspacesDeps) {
    this.#deps = deps;
  }

  async list(): Promise<readonly WorkspaceSummary[]> {
    return this.#deps.registry.list();
  }

  async create({
    name,
    kind = this.#deps.kind,
    mayTryContainer = false,
  }: {
    name?: string;
    kind?: WorkspaceKind | 'auto';
    mayTryContainer?: boolean;
  } = {}): Promise<WorkspaceSummary> {
    const { registry } = this.#deps;
    const now = this.#deps.clock.now();
    const record: WorkspaceRecord = {
      id: this.#deps.ids.next('wsp'),
      name: name ?? freeName((await registry.list()).map((known) => known.name)),
      kind: kind === 'auto' ? 'embedded' : kind,
      created: now,
      updated: now,
      deleted: null,
      touched: false,
    };
    await registry.create(record);
    if (kind === 'auto' && mayTryContainer) this.#deps.tryContainer(record.id);
    this.#notify();
    return record;
  }

  async rename(id: string, name: string): Promise<void> {
    await this.#deps.registry.update(id, { name, updated: this.#deps.clock.now() });
    this.#notify();
  }

  async delete(id: string): Promise<void> {
    if (!(await this.claim(id))) throw new FaultError(ELSEWHERE);
    // From here on nobody gets the lock, so that what ends here is not opened again meanwhile.
    await this.#deps.registry.markDeleted(id, this.#deps.clock.now());
    try {
      await this.#release(id);
    } finally {
      this.#notify();
    }
  }

  async restore(id: string): Promise<void> {
    await this.#deps.registry.markDeleted(id, null);
    this.#notify();
  }

  /**
   * Returns whether this tab may write to the workspace; takes the lock if it is free. Rejects with a fault if the
   * workspace is removed.
   */
  async claim(id: string): Promise<boolean> {
    let lock = this.#locks.get(id);
    if (!lock) {
      lock = this.#acquire(id);
      this.#locks.set(id, lock);
      lock.then(
        (acquired) => {
          if (acquired) return;
          this.#locks.delete(id);
          void this.#takeOverWhenFree(id);
        },
        () => this.#locks.delete(id),
      );
    }
    return (await lock) !== undefined;
  }

  /** Rejects with a fault if another tab has the workspace, and if it is removed. */
  async open(id: string): Promise<Workspace> {
    if (!(await this.claim(id))) throw new FaultError(ELSEWHERE);
    const running = this.#running.get(id) ?? this.#start(id);
    this.#running.delete(id);
    this.#running.set(id, running);
    running.then(
      () => this.suspendUnused(),
      () => this.#running.delete(id),
    );
    return running;
  }

  /** The jobs of a workspace, if it is open here. */
  async jobs(id: string): Promise<Jobs | undefined> {
    return (await this.#running.get(id)?.catch(() => undefined))?.jobs;
  }

  look(id: string): Unlisten {
    this.#viewers.set(id, (this.#viewers.get(id) ?? 0) + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const left = (this.#viewers.get(id) ?? 1) - 1;
      if (left > 0) this.#viewers.set(id, left);
      else this.#viewers.delete(id);
      this.suspendUnused();
    };
  }

  /**
   * Suspends workspaces that are not on the page, which frees their frames and workers. The most recently used ones
   * and those with a running turn stay. A workspace in which something runs refuses by itself.
   */
  suspendUnused(): void {
    const { isBusy } = this.#deps;
    for (const [id, running] of [...this.#running].slice(0, -STAY_READY))
      if (!this.#viewers.has(id) && !isBusy(id)) void running.then(suspend, () => {});
  }

  async takeOver(id: string): Promise<void> {
    // If the writer is gone, the lock is free to take.
    if (await this.claim(id)) return this.#changed.emit();
    const lock = this.#deps.locks.takeOver(id, this.#holder(id));
    this.#locks.set(id, lock);
    try {
      await lock;
    } catch (error) {
      this.#locks.delete(id);
      throw error;
    }
    // Open sessions only follow; they are reopened for writing.
    await this.#deps.closeFollowers(id);
    this.#changed.emit();
  }

  onChange(listener: () => void): Unlisten {
    return this.#changed.add(listener);
  }

  /** Another tab changed the list. */
  reread(): void {
    this.#changed.emit();
  }

  async #start(id: string): Promise<Workspace> {
    const { registry } = this.#deps;
    const record = await registry.get(id);
    if (!record) throw unknown(id);
    const workspace = await this.#deps.start(record);
    if (!record.touched) {
      const unlisten = workspace.watch(() => {
        unlisten();
        void registry.update(id, { touched: true });
      });
    }
    return workspace;
  }

  async #acquire(id: string): Promise<HeldLock | undefined> {
    const lock = await this.#deps.locks.acquire(id, this.#holder(id));
    // The lock is there first, because whoever has it may be removing the workspace.
    const record = lock && (await this.#deps.registry.get(id));
    if (record && record.deleted !== null) {
      await lock?.release();
      throw unknown(id);
    }
    // Open sessions could only follow until now; they are reopened for writing.
    if (lock) await this.#deps.closeFollowers(id);
    return lock;
  }

  /** Takes over from a writer that was closed, if this tab still follows the workspace by then. */
  async #takeOverWhenFree(id: string): Promise<void> {
    if (this.#awaited.has(id)) return;
    this.#awaited.add(id);
    const { locks, timer, isFollowed } = this.#deps;
    await locks.freed(id);
    await new Promise<void>((resolve) => void timer.after(RELOAD_MS, resolve));
    this.#awaited.delete(id);
    // The tab that wrote to it may have removed it.
    if (isFollowed(id) && (await this.claim(id).catch(() => false))) this.#changed.emit();
  }

  #holder(id: string) {
    return {
      stop: () => {
        // From here on the lock is not ours: sessions that open meanwhile must follow.
        this.#locks.delete(id);
        return this.#stop(id);
      },
      lost: () => {
        this.#locks.delete(id);
        // The lock was taken by force: whatever still runs here must stop writing.
        void this.#stop(id).finally(() => this.#changed.emit());
      },
    };
  }

  async #stop(id: string): Promise<void> {
    await this.#deps.closeSessions(id);
    const running = this.#running.get(id);
    this.#running.delete(id);
    await (await running?.catch(() => undefined))?.close();
  }

  async #release(id: string): Promise<void> {
    const lock = await this.#locks.get(id);
    this.#locks.delete(id);
    await this.#stop(id);
    await lock?.release();
  }

  #notify(): void {
    this.#changed.emit();
    this.#deps.changed();
  }
}

/** A container is not suspended, because the packages that were installed in it are in no journal. */
async function suspend(workspace: Workspace): Promise<void> {
  if (workspace.kind === 'embedded') await workspace.suspend?.();
}

/** The fault for a workspace that another tab writes to. */
export const ELSEWHERE = {
  code: 'workspace-elsewhere',
  what: 'This workspace is open in another tab, and only that tab can write to it.',
  next: 'Choose "Take over" to continue here.',
};

function unknown(id: string): FaultError {
  return new FaultError({
    code: 'workspace-unknown',
    what: 'There is no such workspace on this device.',
    where: id,
    next: 'Choose another session, or create a new workspace.',
  });
}

function freeName(taken: readonly string[]): string {
  for (let number = taken.length + 1; ; number++) {
    const name = words.workspaceNumber(number);
    if (!taken.includes(name)) return name;
  }
}
