import { faultOf } from '../../base/fault.ts';
import { Listeners, type Unlisten } from '../../base/listeners.ts';
import { WorkspaceError, type WorkspaceStatus } from '../workspace.ts';
import type { ContainerInstance } from './instance.ts';

const AFTER_DEATH =
  'A restart brings back the files as last stored. Running processes have ended, and packages must be installed again.';

export interface LifecycleOptions {
  /** Boots, calls `came` as soon as there is a container, and mounts its files: `saved`, or those in the journal. */
  readonly begin: (
    saved: Uint8Array<ArrayBuffer> | undefined,
    came: (instance: ContainerInstance) => void,
  ) => Promise<ContainerInstance>;
  /** Exports the whole tree, including packages, in the runtime's own format. */
  readonly save: (instance: ContainerInstance) => Promise<Uint8Array<ArrayBuffer>>;
  /** Called when the processes of the current instance are gone. */
  readonly ended: (reason: string) => void;
  /** Called when a container died. It would not even confirm a teardown, so the next boot needs another runtime. */
  readonly lost: () => void;
}

/** Manages the container of a workspace across boots: which instance is the current one, and its status. */
export class ContainerLifecycle {
  readonly #options: LifecycleOptions;
  readonly #statuses = new Listeners<WorkspaceStatus>();
  #status: WorkspaceStatus = { state: 'starting' };
  #instance: Promise<ContainerInstance>;
  #current: ContainerInstance | undefined;
  #suspended = false;
  #restarting: Promise<void> | undefined;

  constructor(options: LifecycleOptions) {
    this.#options = options;
    this.#instance = this.#live();
  }

  get status(): WorkspaceStatus {
    return this.#status;
  }

  onStatus(listener: (status: WorkspaceStatus) => void): Unlisten {
    return this.#statuses.add(listener);
  }

  get current(): ContainerInstance | undefined {
    return this.#current;
  }

  get suspended(): boolean {
    return this.#suspended;
  }

  get #isClosed(): boolean {
    return this.#status.state === 'closed';
  }

  /** The current instance. A suspended one is started again. */
  alive(): Promise<ContainerInstance> {
    if (this.#suspended && !this.#isClosed) {
      this.#suspended = false;
      this.#become({ state: 'starting' });
      this.#instance = this.#live();
    }
    return this.#instance;
  }

  /** Tears the container down with everything that runs in it, and boots it again with the same files. */
  restart(): Promise<void> {
    this.#restarting ??= this.#restart().finally(() => (this.#restarting = undefined));
    return this.#restarting;
  }

  suspend(): void {
    this.#suspended = true;
    this.#end('another workspace uses the container');
  }

  /** Closes for good. `store` is called once nothing else can begin. */
  async close(store: () => Promise<void>): Promise<void> {
    if (this.#isClosed) return;
    await this.#restarting?.catch(() => undefined);
    await this.#instance.catch(() => undefined);
    if (!this.#suspended) await store().catch(() => {});
    this.#become({ state: 'closed' });
    this.#end('the workspace was closed');
    this.#instance = gone('The workspace is closed.');
  }

  stuck(what: string): void {
    if (this.#status.state !== 'ready') return;
    const name = what.length > 60 ? `${what.slice(0, 60)}…` : what;
    this.#become({
      state: 'stuck',
      reason: `A process could not be stopped: ${name}. Restart the container to stop it.`,
    });
  }

  died(instance: ContainerInstance, reason: string): void {
    if (this.#current !== instance || this.#isClosed) return;
    const worked = this.#status.state === 'ready' || this.#status.state === 'stuck';
    this.#end(reason);
    this.#options.lost();
    this.#instance = gone(`${reason} Restart the container to continue.`);
    if (!worked) return this.#become({ state: 'failed', reason });
    this.#become({ state: 'failed', reason: `${reason} ${AFTER_DEATH}`, restart: true });
  }

  async #restart(): Promise<void> {
    const old = await this.#instance.catch(() => undefined);
    const saved =
      old && !old.container.over ? await this.#options.save(old).catch(() => undefined) : undefined;
    // It may have been closed meanwhile.
    if (this.#isClosed) return;
    this.#become({ state: 'restarting', reason: 'The container is being restarted.' });
    this.#end('the container was restarted');
    this.#suspended = false;
    this.#instance = this.#live(saved);
    await this.#instance;
  }

  #live(saved?: Uint8Array<ArrayBuffer>): Promise<ContainerInstance> {
    const instance = this.#options.begin(saved, (came) => (this.#current = came));
    instance.then(
      () => {
        if (this.#instance === instance) this.#become({ state: 'ready' });
      },
      (error: unknown) => {
        if (this.#instance === instance) this.#become({ state: 'failed', reason: faultOf(error).what });
      },
    );
    return instance;
  }

  #end(reason: string): void {
    const instance = this.#current;
    this.#current = undefined;
    this.#options.ended(reason);
    if (!instance) return;
    const dead = instance.container.over;
    instance.end();
    // A dead container never answers, and the next boot would wait for its teardown.
    if (!dead) instance.container.client.teardown();
  }

  #become(status: WorkspaceStatus): void {
    if (this.#isClosed) return;
    this.#status = status;
    this.#statuses.emit(status);
  }
}

function gone(reason: string): Promise<never> {
  const instance = Promise.reject<never>(new WorkspaceError('EGONE', '', reason));
  instance.catch(() => {});
  return instance;
}
