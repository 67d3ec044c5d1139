import type { Fault } from '../../base/fault.ts';
import type { Unlisten } from '../../base/listeners.ts';
import type { Past } from '../../session/inspect/past.ts';
import type { SessionState } from '../../session/state.ts';
import { ShownSession } from '../state/shown-session.ts';

/** Messages that are there at rest, and how many more come with each look back. */
const PAGE = 40;
/** While it is moved along: what is on the screen, and little more. */
const MOVING = 6;

const REFUSAL: Fault = {
  code: 'read-only',
  what: 'This is the past: it is shown as it was.',
  next: 'Choose “Back to now”.',
};

/** A session as it was after some of its events, as the page shows sessions. Nothing can be done in it. */
export class PastSession extends ShownSession {
  readonly id: string;
  readonly #past: Past;
  #window = PAGE;
  #count = 0;
  #state: SessionState;

  constructor(id: string, past: Past, count: number) {
    super(REFUSAL);
    this.id = id;
    this.#past = past;
    this.#count = count;
    this.#state = this.#look();
  }

  get state(): SessionState {
    return this.#state;
  }

  get oldestLoaded(): boolean {
    return this.#window === MOVING || this.#past.at(this.#count).messages.size <= this.#window;
  }

  /** Only the end of it is there until it is {@link settle}d. */
  goTo(count: number): void {
    this.#count = count;
    this.#window = MOVING;
    this.#state = this.#look();
  }

  settle(): void {
    this.#window = PAGE;
    this.#state = this.#look();
  }

  loadOlder(limit: number = PAGE): Promise<boolean> {
    this.#window += limit;
    this.#state = this.#look();
    return Promise.resolve(true);
  }

  onEvents(): Unlisten {
    return () => undefined;
  }

  /** The newest messages only, so that a look costs the same in a long session; nothing waits for an answer in the past. */
  #look(): SessionState {
    const state = this.#past.at(this.#count);
    const newest = [...state.messages].slice(-this.#window);
    const { retry: _waits, ...rest } = state;
    return { ...rest, messages: new Map(newest), pending: new Map(), questions: new Map() };
  }
}
