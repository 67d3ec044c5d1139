import { FaultError } from '../../base/fault.ts';
import type { SessionContext } from '../context.ts';
import type { Restoring } from '../log/state.ts';
import type { RestoreTo } from './moments.ts';
import type { RestorePlan } from './plan.ts';
import type { RestoreChoice, Restorer } from './restorer.ts';

/** The restores of one session, one at a time. Their code is loaded with the first one. */
export class Restores {
  readonly #session: SessionContext;
  readonly #load: (messageID: string) => Promise<void>;
  #running: Promise<void> | null = null;

  /** `load` loads messages until this one is in the state, or until all are. */
  constructor(session: SessionContext, load: (messageID: string) => Promise<void>) {
    this.#session = session;
    this.#load = load;
  }

  /** Tells what going to that moment would change. Rejects with a fault if that is not possible now. */
  async plan(to: RestoreTo): Promise<RestorePlan> {
    await this.done();
    return (await this.#restorer()).plan(to);
  }

  /**
   * Carries out a plan. A file that was changed since the plan was made stays as it is. Rejects with a fault; the
   * conversation then stays as it was.
   */
  run(plan: RestorePlan, choice: RestoreChoice): Promise<void> {
    if (this.#running)
      return Promise.reject(new FaultError({ code: 'restore-runs', what: 'Another restore is under way.' }));
    return this.#track(this.#restorer().then((restorer) => restorer.run(plan, choice)));
  }

  /** Finishes what the tab that wrote this session before could not. Never rejects. */
  finish(restoring: Restoring): void {
    void this.#track(this.#restorer().then((restorer) => restorer.resume(restoring)));
  }

  /** Resolves when the restore that is under way has ended, however it ends; `null` if none is. */
  get running(): Promise<void> | null {
    return this.#running;
  }

  /** Resolves when no restore is under way. */
  async done(): Promise<void> {
    while (this.#running) await this.#running;
  }

  #track(work: Promise<void>): Promise<void> {
    const settled = work
      .catch(() => undefined)
      .then(() => {
        if (this.#running === settled) this.#running = null;
      });
    this.#running = settled;
    return work;
  }

  async #restorer(): Promise<Restorer> {
    const { Restorer } = await import('./restorer.ts');
    return new Restorer(this.#session, this.#load);
  }
}
