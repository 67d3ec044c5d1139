import { TAIL_CHARACTERS, type Job, type JobEndCause } from '../../src/protocol/jobs.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import type { LeftBehind, ProcessSignal } from '../shared/protocol.ts';
import { endsProcess } from '../shared/signals.ts';
import type { Access } from './access.ts';
import { JobLog } from './job-log.ts';
import type { FileTree } from './tree.ts';

/** A process of the app, as the jobs that it leaves behind need it. */
export interface JobGroup {
  /** The id of the session that its jobs belong to. */
  readonly owner: string;
  readonly access: Access;
  /** Sends a signal to one of its jobs. */
  signal(job: number, signal: ProcessSignal): void;
  /** Ends all of its jobs for certain. */
  end(): void;
  /** The ports on which the job listens. */
  ports(job: number): number[];
  /** The job's processes that the shell does not run itself. */
  processes(job: number): RunningProcess[];
}

export interface RunningProcess {
  readonly pid: number;
  readonly ppid: number;
  readonly command: string;
  readonly started: number;
}

interface Entry {
  readonly group: JobGroup;
  readonly number: number;
  readonly left: LeftBehind;
  readonly log: JobLog;
  /** The reason for its end, if it is about to be ended. */
  cause?: JobEndCause;
  end?: Job['end'];
  /** Whether a shell has reported the end already. */
  told?: true;
}

/** How long a job may take to end before it is ended for certain. */
const GRACE_MS = 2_000;
/** How often the app is told of new output. */
const TELL_MS = 200;
/** How many jobs that have ended are remembered, with their logs. */
const REMEMBERED = 20;
const FOLDER = '/tmp/jobs';

/** The jobs of a workspace: what commands have left behind in the background. */
export class JobTable {
  readonly #tree: FileTree;
  readonly #tell: (jobs: readonly Job[]) => void;
  /** Keyed by the number of the process, oldest first. */
  readonly #jobs = new Map<number, Entry>();
  /** The output of background processes whose command still runs. */
  readonly #early = new Map<JobGroup, Map<number, JobLog>>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(tree: FileTree, tell: (jobs: readonly Job[]) => void) {
    this.#tree = tree;
    this.#tell = tell;
  }

  /** Keeps output of a background process. `taken` is called once there is room for more. */
  print(group: JobGroup, pid: number, bytes: Uint8Array, taken: () => void): void {
    const job = this.#jobs.get(pid);
    if (job?.group === group) {
      job.log.add(bytes, taken);
      return this.changed();
    }
    const logs = this.#early.get(group) ?? new Map<number, JobLog>();
    this.#early.set(group, logs);
    const log = logs.get(pid) ?? this.#newLog(group, pid);
    logs.set(pid, log);
    log.add(bytes, taken);
  }

  /** The command of a group is done, and these processes go on. Returns those for which there is no room. */
  left(group: JobGroup, processes: readonly LeftBehind[]): readonly LeftBehind[] {
    const logs = this.#early.get(group);
    this.#early.delete(group);
    const refused: LeftBehind[] = [];
    for (const left of processes) {
      const log = logs?.get(left.pid) ?? this.#newLog(group, left.pid);
      const entry: Entry = { group, number: this.#freeNumber(), left, log };
      if (this.running.length >= LIMITS.jobs) {
        entry.cause = 'limit';
        refused.push(left);
      }
      this.#jobs.set(left.pid, entry);
      log.open();
      if (entry.cause) this.#end(entry, 'SIGKILL');
    }
    this.#tellNow();
    return refused;
  }

  ended(group: JobGroup, pid: number, exitCode: number, cause: JobEndCause = 'itself'): void {
    const job = this.#jobs.get(pid);
    if (!job || job.group !== group || job.end) return;
    job.log.close();
    job.end = { at: Date.now(), exitCode, by: job.cause ?? cause };
    this.#forgetOldest();
    this.#tellNow();
  }

  /** A group is over: whatever of it still ran was ended with it. */
  groupOver(group: JobGroup, reason: string | undefined): void {
    this.#early.delete(group);
    for (const [pid, job] of this.#jobs) {
      if (job.group !== group || job.end) continue;
      if (reason !== undefined) job.log.add(new TextEncoder().encode(`vitrine: ${reason}\n`), () => {});
      this.ended(group, pid, 137, reason === undefined ? 'itself' : 'lost');
    }
  }

  /** Asks a job to end, and ends it for certain if it does not. */
  stop(pid: number, cause: JobEndCause): void {
    const job = this.#jobs.get(pid);
    if (!job || job.end) return;
    job.cause = cause;
    this.#end(job, 'SIGTERM');
  }

  /** Ends the jobs of an owner that is gone. */
  stopOf(owner: string): void {
    for (const { group, left } of this.running) if (group.owner === owner) this.stop(left.pid, 'person');
  }

  /**
   * Signals a job for a command, or one of its processes, which is `toMember`'s to do. False where there is none of
   * this number; without a signal, that is all it tells.
   */
  signal(
    pid: number,
    signal: ProcessSignal | undefined,
    toMember: (pid: number, signal: ProcessSignal) => void,
  ): boolean {
    const job = this.#jobs.get(pid);
    const isOwn = ({ group, left }: Entry) => group.processes(left.pid).some((each) => each.pid === pid);
    const entry = job && !job.end ? job : this.running.find(isOwn);
    if (!entry) return false;
    if (!signal) return true;
    if (endsProcess(signal)) entry.cause = 'command';
    if (entry !== job) toMember(pid, signal);
    else if (signal === 'SIGKILL') this.#end(entry, signal);
    else entry.group.signal(pid, signal);
    return true;
  }

  get running(): Entry[] {
    return [...this.#jobs.values()].filter(({ end }) => !end);
  }

  /** For a shell's `jobs`, `ps`, `kill` and `wait`. With `tell`, an end is listed for the last time. */
  listed(tell: boolean) {
    const all = [...this.#jobs].filter(([, { told }]) => !told);
    return all.map(([pid, job]) => {
      const { number, left, end, group } = job;
      if (end && tell) job.told = true;
      const own = { pid, ppid: 1, command: left.command, started: left.started };
      const below = group.processes(pid).filter(({ command }) => command !== left.command);
      return {
        pid,
        number,
        command: left.command,
        ...(end && { status: end.exitCode }),
        processes: end ? [] : [own, ...below.map((each) => ({ ...each, ppid: pid }))],
      };
    });
  }

  list(): Job[] {
    return [...this.#jobs].map(([id, { group, number, left, log, end }]) => ({
      id,
      number,
      owner: group.owner,
      command: left.command,
      started: left.started,
      log: log.path,
      ...(left.writesTo !== undefined && { writesTo: left.writesTo }),
      ports: end ? [] : group.ports(id),
      tail: this.output(id, TAIL_CHARACTERS),
      ...(end && { end }),
    }));
  }

  /** The newest output of a job, from its log or else from the file that it writes to: the last `characters`. */
  output(pid: number, characters: number): string {
    const job = this.#jobs.get(pid);
    if (!job) return '';
    const { bytes } = job.log;
    const printed = bytes.byteLength > 0 ? bytes : this.#redirected(job.group, job.left);
    // A character takes four bytes at most.
    return new TextDecoder().decode(printed.subarray(-4 * characters)).slice(-characters);
  }

  /** Tells the app soon, because something about a job may have changed. */
  changed(): void {
    if (this.#jobs.size > 0) this.#timer ??= setTimeout(() => this.#tellNow(), TELL_MS);
  }

  /** A file has changed: it may be one that a job writes to. */
  note(path: string): void {
    if (this.running.some(({ left }) => left.writesTo === path)) this.changed();
  }

  #newLog({ access }: JobGroup, pid: number): JobLog {
    return new JobLog(this.#tree, access, `${FOLDER}/${pid}.log`);
  }

  #tellNow(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#tell(this.list());
  }

  #end(job: Entry, signal: ProcessSignal): void {
    const { group, left } = job;
    group.signal(left.pid, signal);
    setTimeout(() => {
      if (job.end) return;
      if (signal === 'SIGKILL') group.end();
      else this.#end(job, 'SIGKILL');
    }, GRACE_MS);
  }

  #redirected({ access }: JobGroup, { writesTo }: LeftBehind): Uint8Array {
    if (writesTo === undefined) return NOTHING;
    try {
      return this.#tree.read(access, writesTo);
    } catch {
      return NOTHING;
    }
  }

  /** As in bash, numbers begin at 1 again once no job runs. */
  #freeNumber(): number {
    return Math.max(0, ...this.running.map(({ number }) => number)) + 1;
  }

  #forgetOldest(): void {
    const ended = [...this.#jobs].filter(([, { end }]) => end);
    for (const [pid, { log }] of ended.slice(0, -REMEMBERED)) {
      this.#jobs.delete(pid);
      log.remove();
    }
  }
}

const NOTHING = new Uint8Array();
