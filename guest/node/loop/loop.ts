import { keep, leaveFrame } from '../builtins/async/context.ts';
import type { HostHandle } from '../builtins/builtin.ts';
import { clock } from './browser-clock.ts';
import { Queue } from './queue.ts';

interface Tick {
  readonly callback: (...args: unknown[]) => unknown;
  readonly args: readonly unknown[];
}

export interface LoopHandle extends HostHandle {
  /** Whether it keeps the process alive. */
  hasRef(): boolean;
}

export interface LoopEvents {
  /** Called when nothing keeps the process alive any more. Whatever this call starts can do so again. */
  idle(): void;
}

/** The number of waiting events from which each incoming message also runs one of them. */
const CROWD = 256;

/**
 * Runs things in the order of libuv and node: callbacks of `nextTick`, then promises, then one
 * event. Every event is its own task of the browser, so that promises settle between two events.
 */
export class EventLoop {
  readonly #channel = new MessageChannel();
  readonly #setTimeout = setTimeout.bind(globalThis);
  readonly #clearTimeout = clearTimeout.bind(globalThis);
  readonly #events = new Queue<() => void>();
  /** The number of events that were added so far. */
  added = 0;
  readonly #ticks = new Queue<Tick>();
  readonly #afterTicks = new Queue<() => void>();
  #immediates = new Queue<() => void>();
  /** The remaining immediates of this turn. New ones wait for the next turn. */
  #batch = new Queue<() => void>();
  /** `nextDue` returns when the next timer is due, on the clock of {@link now}. `run` runs that timer. */
  timers: { readonly nextDue: () => number | undefined; readonly run: () => void } = {
    nextDue: () => undefined,
    run: () => {},
  };
  /** Whether the program listens for promises that were rejected. */
  hearsRejections: () => boolean = () => false;
  /** When this round of the loop began. Timers that come due later wait for the next round. */
  #round = 0;
  /** The number of events that are left in this round. */
  #eventsLeft = 0;
  #between = true;
  #turns = 0;
  #began = -1;
  /** The number of turns that starting the program took. */
  #turnsBefore = 0;
  #ended = -1;
  #idleTime = 0;
  /** The time since which there has been nothing to do, while that is so. */
  #restsSince: number | undefined;
  #handles = 0;
  #posted = false;
  /**
   * True after an event has run: the browser reports its rejected promises in a task before the next event.
   */
  #settling = false;
  #draining = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #timerDue = Infinity;
  #stopped = false;
  readonly #idle: () => void;
  readonly #post: () => void;

  constructor({ idle }: LoopEvents) {
    this.#idle = idle;
    const { port1, port2 } = this.#channel;
    // The method is bound before ports are changed to look like node's.
    this.#post = port2.postMessage.bind(port2, 0);
    port1.onmessage = () => this.#turn();
  }

  /** Milliseconds since the process began, as timers count them. */
  now(): number {
    return clock.now();
  }

  /** Runs `event` in a task of its own, after what is waiting. */
  add(event: () => void): void {
    this.added++;
    this.#events.push(keep(event));
    this.#wake();
  }

  /** Runs `event` once. The process stays alive until then. */
  addOnce(event: () => void): void {
    this.#handles++;
    this.add(() => {
      this.#handles--;
      event();
    });
  }

  addImmediate(run: () => void): void {
    this.#immediates.push(run);
    this.#wake();
  }

  nextTick(callback: Tick['callback'], args: readonly unknown[]): void {
    this.#ticks.push({ callback, args });
    // Ticks made during an event run at its end. Ticks made by a promise run in a task after the promises.
    if (!this.#draining) this.#wake();
  }

  /** Whether ticks wait that run before the next event. */
  get hasTicks(): boolean {
    return this.#ticks.length > 0;
  }

  /** Runs `run` before the next event, once the waiting ticks and their promises are done. */
  afterTicks(run: () => void): void {
    this.#afterTicks.push(run);
    this.#wake();
  }

  /** Adds or removes one reason to keep the process alive. */
  count(change: 1 | -1): void {
    this.#handles += change;
    if (change < 0) this.#wake();
  }

  handle(): LoopHandle {
    let counts = true;
    let released = false;
    this.#handles++;
    return {
      ref: () => {
        if (released || counts) return;
        counts = true;
        this.#handles++;
      },
      unref: () => {
        if (released || !counts) return;
        counts = false;
        this.count(-1);
      },
      release: () => {
        if (released) return;
        released = true;
        if (counts) this.#handles--;
        this.#wake();
      },
      hasRef: () => counts && !released,
    };
  }

  /** Records that the loop came to its end by itself. */
  over(): void {
    this.#ended = this.now();
  }

  /** Whether nothing is left to do and nothing is expected. */
  get isQuiet(): boolean {
    return this.#handles === 0 && !this.#waits();
  }

  /** Must be called after a timer is added or removed. */
  timersChanged(): void {
    this.#wake();
  }

  /** Must be called after an event threw, so that whatever it scheduled still runs. */
  afterFailure(): void {
    this.#draining = false;
    this.#wake();
  }

  times() {
    const rested = this.#restsSince === undefined ? 0 : this.now() - this.#restsSince;
    return {
      began: this.#began,
      ended: this.#ended,
      idle: this.#idleTime + rested,
      turns: this.#began < 0 ? 0 : this.#turns - this.#turnsBefore,
      waiting: this.#events.length,
    };
  }

  stop(): void {
    this.#stopped = true;
    this.#channel.port1.close();
  }

  #wake(): void {
    if (this.#posted || this.#stopped) return;
    this.#posted = true;
    this.#post();
  }

  #later(run: () => void): void {
    this.#setTimeout(() => {
      if (this.isQuiet && !this.#stopped) run();
      else this.#wake();
    });
  }

  /** Calls `run` if the loop is quiet after `ms` milliseconds. Work of the browser may end until then. */
  afterQuiet(ms: number, run: () => void): void {
    this.#setTimeout(() => {
      if (this.isQuiet && !this.#stopped) run();
    }, ms);
  }

  /** Runs the ticks and promises of a call made outside of an event, and `quiet` if that started nothing. */
  settle(quiet: () => void): void {
    this.#drain();
    const before = this.#turns;
    this.#later(() => (this.#turns === before ? quiet() : this.#wake()));
  }

  /**
   * Must be called for each message that comes in. If many events wait, this task runs one of them too: with
   * more messages coming in than turns, every turn would otherwise come later than the one before.
   */
  cameIn(): void {
    if (this.#events.length > CROWD && !this.#draining) this.#run();
  }

  #turn(): void {
    this.#posted = false;
    this.#run();
  }

  /** Runs one task. It catches nothing, so that the browser reports where an error was thrown. */
  #run(): void {
    if (this.#stopped) return;
    if (this.#settling) {
      this.#settling = false;
      return this.#wake();
    }
    leaveFrame();
    const event = this.#ticks.length > 0 ? NOTHING : (this.#afterTicks.shift() ?? this.#next());
    if (!event) return this.#rest();
    // The extra task costs as much as many small events. Long-running programs without listeners skip it.
    this.#settling = this.#turns < FIRST_TURNS || this.#afterTicks.length > 0 || this.hearsRejections();
    if (this.#restsSince !== undefined) {
      this.#idleTime += this.now() - this.#restsSince;
      this.#restsSince = undefined;
    }
    this.#wake();
    this.#turns++;
    this.#draining = true;
    event();
    this.#drain();
    this.#draining = false;
  }

  #drain(): void {
    for (let tick = this.#ticks.shift(); tick; tick = this.#ticks.shift()) {
      const { callback, args } = tick;
      callback(...args);
    }
  }

  #next(): (() => void) | undefined {
    const immediate = this.#batch.shift();
    if (immediate) return immediate;
    if (this.#between) this.#beginRound();
    const due = this.timers.nextDue();
    if (due !== undefined && due <= this.#round) return this.timers.run;
    if (this.#eventsLeft > 0) return this.#nextEvent();
    // Immediates that keep nothing alive run only if something else does.
    if (this.#handles > 0 || this.#events.length > 0) {
      const batch = this.#immediates;
      this.#immediates = this.#batch;
      this.#batch = batch;
      this.#between = true;
      const first = batch.shift();
      if (first) return first;
    }
    this.#beginRound();
    return due !== undefined && due <= this.#round ? this.timers.run : this.#nextEvent();
  }

  /** Ends the round after code that belongs to none, such as the start of the program. Timers come next. */
  endRound(): void {
    this.#between = true;
    if (this.#began >= 0) return;
    this.#began = this.now();
    this.#turnsBefore = this.#turns;
    this.#idleTime = 0;
  }

  /** Begins a round: the timers that are due, then the events that wait now, then immediates. */
  #beginRound(): void {
    this.#between = false;
    this.#round = this.now();
    this.#eventsLeft = this.#events.length;
  }

  #nextEvent(): (() => void) | undefined {
    this.#eventsLeft--;
    return this.#events.shift();
  }

  /** Waits for the next timer, or reports that the loop is idle. */
  #rest(): void {
    this.#restsSince ??= this.now();
    const due = this.timers.nextDue();
    if (this.#handles <= 0) {
      this.#handles = 0;
      // The browser reports rejected promises in a task of its own, which comes before this one.
      this.#later(() => this.#idle());
    }
    if (due === undefined || due >= this.#timerDue) return;
    this.#clearTimeout(this.#timer);
    this.#timerDue = due;
    this.#timer = this.#setTimeout(
      () => {
        this.#timerDue = Infinity;
        this.#wake();
      },
      Math.max(0, due - this.now()),
    );
  }

  #waits(): boolean {
    const first = this.#ticks.length + this.#afterTicks.length;
    const immediates = this.#handles > 0 ? this.#immediates.length : 0;
    return first + this.#events.length + immediates + this.#batch.length > 0;
  }
}

const NOTHING = () => {};
/**
 * For this many first turns, rejections are reported before the next event, as in node. After that, only if
 * the program listens for them.
 */
const FIRST_TURNS = 100;
