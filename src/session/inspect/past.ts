import type { Event } from '../events.ts';
import { emptyState, fold } from '../reduce.ts';
import type { SessionState } from '../state.ts';

/** Events between two states that are kept. */
export const KEPT_EVERY = 1_000;

/**
 * A session as it was after any number of its events: folded from the nearest state before, one kept every thousand
 * events, or from where the last look left off.
 */
export class Past {
  readonly #sessionID: string;
  readonly #events: readonly Event[];
  /** At index i, the state after i thousand events. */
  readonly #kept: SessionState[];
  /** Where the last look left off; it is folded on in place. */
  #current: SessionState;

  /** `events` may grow behind: it begins with event 0 and has no gaps. */
  constructor(sessionID: string, events: readonly Event[]) {
    this.#sessionID = sessionID;
    this.#events = events;
    this.#kept = [emptyState(sessionID)];
    this.#current = emptyState(sessionID);
  }

  /** Events up to which states are kept. */
  get ready(): number {
    return (this.#kept.length - 1) * KEPT_EVERY;
  }

  /** Keeps one more state, so that no look has to; false where there are no events for one. */
  prepare(): boolean {
    if (this.ready + KEPT_EVERY > this.#events.length) return false;
    const state = copyOf(this.#kept.at(-1) ?? emptyState(this.#sessionID));
    this.#foldTo(state, this.ready + KEPT_EVERY);
    this.#kept.push(state);
    return true;
  }

  /** The state after the first `count` events. The next look may change it in place. */
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

/** Messages and parts are replaced, never changed: only the maps that hold them are copied. */
function copyOf(state: SessionState): SessionState {
  return {
    ...state,
    messages: new Map(state.messages),
    parts: new Map(state.parts),
    pending: new Map(state.pending),
    questions: new Map(state.questions),
  };
}
