import type { Event } from '../log/events.ts';
import { emptyState, fold } from '../log/reduce.ts';
import type { SessionState } from '../log/state.ts';

/** How many events lie between two kept states. */
export const KEPT_EVERY = 1_000;

/**
 * A session as it was after any number of its events. It is folded from the nearest earlier state: one is
 * kept every thousand events, and one is where the last call of `at` stopped.
 */
export class Past {
  readonly #sessionID: string;
  readonly #events: readonly Event[];
  /** The element at index i is the state after i thousand events. */
  readonly #kept: SessionState[];
  /** The state of the last call of `at`; it is folded further in place. */
  #current: SessionState;

  /** `events` starts with event 0, has no gaps, and may grow at its end. */
  constructor(sessionID: string, events: readonly Event[]) {
    this.#sessionID = sessionID;
    this.#events = events;
    this.#kept = [emptyState(sessionID)];
    this.#current = emptyState(sessionID);
  }

  /** How many events the kept states cover. */
  get ready(): number {
    return (this.#kept.length - 1) * KEPT_EVERY;
  }

  /** Keeps one more state, so that `at` does not have to; false if there are not enough events. */
  prepare(): boolean {
    if (this.ready + KEPT_EVERY > this.#events.length) return false;
    const state = copyOf(this.#kept.at(-1) ?? emptyState(this.#sessionID));
    this.#foldTo(state, this.ready + KEPT_EVERY);
    this.#kept.push(state);
    return true;
  }

  /** The state after the first `count` events. The next call may change it in place. */
  at(count: number): SessionState {
    const wanted = Math.max(0, Math.min(count, this.#events.length));
    while (this.ready + KEPT_EVERY <= wanted && this.prepare());
    const nearest = Math.floor(wanted / KEPT_EVERY);
    const reached = this.#current.nextSeq;
    if (reached > wanted || reached < nearest * KEPT_EVERY)
      this.#current = copyOf(this.#kept[nearest] ?? emptyState(this.#sessionID));
    this.#foldTo(this.#current, wanted);
    return this.#current;
  }

  #foldTo(state: SessionState, count: number): void {
    for (let seq = state.nextSeq; seq < count; seq++) {
      const event = this.#events[seq];
      if (event) fold(state, event);
    }
  }
}

/** Messages and parts are replaced, never changed, so it is enough to copy the maps. */
function copyOf(state: SessionState): SessionState {
  return {
    ...state,
    messages: new Map(state.messages),
    parts: new Map(state.parts),
    pending: new Map(state.pending),
    questions: new Map(state.questions),
  };
}
