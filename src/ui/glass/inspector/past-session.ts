import type { Fault } from '../../../base/fault.ts';
import type { Unlisten } from '../../../base/listeners.ts';
import type { Past } from '../../../session/inspect/past.ts';
import type { SessionState } from '../../../session/log/state.ts';
import { ShownSession } from '../../state/shown-session.ts';

/** The number of messages that are loaded at rest, and that each further page adds. */
const PAGE = 40;
/** The number of messages while the slider moves: those on the screen, and a few more. */
const MOVING = 6;

const REFUSAL: Fault = {
  code: 'read-only',
  what: 'You are looking at the past, which cannot be changed.',
  next: 'Choose “Back to now”.',
};

/** A read-only session as it was after some of its events. */
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

  /** Loads only the end of the conversation until {@link settle} is called. */
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

  /**
   * Loads only the newest messages, so that a look costs the same in a long session. Nothing waits for an
   * answer in the past.
   */
  #look(): SessionState {
    const state = this.#past.at(this.#count);
    const newest = [...state.messages].slice(-this.#window);
    const { retry: _waits, ...rest } = state;
    return { ...rest, messages: new Map(newest), pending: new Map(), questions: new Map() };
  }
}
