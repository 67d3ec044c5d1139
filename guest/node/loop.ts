import { keep, leaveFrame } from './builtins/async/context.ts';
import type { HostHandle } from './builtins/builtin.ts';
import { Queue } from './queue.ts';

// Programs have one of their own, which is made when they ask for it.
const clock = performance;

interface Tick {
  readonly callback: (...args: unknown[]) => unknown;
  readonly args: readonly unknown[];
}

export interface LoopHandle extends HostHandle {
  /** Whether it keeps the process alive. */
  hasRef(): boolean;
}

export interface LoopEvents {
  /** Nothing keeps the process alive any more; what this starts does again. */
  idle(): void;
}

/** With so many events waiting, what comes in does not only wait behind them. */
const CROWD = 256;

/**
 * The order in which things run, as libuv and node have it: what was scheduled with nextTick, then promises, then one
 * event. Every event is a task of the platform of its own, so that promises are settled between them.
 */
export class EventLoop {
  readonly #channel = new MessageChannel();
  readonly #setTimeout = setTimeout.bind(globalThis);
  readonly #clearTimeout = clearTimeout.bind(globalThis);
  readonly #events = new Queue<() => void>();
  readonly #ticks = new Queue<Tick>();
  readonly #afterTicks = new Queue<() => void>();
  #immediates = new Queue<() => void>();
  /** The rest of the immediates of this turn: those made meanwhile wait for the next. */
  #batch = new Queue<() => void>();
  /** Called for the next timer that is due; answers when the one after it is, in milliseconds of {@link now}. */
  timers: { readonly nextDue: () => number | undefined; readonly run: () => void } = {
    nextDue: () => undefined,
    run: () => {},
  };
  /** Whether the program listens for promises that were rejected. */
  hearsRejections: () => boolean = () => false;
  /** When this round of the loop began: timers that come due meanwhile wait for the next. */
  #round = 0;
  /** So many events are of this round. */
  #eventsLeft = 0;
  #between = true;
  #turns = 0;
  #began = -1;
  /** Those in which its program was started. */
  #turnsBefore = 0;
  #ended = -1;
  #idleTime = 0;
  /** Since when there is nothing to do. */
  #restsSince: number | undefined;
  #handles = 0;
  #posted = false;
  /** An event has just run: what its promises were rejected with is told in a task that comes before the next event. */
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
    // Those of programs are made to look like node's.
    this.#post = port2.postMessage.bind(port2, 0);
    port1.onmessage = () => this.#turn();
  }

  /** Milliseconds since the process began, as timers count them. */
  now(): number {
    return clock.now();
  }

  /** Runs `event` in a task of its own, after what is waiting. */
  add(event: () => void): void {
    this.#events.push(keep(event));
    this.#wake();
  }

  /** Runs it once; the process lives until then. */
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
    // Ticks of a running event are run at its end; those that a promise makes, in a task after the promises.
    if (!this.#draining) this.#wake();
  }

  /** Whether something waits that comes before the next event. */
  get hasTicks(): boolean {
    return this.#ticks.length > 0;
  }

  /** Runs it before the next event, once the ticks that wait and their promises are done. */
  afterTicks(run: () => void): void {
    this.#afterTicks.push(run);
    this.#wake();
  }

  /** One more, or one less, that the process lives for. */
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

  /** It has come to its end by itself. */
  over(): void {
    this.#ended = this.now();
  }

  /** Nothing is left to do, and nothing will come. */
  get isQuiet(): boolean {
    return this.#handles === 0 && !this.#waits();
  }

  /** A timer was added or taken away. */
  timersChanged(): void {
    this.#wake();
  }

  /** After an event that threw: what it had scheduled still runs. */
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

  /** Calls back where nothing has come of what the browser does on its own after so long. */
  afterQuiet(ms: number, run: () => void): void {
    this.#setTimeout(() => {
      if (this.isQuiet && !this.#stopped) run();
    }, ms);
  }

  /** Runs ticks and promises of what was just called from outside of any event, then `quiet` if nothing came of it. */
  settle(quiet: () => void): void {
    this.#drain();
    const before = this.#turns;
    this.#later(() => (this.#turns === before ? quiet() : this.#wake()));
  }

  /**
   * Something has come in, in a task of its own: where many events wait already, it is one turn too. A turn that waits in
   * line behind all that comes would come ever later.
   */
  cameIn(): void {
    if (this.#events.length > CROWD && !this.#draining) this.#run();
  }

  #turn(): void {
    this.#posted = false;
    this.#run();
  }

  /** One task: nothing is caught here, so that the platform says where an error was thrown. */
  #run(): void {
    if (this.#stopped) return;
    if (this.#settling) {
      this.#settling = false;
      return this.#wake();
    }
    leaveFrame();
    const event = this.#ticks.length > 0 ? NOTHING : (this.#afterTicks.shift() ?? this.#next());
    if (!event) return this.#rest();
    // It costs as much as many small events: what runs for long without listening does without.
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
    // Those that do not count run only where something else keeps the process alive.
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

  /** What has run belongs to no round: timers come next. */
  endRound(): void {
    this.#between = true;
    if (this.#began >= 0) return;
    this.#began = this.now();
    this.#turnsBefore = this.#turns;
    this.#idleTime = 0;
  }

  /** Timers that are due, then events that have come, then immediates. */
  #beginRound(): void {
    this.#between = false;
    this.#round = this.now();
    this.#eventsLeft = this.#events.length;
  }

  #nextEvent(): (() => void) | undefined {
    this.#eventsLeft--;
    return this.#events.shift();
  }

  /** Nothing to do now: waits for the next timer, or is done. */
  #rest(): void {
    this.#restsSince ??= this.now();
    const due = this.timers.nextDue();
    if (this.#handles <= 0) {
      this.#handles = 0;
      // Promises that were rejected are told of in a task of their own, which comes before this one.
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
/** So many events of a process, and those of one that listens, are told of rejections in node's order. */
const FIRST_TURNS = 100;
