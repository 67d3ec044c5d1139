import type { LeftBehind } from '../../shared/protocol.ts';
import type { ByteSink } from '../program.ts';
import { OpenFile } from './descriptors.ts';
import type { Process } from './process.ts';
import type { Shell } from './shell.ts';
import type { World } from './world.ts';

/**
 * Gives a process that is about to start in the background streams of its own in place of the script's, so that its
 * output can be told apart. Call `begin` when its number is known.
 */
export function ownOutput(shell: Shell): {
  readonly streams: ReadonlyMap<number, OpenFile>;
  begin(pid: number): void;
} {
  let pid = 0;
  const made = new Map<ByteSink, OpenFile>();
  const streams = new Map<number, OpenFile>();
  for (const fd of shell.fds.numbers()) {
    const sink = shell.fds.get(fd)?.sink;
    if (!sink) continue;
    const known = made.get(sink);
    const own = known ? undefined : shell.world.jobSink(sink, () => pid);
    const file = known ?? (own && new OpenFile({ sink: own }));
    if (!file) continue;
    made.set(sink, file);
    streams.set(fd, file);
  }
  return { streams, begin: (number) => void (pid = number) };
}

/** The number of the outermost background process that this one belongs to. */
export function jobWith(process: Process): number | undefined {
  let job: number | undefined;
  for (let at: Process | undefined = process; at; at = at.parent) if (at.text !== undefined) job = at.pid;
  return job;
}

/** Follows what goes on in the background after a script. */
export class BackgroundWatch {
  readonly #world: World;
  readonly #jobs: Set<Process>;
  readonly #ended: (job: Process) => void;

  /** `ended` is called for each job once nothing of it runs any more. */
  constructor(world: World, ended: (job: Process) => void) {
    this.#world = world;
    this.#ended = ended;
    const running = [...world.processes.values()];
    this.#jobs = new Set(
      running.filter((process) => !running.some((other) => other !== process && isBelow(process, other))),
    );
    world.noteEnd = () => this.#look();
  }

  get jobs(): LeftBehind[] {
    return [...this.#jobs].map(({ pid, text, running, command, started, writesTo }) => ({
      pid,
      command: text ?? running?.command ?? command,
      started,
      ...(writesTo !== undefined && { writesTo }),
    }));
  }

  /** Sends a signal, by its name without `SIG`, to a job and to what it has left behind itself. */
  signal(pid: number, name: string): void {
    const job = [...this.#jobs].find((each) => each.pid === pid);
    if (!job) return;
    if (!job.isOver) return job.signal(name);
    for (const process of [...this.#world.processes.values()])
      if (isBelow(process, job)) process.signal(name);
  }

  #look(): void {
    for (const job of this.#jobs) {
      if (!job.isOver || this.#hasBelow(job)) continue;
      this.#jobs.delete(job);
      // The status of a process is known a moment after its end.
      setTimeout(() => this.#ended(job));
    }
  }

  #hasBelow(job: Process): boolean {
    return [...this.#world.processes.values()].some((process) => isBelow(process, job));
  }
}

function isBelow(process: Process, other: Process): boolean {
  for (let at = process.parent; at; at = at.parent) if (at === other) return true;
  return false;
}
