import { Listeners, type Unlisten } from '../../base/listeners.ts';
import type { Job, Jobs } from '../jobs.ts';
import type { CallKernel } from './calls.ts';
import { answers } from './schemas.ts';

/** How many jobs that were lost with a kernel are remembered. */
const REMEMBERED = 20;

/** The jobs of the current kernel, and those that were lost with earlier ones. */
export class EmbeddedJobs implements Jobs {
  readonly #call: CallKernel;
  readonly #begin: () => () => void;
  readonly #listeners = new Listeners<void>();
  #lost: readonly Job[] = [];
  #jobs: readonly Job[] = [];
  #endUse: (() => void) | undefined;

  /** `begin` is called when a job runs, and returns a function to call when none does any more. */
  constructor(call: CallKernel, begin: () => () => void) {
    this.#call = call;
    this.#begin = begin;
  }

  list(): readonly Job[] {
    return [...this.#lost, ...this.#jobs];
  }

  onChange(listener: () => void): Unlisten {
    return this.#listeners.add(listener);
  }

  async stop(id: number): Promise<void> {
    if (this.#jobs.some((job) => job.id === id && !job.end))
      await this.#call({ method: 'stopJob', job: id }, answers.nothing);
  }

  async stopAllOf(owner: string): Promise<void> {
    if (this.#jobs.some((job) => job.owner === owner && !job.end))
      await this.#call({ method: 'stopJobsOf', owner }, answers.nothing);
  }

  async output(id: number): Promise<string> {
    if (this.#jobs.some((job) => job.id === id))
      return this.#call({ method: 'jobOutput', job: id }, answers.text);
    return this.#lost.find((job) => job.id === id)?.tail ?? '';
  }

  /** The kernel has told of its jobs. */
  heard(jobs: readonly Job[]): void {
    this.#jobs = jobs;
    if (jobs.some(({ end }) => !end)) this.#endUse ??= this.#begin();
    else this.#rest();
    this.#listeners.emit();
  }

  /** The kernel is gone, and its jobs with it. */
  lose(): void {
    if (this.#jobs.length === 0) return;
    const at = Date.now();
    const lost = this.#jobs.map((job) =>
      job.end ? job : { ...job, ports: [], end: { at, exitCode: 137, by: 'lost' as const } },
    );
    this.#lost = [...this.#lost, ...lost].slice(-REMEMBERED);
    this.#jobs = [];
    this.#rest();
    this.#listeners.emit();
  }

  #rest(): void {
    this.#endUse?.();
    this.#endUse = undefined;
  }
}
