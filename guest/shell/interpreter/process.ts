import { ShellError } from './errors.ts';
import { drive, Interrupted, Killed, type Task } from './task.ts';
import { HARMLESS } from './signals.ts';

/** Says how a process handles a signal: the text of a trap, `''` for ignored, undefined for the default. */
export type Disposition = (signal: string) => string | undefined;

/** The processes of one run. */
export interface ProcessTable {
  readonly processes: Map<number, Process>;
  readonly hasRoom: boolean;
  tellsOfForks(): boolean;
  nextPid(): number;
  look(): void;
  ended(process: Process): void;
}

/** Passes signals on to a process below, as {@link Process.take} does. */
export function takeFor(below: Process): NonNullable<Process['take']> {
  return (signal, isForAll) => {
    const name = signal.replace(/^SIG/, '');
    if (isForAll) below.signalAll(name);
    else below.signal(name);
  };
}

/** A shell, a subshell or one stage of a pipeline. Processes run side by side. */
export class Process {
  readonly pid: number;
  readonly parent: Process | undefined;
  readonly #world: ProcessTable;
  readonly #children = new Set<Process>();
  readonly #programs = new Set<AbortController>();
  /** Signals whose traps have not run yet. */
  readonly pending: string[] = [];
  disposition: Disposition = () => undefined;
  /** True while `wait` waits: a trapped signal ends the wait. */
  inWait = false;
  /** True for a process started with `&` under job control, which the keyboard's signals do not reach. */
  isBackground = false;
  /** The command line of the shell; its forks have the same one. */
  command: string;
  readonly started = Date.now();
  /** The program that runs in its foreground. */
  running: { readonly command: string; readonly started: number; pid?: number } | undefined;
  /** True where the process does nothing after its present program, and stands in for it, as after `exec`. */
  isInPlace = false;
  /**
   * Receives the signals for the program that the process stands in for, which handles them itself; `isForAll` for one
   * that goes to everything in the foreground.
   */
  take: ((signal: string, isForAll: boolean) => void) | undefined;
  /** True once the process has ended. */
  isOver = false;
  /** The signal that ended it, without `SIG`. */
  endedBy: string | undefined;
  /** The command of a process that was started with `&`, as the script has it. */
  text: string | undefined;
  /** The exit status of a process that was started with `&`, once it has ended. */
  status: number | undefined;
  /** The file that its standard output was last redirected to. */
  writesTo: string | undefined;
  #killed: Killed | undefined;
  #cut: ((error: Error) => void) | undefined;

  /** True for a copy of a shell: process lists show the command that it runs instead of the shell. */
  readonly isFork: boolean;

  constructor(world: ProcessTable, parent?: Process, isFork = false) {
    this.isFork = isFork;
    this.#world = world;
    if (!world.hasRoom) {
      const error = new ShellError('fork: Resource temporarily unavailable', 254, true);
      error.isTold = !world.tellsOfForks();
      throw error;
    }
    this.parent = parent;
    this.command = parent?.command ?? 'bash';
    this.pid = world.nextPid();
    if (parent) parent.#children.add(this);
    world.processes.set(this.pid, this);
  }

  /** Runs a task as this process. */
  run<T>(task: Task<T>): T | Promise<T> {
    return drive(task, (promise) => this.#interruptible(promise));
  }

  /** Call it when the process in whose place this one is has ended, with the signal that ended it. */
  standInEnded(signal: string | undefined): void {
    if (this.isInPlace && signal !== undefined) this.endedBy = signal;
  }

  end(): void {
    this.isOver = true;
    if (this.parent) this.parent.#children.delete(this);
    this.#world.ended(this);
  }

  #interruptible(promise: Promise<unknown>): Promise<unknown> {
    if (this.#killed) {
      promise.catch(() => {});
      return Promise.reject(this.#takeKilled());
    }
    return new Promise((resolve, reject) => {
      const settled = <T>(settle: (value: T) => void) => {
        return (value: T) => {
          // A later signal must not cut a wait that is over.
          if (this.#cut === reject) this.#cut = undefined;
          settle(value);
        };
      };
      this.#cut = reject;
      promise.then(settled(resolve), settled(reject));
    });
  }

  #takeKilled(): Killed {
    const killed = this.#killed ?? new Killed('KILL');
    // After KILL nothing may go on. After any other signal, the traps at the end run undisturbed.
    if (killed.signal !== 'KILL') this.#killed = undefined;
    return killed;
  }

  /** Throws {@link Killed} where a signal has ended this process. */
  check(): void {
    if (this.#killed) throw this.#takeKilled();
  }

  get isKilled(): boolean {
    return this.#killed !== undefined;
  }

  /** Delivers a signal, by its name without `SIG`. */
  signal(name: string): void {
    this.#deliver(name, () => this.kill(name));
  }

  #deliver(name: string, kill: () => void): void {
    if (this.isOver) return;
    const what = name === 'KILL' ? undefined : this.disposition(name);
    if (what === '') return;
    if (what !== undefined) {
      this.pending.push(name);
      if (this.inWait) this.#cut?.(new Interrupted());
      return;
    }
    if (HARMLESS.has(name)) return;
    if (this.isInPlace && this.take && name !== 'KILL') this.take(`SIG${name}`, false);
    else kill();
  }

  /** Ends the process and everything it has started. */
  kill(name: string): void {
    this.#kill(name, (child) => child.signal(name));
  }

  #kill(name: string, tell: (child: Process) => void): void {
    this.#killed ??= new Killed(name);
    for (const program of this.#programs) program.abort(`SIG${name}`);
    for (const child of [...this.#children]) tell(child);
    const cut = this.#cut;
    this.#cut = undefined;
    if (cut) cut(this.#takeKilled());
  }

  /** Sends a signal to the process, its programs and all processes below, like Ctrl-C. */
  signalAll(name: string): void {
    // The program in whose place the process is passes the signal on, and must not hear it twice.
    if (this.isInPlace && this.take && name !== 'KILL' && this.disposition(name) === undefined)
      return HARMLESS.has(name) ? undefined : this.take(`SIG${name}`, true);
    for (const program of this.#programs) program.abort(`SIG${name}`);
    for (const child of [...this.#children]) child.signalAll(name);
    this.#deliver(name, () => this.#kill(name, () => {}));
  }

  /**
   * Handles Ctrl-C in an interactive shell: ends the foreground and the running line. Where the shell traps
   * INT, its trap decides instead about the line.
   */
  interrupt(isRunning: boolean): void {
    for (const program of this.#programs) program.abort('SIGINT');
    for (const child of [...this.#children]) if (!child.isBackground) child.signalAll('INT');
    const trap = this.disposition('INT');
    if (trap !== undefined) this.signal('INT');
    else if (isRunning) {
      this.#killed ??= new Killed('INT');
      const cut = this.#cut;
      this.#cut = undefined;
      cut?.(this.#takeKilled());
    }
  }

  get isInFront(): boolean {
    return !this.isBackground && (this.parent?.isInFront ?? true);
  }

  /** Sends a signal that ends nothing, such as WINCH, to the foreground. */
  tellInFront(name: string): void {
    this.signal(name);
    for (const child of [...this.#children]) if (!child.isBackground) child.tellInFront(name);
  }

  /**
   * Makes the abort controller of a program that this process runs. Call {@link settle} when the program has
   * ended.
   */
  programSignal(): AbortController {
    const controller = new AbortController();
    this.#programs.add(controller);
    const { signal } = controller;
    const real = Object.getOwnPropertyDescriptor(AbortSignal.prototype, 'aborted')?.get;
    // A busy program lets no events in, so each look at `aborted` checks the state of the run.
    Object.defineProperty(signal, 'aborted', {
      get: () => {
        this.#world.look();
        return real?.call(signal) === true;
      },
    });
    return controller;
  }

  settle(controller: AbortController): void {
    this.#programs.delete(controller);
  }
}
