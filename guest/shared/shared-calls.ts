import type { CallFrame } from './call-frame.ts';
import type { NodeFsCall } from './wire.ts';

/**
 * Lets calls in quick succession go without messages: after an answer the kernel waits a moment for the next
 * call in shared memory. One word says whether it waits, and whether a call is there. Both ends change it by
 * compare and exchange, so that no call is answered twice or never. Neither end polls: on a machine with few
 * cores that would take the core that the other end needs.
 */
const AWAY = 0;
const WAITING = 1;
const ASKED = 2;

/** Milliseconds that the kernel waits for the next call after an answer. */
export const WAIT_MS = 0.1;
/** Milliseconds for which the kernel may leave its other messages unread. */
const STAY_MS = 1;

/**
 * The kernel's budget for waiting in vain, for each program: it grows by this share of the time that passes,
 * up to this maximum. A program with few calls thus takes little time from others.
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

  /** Passes on a call, unless messages to the kernel are unread. False if it must be sent as a message. */
  call(call: NodeFsCall): boolean {
    if (this.#told || Atomics.load(this.#words, this.#word) !== WAITING || !this.#frame.write(call))
      return false;
    return this.#change(ASKED);
  }

  /** Must be called before a message is sent. No call goes through here until the kernel has read it. */
  tells(): void {
    this.#told = true;
    this.#change(AWAY);
  }

  /** Must be called before a call is sent as a message. Its answer shows that all messages have been read. */
  asks(): void {
    this.#told = false;
    this.#change(AWAY);
  }

  /** Sets the word if the kernel still waits. False if it does not. */
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
  /** The milliseconds left for waiting in vain, at the time `#counted`. */
  #budget = MOST_MS;
  #counted: number;

  /** `now` returns milliseconds. */
  constructor(words: Int32Array, word: number, frame: CallFrame, now = performance.now.bind(performance)) {
    this.#words = words;
    this.#word = word;
    this.#frame = frame;
    this.#now = now;
    this.#counted = now();
  }

  /**
   * Answers a call that came as a message with `first`, and calls that follow at once with `next`. Both
   * return whether the call was answered. Returns when one was not, or when no further call comes.
   */
  answering(first: () => boolean, next: (call: unknown) => boolean): void {
    const started = this.#now();
    if (!this.#mayWait(started)) return void first();
    // This comes before the answer, because the next call may arrive before this thread continues after it.
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
