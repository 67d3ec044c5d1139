import type { Program, Terminal } from '../program.ts';
import type { ShellFs } from '../shell-fs.ts';
import type { FileSink } from './descriptors.ts';
import type { Process } from './process.ts';
import { wait, type Task } from './task.ts';

const BREATH_MS = 40;
const LOOK_EVERY = 16;
/** Processes at once, in one run: a script that only starts more of itself ends here. */
const MOST = 1000;
const TELL_EVERY_MS = 1000;

/** What all shells of one run share. */
export class World {
  readonly files: ShellFs;
  readonly programs: ReadonlyMap<string, Program>;
  /** The second line of "command not found". */
  readonly missing: (name: string) => string;
  readonly processes = new Map<number, Process>();
  /** Files with something still to be written. */
  readonly dirty = new Set<FileSink>();
  /** Undefined where the run has none. */
  readonly terminal: Terminal | undefined;
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
  }) {
    this.files = options.files;
    this.programs = options.programs;
    this.missing = options.missing;
    this.#aborted = options.aborted;
    this.terminal = options.terminal;
    this.#pid = 1000 + Math.floor(Math.random() * 20_000);
  }

  nextPid(): number {
    return ++this.#pid;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Asks whether the run is to end, and ends everything if so. */
  look(): void {
    if (!this.#isOver && this.#aborted()) this.endAll();
  }

  endAll(): void {
    this.#isOver = true;
    for (const process of [...this.processes.values()]) process.kill('KILL');
  }

  /** Ends what runs: nobody is there any more. */
  hangUp(): void {
    for (const process of [...this.processes.values()]) process.kill('HUP');
  }

  /** Before every statement: sees an abort, and lets timers and messages in now and then. */
  tick(process: Process): Promise<void> | undefined {
    this.look();
    process.check();
    // All wait for the one breath: of processes that start more of themselves, some would always go on.
    if (this.#breathing) return this.#breathing;
    if (++this.#count % LOOK_EVERY !== 0 || performance.now() - this.#lastBreath < BREATH_MS)
      return undefined;
    return (this.#breathing = breath().then(() => {
      this.#breathing = undefined;
      this.#lastBreath = performance.now();
    }));
  }

  /** Whether one more may be forked. */
  get hasRoom(): boolean {
    return this.processes.size < MOST;
  }

  /** Whether it is said now that none may: of a thousand that say so, one is enough. */
  tellsOfForks(): boolean {
    const now = performance.now();
    if (now - this.#toldOfForks < TELL_EVERY_MS) return false;
    this.#toldOfForks = now;
    return true;
  }

  /** Waits for what runs in the background. */
  async whenIdle(): Promise<void> {
    if (this.processes.size > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
  }

  ended(process: Process): void {
    this.processes.delete(process.pid);
    if (this.processes.size === 0) this.#idle?.();
  }

  async finishWriting(): Promise<void> {
    while (this.dirty.size > 0)
      await Promise.all([...this.dirty].map((sink) => sink.flush().catch(() => {})));
  }

  /** Writes out what files are still to hold, before anyone looks at one. */
  *flush(): Task<void> {
    while (this.dirty.size > 0) {
      for (const sink of [...this.dirty]) yield* wait(sink.flush());
    }
  }
}

function breath(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
