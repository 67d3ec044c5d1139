import { ShellError } from './errors.ts';
import { drive, Interrupted, Killed, type Task } from './task.ts';
import { HARMLESS } from './signals.ts';
import type { World } from './world.ts';

/** What happens to a process on a signal: the text of a trap, '' where it is ignored, undefined for the default. */
export type Disposition = (signal: string) => string | undefined;

/** A shell, a subshell or one stage of a pipeline, running beside others. */
export class Process {
  readonly pid: number;
  readonly parent: Process | undefined;
  readonly #world: World;
  readonly #children = new Set<Process>();
  readonly #programs = new Set<AbortController>();
  /** Signals whose traps are still to be run. */
  readonly pending: string[] = [];
  disposition: Disposition = () => undefined;
  /** Set while `wait` waits: a trapped signal ends that. */
  inWait = false;
  /** Started with `&` by a shell with job control: the keyboard's signals are not meant for it. */
  isBackground = false;
  /** Of the shell; its forks have it too. */
  command: string;
  readonly started = Date.now();
  /** The program that runs in front of it. */
  running: { readonly command: string; readonly started: number; pid?: number } | undefined;
  /** It was forked for one plain command, in whose place it is. */
  isInPlace = false;
  /** Gets the signals of the program in whose place it is, which decides itself what they do. */
  take: ((signal: string) => void) | undefined;
  /** It has ended already. */
  isOver = false;
  /** The signal that ended it, without `SIG`. */
  endedBy: string | undefined;
  #killed: Killed | undefined;
  #cut: ((error: Error) => void) | undefined;

  /** A copy of its shell: in place of it runs what it was made for. */
  readonly isFork: boolean;

  constructor(world: World, parent?: Process, isFork = false) {
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
          // A signal that comes later must not be spent on a wait that is over.
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
    // The whole run is over: nothing may go on. Otherwise what is run at the end goes on in peace.
    if (killed.signal !== 'KILL') this.#killed = undefined;
    return killed;
  }

  /** Throws where a signal has ended this process. */
  check(): void {
    if (this.#killed) throw this.#takeKilled();
  }

  get isKilled(): boolean {
    return this.#killed !== undefined;
  }

  /** Delivers a signal, by its name without `SIG`. */
  signal(name: string): void {
    if (this.isOver) return;
    const what = name === 'KILL' ? undefined : this.disposition(name);
    if (what === '') return;
    if (what !== undefined) {
      this.pending.push(name);
      if (this.inWait) this.#cut?.(new Interrupted());
      return;
    }
    if (HARMLESS.has(name)) return;
    if (this.isInPlace && this.take && name !== 'KILL') this.take(`SIG${name}`);
    else this.kill(name);
  }

  /** Ends it and all that it has started. */
  kill(name: string): void {
    this.#killed ??= new Killed(name);
    for (const program of this.#programs) program.abort(`SIG${name}`);
    for (const child of [...this.#children]) child.signal(name);
    const cut = this.#cut;
    this.#cut = undefined;
    if (cut) cut(this.#takeKilled());
  }

  /** As when someone presses Ctrl-C: to it, its programs and all below it. */
  signalAll(name: string): void {
    for (const program of this.#programs) program.abort(`SIG${name}`);
    for (const child of [...this.#children]) child.signalAll(name);
    this.signal(name);
  }

  /**
   * Ctrl-C in a shell that goes on after it: ends what is in front, and with it the line that is run. Where the shell has
   * a trap for it, that is still to be run.
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

  /** Tells a signal that ends nothing to what is in front. */
  tellInFront(name: string): void {
    this.signal(name);
    for (const child of [...this.#children]) if (!child.isBackground) child.tellInFront(name);
  }

  /** The signal of a program that this process runs; look {@link settle} when it has ended. */
  programSignal(): AbortController {
    const controller = new AbortController();
    this.#programs.add(controller);
    const { signal } = controller;
    const real = Object.getOwnPropertyDescriptor(AbortSignal.prototype, 'aborted')?.get;
    // A busy program lets no event in, so that each look asks anew.
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
