import type { CallFrame } from './call-frame.ts';
import type { NodeFsCall } from './wire.ts';

/**
 * Calls that come one right after the other need no messages: for a moment after an answer the kernel waits for the next
 * call in shared memory. One word says whether it does, and whether a call is there. Whoever changes it does so only
 * where it still is as expected, so that no call is answered twice or never. Neither end looks again and again: on a
 * machine with little to spare that takes the core that the other one needs.
 */
const AWAY = 0;
const WAITING = 1;
const ASKED = 2;

/** So long after an answer the kernel waits for the next call. */
export const WAIT_MS = 0.05;
/** So long it may leave its other messages lying. */
const STAY_MS = 0.3;

/**
 * What it may wait in vain for one program: this share of the time that passes, so that one that asks now and then takes
 * little from the others, and so much at once.
 */
const SHARE = 0.1;
const MOST_MS = 1;

/** The worker's end. */
export class Caller {
  readonly #words: Int32Array;
  readonly #word: number;
  readonly #frame: CallFrame;
  #told = true;

  constructor(words: Int32Array, word: number, frame: CallFrame) {
    this.#words = words;
    this.#word = word;
    this.#frame = frame;
  }

  /** True where the kernel has the call. It does not get it before the messages that were sent to it. */
  call(call: NodeFsCall): boolean {
    if (this.#told || Atomics.load(this.#words, this.#word) !== WAITING || !this.#frame.write(call))
      return false;
    return this.#change(ASKED);
  }

  /** A message follows: until the kernel has read it, it waits for no call. */
  tells(): void {
    this.#told = true;
    this.#change(AWAY);
  }

  /** The message that follows is a call: once it is answered, all are read. */
  asks(): void {
    this.#told = false;
    this.#change(AWAY);
  }

  /** False where the kernel waits no more. */
  #change(to: number): boolean {
    if (Atomics.compareExchange(this.#words, this.#word, WAITING, to) !== WAITING) return false;
    Atomics.notify(this.#words, this.#word);
    return true;
  }
}

/** The kernel's end. */
export class CallWatch {
  readonly #words: Int32Array;
  readonly #word: number;
  readonly #frame: CallFrame;
  readonly #now: () => number;
  /** Milliseconds that it may wait in vain, as of `#counted`. */
  #budget = MOST_MS;
  #counted: number;

  /** `now` tells milliseconds. */
  constructor(words: Int32Array, word: number, frame: CallFrame, now = performance.now.bind(performance)) {
    this.#words = words;
    this.#word = word;
    this.#frame = frame;
    this.#now = now;
    this.#counted = now();
  }

  /**
   * Has `first` answer a call that came as a message, and `next` those that follow it at once. Both say whether the call
   * has its answer now; where it has not, or none follows, this ends.
   */
  answering(first: () => boolean, next: (call: unknown) => boolean): void {
    const started = this.#now();
    if (!this.#mayWait(started)) return void first();
    // Before the answer, after which the next call may be there before this thread goes on.
    this.#set(WAITING);
    let goesOn = first();
    while (goesOn && this.#isAsked()) {
      const stays = this.#now() - started < STAY_MS;
      this.#set(stays ? WAITING : AWAY);
      goesOn = next(this.#frame.read()) && stays;
    }
    this.#set(AWAY);
  }

  #mayWait(now: number): boolean {
    this.#budget = Math.min(MOST_MS, this.#budget + (now - this.#counted) * SHARE);
    this.#counted = now;
    return this.#budget > 0;
  }

  #isAsked(): boolean {
    Atomics.wait(this.#words, this.#word, WAITING, WAIT_MS);
    const state = Atomics.compareExchange(this.#words, this.#word, WAITING, AWAY);
    if (state === WAITING) this.#budget -= WAIT_MS;
    return state === ASKED;
  }

  #set(state: number): void {
    Atomics.store(this.#words, this.#word, state);
  }
}
