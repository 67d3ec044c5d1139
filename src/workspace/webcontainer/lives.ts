import { faultOf } from '../../base/fault.ts';
import { Listeners, type Unlisten } from '../../base/listeners.ts';
import { WorkspaceError, type WorkspaceStatus } from '../workspace.ts';
import type { Life } from './life.ts';

const AFTER_DEATH =
  'A restart brings the files back as they were last stored. What ran is ended, and packages have to be installed again.';

export interface LivesOptions {
  /** Boots, tells `came` as soon as there is a container, and lays out its files: `saved`, or those that were stored. */
  readonly begin: (saved: Uint8Array<ArrayBuffer> | undefined, came: (life: Life) => void) => Promise<Life>;
  /** The whole tree, packages too, in the runtime's own form. */
  readonly save: (life: Life) => Promise<Uint8Array<ArrayBuffer>>;
  /** What ran in the present one is gone. */
  readonly ended: (reason: string) => void;
  /** What was booted answers no more, not even that it was torn down: the next boot needs another runtime. */
  readonly lost: () => void;
}

/** A workspace's container from one boot to the next: which one is the present one, and how it is with it. */
export class Lives {
  readonly #options: LivesOptions;
  readonly #statuses = new Listeners<WorkspaceStatus>();
  #status: WorkspaceStatus = { state: 'starting' };
  #life: Promise<Life>;
  #current: Life | undefined;
  #suspended = false;
  #restarting: Promise<void> | undefined;

  constructor(options: LivesOptions) {
    this.#options = options;
    this.#life = this.#live();
  }

  get status(): WorkspaceStatus {
    return this.#status;
  }

  onStatus(listener: (status: WorkspaceStatus) => void): Unlisten {
    return this.#statuses.add(listener);
  }

  get current(): Life | undefined {
    return this.#current;
  }

  get suspended(): boolean {
    return this.#suspended;
  }

  get #isClosed(): boolean {
    return this.#status.state === 'closed';
  }

  /** The life that is now; one that was given up begins again. */
  alive(): Promise<Life> {
    if (this.#suspended && !this.#isClosed) {
      this.#suspended = false;
      this.#become({ state: 'starting' });
      this.#life = this.#live();
    }
    return this.#life;
  }

  /** The runtime is torn down with all that runs in it, and booted again; the files go over in one piece. */
  restart(): Promise<void> {
    this.#restarting ??= this.#restart().finally(() => (this.#restarting = undefined));
    return this.#restarting;
  }

  suspend(): void {
    this.#suspended = true;
    this.#end('another workspace uses the container');
  }

  /** `store` is done once nothing begins any more. */
  async close(store: () => Promise<void>): Promise<void> {
    if (this.#isClosed) return;
    await this.#restarting?.catch(() => undefined);
    await this.#life.catch(() => undefined);
    if (!this.#suspended) await store().catch(() => {});
    this.#become({ state: 'closed' });
    this.#end('the workspace was closed');
    this.#life = gone('The workspace is closed.');
  }

  stuck(what: string): void {
    if (this.#status.state !== 'ready') return;
    const name = what.length > 60 ? `${what.slice(0, 60)}…` : what;
    this.#become({
      state: 'stuck',
      reason: `A process goes on although it was ended: ${name}. Restart the container to be rid of it.`,
    });
  }

  died(life: Life, reason: string): void {
    if (this.#current !== life || this.#isClosed) return;
    const worked = this.#status.state === 'ready' || this.#status.state === 'stuck';
    this.#end(reason);
    this.#options.lost();
    this.#life = gone(`${reason} Restart the container to go on.`);
    if (!worked) return this.#become({ state: 'failed', reason });
    this.#become({ state: 'failed', reason: `${reason} ${AFTER_DEATH}`, restart: true });
  }

  async #restart(): Promise<void> {
    const old = await this.#life.catch(() => undefined);
    const saved =
      old && !old.container.over ? await this.#options.save(old).catch(() => undefined) : undefined;
    // Also while that was done.
    if (this.#isClosed) return;
    this.#become({ state: 'restarting', reason: 'The container is being restarted.' });
    this.#end('the container was restarted');
    this.#suspended = false;
    this.#life = this.#live(saved);
    await this.#life;
  }

  #live(saved?: Uint8Array<ArrayBuffer>): Promise<Life> {
    const life = this.#options.begin(saved, (came) => (this.#current = came));
    life.then(
      () => {
        if (this.#life === life) this.#become({ state: 'ready' });
      },
      (error: unknown) => {
        if (this.#life === life) this.#become({ state: 'failed', reason: faultOf(error).what });
      },
    );
    return life;
  }

  #end(reason: string): void {
    const life = this.#current;
    this.#current = undefined;
    this.#options.ended(reason);
    if (!life) return;
    const dead = life.container.over;
    life.end();
    // A dead one never answers, and whoever boots next would wait for it.
    if (!dead) life.container.client.teardown();
  }

  #become(status: WorkspaceStatus): void {
    if (this.#isClosed) return;
    this.#status = status;
    this.#statuses.emit(status);
  }
}

function gone(reason: string): Promise<never> {
  const life = Promise.reject<never>(new WorkspaceError('EGONE', '', reason));
  life.catch(() => {});
  return life;
}
