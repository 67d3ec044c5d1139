import type { Unlisten } from '../../base/listeners.ts';
import type { Job, Jobs } from '../../workspace/jobs.ts';
import type { EventBody, Origin } from '../log/events.ts';
import type { SessionState } from '../log/state.ts';
import { jobsEndedText, type EndedJob } from './jobs-ended.ts';

export interface SessionJobsHost {
  readonly state: SessionState;
  append(body: Extract<EventBody, { type: 'job.started' | 'job.ended' }>): void;
  /** Sends a message from the app, which the next request includes. It starts no turn. */
  tell(text: string, origin: Origin): Promise<void>;
}

/** Records what the session's commands leave running in the background, and tells its agent of the ends. */
export class SessionJobs {
  readonly #host: SessionJobsHost;
  /** Recorded as started, and as ended. The state may not include the newest events yet. */
  readonly #started: Set<number>;
  readonly #ended: Set<number>;
  #jobs: Jobs | undefined;
  #unlisten: Unlisten = () => undefined;

  constructor(host: SessionJobsHost) {
    this.#host = host;
    const known = host.state.jobs ?? [];
    this.#started = new Set(known.map(({ id }) => id));
    this.#ended = new Set(known.flatMap(({ id, running }) => (running ? [] : id)));
  }

  /** Follows the jobs of the workspace in which the session's commands run. */
  follow(jobs: Jobs | undefined): void {
    if (jobs === this.#jobs) return;
    this.close();
    this.#jobs = jobs;
    if (!jobs) return;
    this.#unlisten = jobs.onChange(() => void this.#look(jobs.list()));
    void this.#look(jobs.list());
  }

  /**
   * Records jobs as lost that are running by the log, but not among `jobs`: the tab was reloaded or has crashed, or they
   * belong to the session that this one is a copy of.
   */
  async settle(jobs: readonly Job[]): Promise<void> {
    const { state } = this.#host;
    const lost = (state.jobs ?? []).flatMap(({ id, command, running, copied }) => {
      if (!running || jobs.some((job) => job.id === id && job.owner === state.sessionID)) return [];
      const by = copied ? ('copied' as const) : ('lost' as const);
      return { id, command, by, exitCode: 137, tail: '' };
    });
    await this.#end(lost);
  }

  close(): void {
    this.#unlisten();
    this.#unlisten = () => undefined;
    this.#jobs = undefined;
  }

  async #look(jobs: readonly Job[]): Promise<void> {
    const own = jobs.filter(({ owner, end }) => owner === this.#host.state.sessionID && end?.by !== 'limit');
    for (const { id, command } of own) {
      if (this.#started.has(id)) continue;
      this.#started.add(id);
      this.#host.append({ type: 'job.started', jobID: id, command });
    }
    await this.#end(own.flatMap(({ id, command, end, tail }) => (end ? { id, command, tail, ...end } : [])));
  }

  async #end(ended: readonly EndedJob[]): Promise<void> {
    const fresh = ended.filter(({ id }) => !this.#ended.has(id));
    for (const { id, by, exitCode } of fresh) {
      this.#ended.add(id);
      this.#host.append({ type: 'job.ended', jobID: id, by, exitCode });
    }
    // Whoever ended a job by a command knows it.
    const news = fresh.filter(({ by }) => by !== 'command');
    if (news.length === 0) return;
    const jobs = news.map(({ id, command, by, exitCode }) => ({ id, command, by, exitCode }));
    // Where another tab has taken over the session, that tab tells of the end.
    await this.#host.tell(jobsEndedText(news), { kind: 'jobs-ended', jobs }).catch(() => undefined);
  }
}
