import { FaultError } from '../../base/fault.ts';
import type { Unlisten } from '../../base/listeners.ts';
import type { Past } from '../../session/inspect/past.ts';
import type { SessionState } from '../../session/state.ts';
import type { SessionHandle } from '../app.ts';

/** Messages that are there at rest, and how many more come with each look back. */
const PAGE = 40;
/** While it is moved along: what is on the screen, and little more. */
const MOVING = 6;

/** A session as it was after some of its events, as the page shows sessions. Nothing can be done in it. */
export class PastSession implements SessionHandle {
  readonly id: string;
  readonly writable = false;
  readonly #past: Past;
  #window = PAGE;
  #count = 0;
  #state: SessionState;

  constructor(id: string, past: Past, count: number) {
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

  prompt = refuse;
  setMode = refuse;
  chooseAgent = refuse;
  chooseEffort = refuse;
  rename = refuse;
  keep = refuse;
  summarize = refuse;
  abort(): void {}
  answer(): void {}
  answerQuestion(): void {}
  compact(): void {}
  retryNow(): void {}
}

function refuse(): Promise<never> {
  return Promise.reject(
    new FaultError({
      code: 'read-only',
      what: 'This is the past: it is shown as it was.',
      next: 'Choose “Back to now”.',
    }),
  );
}
