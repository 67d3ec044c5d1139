import type { Clock, Ids } from '../base/clock.ts';
import { FaultError } from '../base/fault.ts';
import { Listeners, type Unlisten } from '../base/listeners.ts';
import type { HeldLock, WorkspaceLocks } from '../storage/locks.ts';
import type { AppWorkspaces, WorkspaceSummary } from '../ui/app.ts';
import type { WorkspaceRecord, WorkspaceRegistry } from '../workspace/registry.ts';
import type { Workspace, WorkspaceKind } from '../workspace/workspace.ts';

export interface WorkspacesDeps {
  readonly registry: WorkspaceRegistry;
  readonly locks: WorkspaceLocks;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The kind of workspaces that are made without saying which. */
  readonly kind: WorkspaceKind | 'auto';
  /** A container is to be tried for this new workspace when it is started. */
  tryContainer(workspaceID: string): void;
  /** Starts the runtime of a workspace of this kind. */
  start(record: WorkspaceRecord): Promise<Workspace>;
  /** This tab lets go of a workspace: its sessions are to be stopped and written. */
  closeSessions(workspaceID: string): Promise<void>;
  /** Those of its sessions that could only follow another tab are to be opened anew. */
  closeFollowers(workspaceID: string): Promise<void>;
  /** Told to the other tabs. */
  changed(): void;
}

/** The workspaces of this device, and those that this tab holds: only the holder of its lock runs and writes one. */
export class Workspaces implements AppWorkspaces {
  readonly #deps: WorkspacesDeps;
  readonly #changed = new Listeners<void>();
  readonly #locks = new Map<string, Promise<HeldLock | undefined>>();
  readonly #running = new Map<string, Promise<Workspace>>();

  constructor(deps: WorkspacesDeps) {
    this.#deps = deps;
  }

  async list(): Promise<readonly WorkspaceSummary[]> {
    return this.#deps.registry.list();
  }

  async create({
    name,
    kind = this.#deps.kind,
  }: { name?: string; kind?: WorkspaceKind | 'auto' } = {}): Promise<WorkspaceSummary> {
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
    if (kind === 'auto') this.#deps.tryContainer(record.id);
    this.#tell();
    return record;
  }

  async rename(id: string, name: string): Promise<void> {
    await this.#deps.registry.update(id, { name, updated: this.#deps.clock.now() });
    this.#tell();
  }

  async delete(id: string): Promise<void> {
    if (!(await this.hold(id))) throw new FaultError(ELSEWHERE);
    await this.#letGo(id);
    await this.#deps.registry.markDeleted(id, this.#deps.clock.now());
    this.#tell();
  }

  async restore(id: string): Promise<void> {
    await this.#deps.registry.markDeleted(id, null);
    this.#tell();
  }

  /** Whether this tab may write the workspace; takes its lock where it is free. */
  async hold(id: string): Promise<boolean> {
    let lock = this.#locks.get(id);
    if (!lock) {
      lock = this.#acquire(id);
      this.#locks.set(id, lock);
      lock.then(
        (held) => void (held ?? this.#locks.delete(id)),
        () => this.#locks.delete(id),
      );
    }
    return (await lock) !== undefined;
  }

  /** Rejects with a fault where another tab holds it. */
  async open(id: string): Promise<Workspace> {
    if (!(await this.hold(id))) throw new FaultError(ELSEWHERE);
    let running = this.#running.get(id);
    if (!running) {
      running = this.#start(id);
      this.#running.set(id, running);
      running.catch(() => this.#running.delete(id));
    }
    return running;
  }

  async takeOver(id: string): Promise<void> {
    // Where its writer is gone it is ours for the asking.
    if (await this.hold(id)) return this.#changed.emit();
    const lock = this.#deps.locks.takeOver(id, this.#holder(id));
    this.#locks.set(id, lock);
    try {
      await lock;
    } catch (error) {
      this.#locks.delete(id);
      throw error;
    }
    // What is open here only follows: it is opened anew, to write.
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
    if (!record)
      throw new FaultError({
        code: 'workspace-unknown',
        what: 'There is no such workspace on this device.',
        where: id,
        next: 'Choose another session, or make a new workspace.',
      });
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
    const held = await this.#deps.locks.acquire(id, this.#holder(id));
    // What is open here could only follow until now: it is opened anew, to write.
    if (held) await this.#deps.closeFollowers(id);
    return held;
  }

  #holder(id: string) {
    return {
      stop: () => {
        // Not ours any more from here on: what is opened meanwhile must follow.
        this.#locks.delete(id);
        return this.#stop(id);
      },
      lost: () => {
        this.#locks.delete(id);
        // Taken by force: what still runs here must not write any more.
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

  async #letGo(id: string): Promise<void> {
    const lock = await this.#locks.get(id);
    this.#locks.delete(id);
    await this.#stop(id);
    await lock?.release();
  }

  #tell(): void {
    this.#changed.emit();
    this.#deps.changed();
  }
}

/** Another tab is the writer. */
export const ELSEWHERE = {
  code: 'workspace-elsewhere',
  what: 'This workspace is open in another tab, which is the one that writes it.',
  next: 'Choose "Take over" to go on here.',
};

function freeName(taken: readonly string[]): string {
  for (let number = taken.length + 1; ; number++) {
    const name = `Workspace ${number}`;
    if (!taken.includes(name)) return name;
  }
}
