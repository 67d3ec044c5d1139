import type { ByteSink, Program, Terminal } from '../program.ts';
import type { OuterJobs } from '../outer-jobs.ts';
import type { ShellFs } from '../shell-fs.ts';
import type { FileSink } from './descriptors.ts';
import type { Process } from './process.ts';
import { wait, type Task } from './task.ts';

const BREATH_MS = 40;
const LOOK_EVERY = 16;
/** The largest number of processes in one run, at which a script that only starts more of itself ends. */
const MOST = 1000;
const TELL_EVERY_MS = 1000;

/** The state that all shells of one run share. */
export class World {
  readonly files: ShellFs;
  readonly programs: ReadonlyMap<string, Program>;
  /** Returns the second line of "command not found". */
  readonly missing: (name: string) => string;
  readonly processes = new Map<number, Process>();
  /** Files with pending writes. */
  readonly dirty = new Set<FileSink>();
  /** Undefined where the run has no terminal. */
  readonly terminal: Terminal | undefined;
  /** The jobs that earlier runs have left behind; undefined where there can be none. */
  readonly outer: OuterJobs | undefined;
  /** Makes the stream of a background process for one of the run's own streams, where its output is told apart. */
  jobSink: (own: ByteSink, pid: () => number) => ByteSink | undefined = () => undefined;
  /** Called when a process has ended. */
  noteEnd: () => void = () => {};
  readonly #aborted: () => boolean;
  #isOver = false;
  #pid: number;
  #lastBreath = performance.now();
  #breathing: Promise<void> | undefined;
  #toldOfForks = -Infinity;
  #count = 0;
  #idle: (() => void) | undefined;

  constructor(options: {
    readonly files: ShellFs;
    readonly programs: ReadonlyMap<string, Program>;
    readonly missing: (name: string) => string;
    readonly aborted: () => boolean;
    readonly terminal: World['terminal'];
    readonly outer?: OuterJobs | undefined;
  }) {
    this.files = options.files;
    this.programs = options.programs;
    this.missing = options.missing;
    this.#aborted = options.aborted;
    this.terminal = options.terminal;
    this.outer = options.outer;
    this.#pid = 1000 + Math.floor(Math.random() * 20_000);
  }

  nextPid(): number {
    return ++this.#pid;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Ends everything where the caller has aborted the run. */
  look(): void {
    if (!this.#isOver && this.#aborted()) this.endAll();
  }

  endAll(): void {
    this.#isOver = true;
    for (const process of [...this.processes.values()]) process.kill('KILL');
  }

  /** Sends SIGHUP to every process: the person has left. */
  hangUp(): void {
    for (const process of [...this.processes.values()]) process.kill('HUP');
  }

  /** Runs before every statement: notices an abort, and lets timers and messages in now and then. */
  tick(process: Process): Promise<void> | undefined {
    this.look();
    process.check();
    // All processes share one pause. Otherwise some of the processes that start more of themselves would
    // always go on.
    if (this.#breathing) return this.#breathing;
    if (++this.#count % LOOK_EVERY !== 0 || performance.now() - this.#lastBreath < BREATH_MS)
      return undefined;
    return (this.#breathing = breath().then(() => {
      this.#breathing = undefined;
      this.#lastBreath = performance.now();
    }));
  }

  /** Whether another process can be forked. */
  get hasRoom(): boolean {
    return this.processes.size < MOST;
  }

  /** Whether a failed fork is reported now: of a thousand reports, one is enough. */
  tellsOfForks(): boolean {
    const now = performance.now();
    if (now - this.#toldOfForks < TELL_EVERY_MS) return false;
    this.#toldOfForks = now;
    return true;
  }

  /** Waits until no process is left. */
  async whenIdle(): Promise<void> {
    if (this.processes.size > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
  }

  ended(process: Process): void {
    this.processes.delete(process.pid);
    this.noteEnd();
    if (this.processes.size === 0) this.#idle?.();
  }

  async finishWriting(): Promise<void> {
    while (this.dirty.size > 0)
      await Promise.all([...this.dirty].map((sink) => sink.flush().catch(() => {})));
  }

  /** Does all pending writes, before anyone looks at a file. */
  *flush(): Task<void> {
    while (this.dirty.size > 0) {
      for (const sink of [...this.dirty]) yield* wait(sink.flush());
    }
  }
}

function breath(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
