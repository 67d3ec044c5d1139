import { MESSAGES_PER_PAGE, readMessages } from './older.ts';
import { addRecords } from './records.ts';
import type { SessionState } from './state.ts';
import type { SessionStore } from './store.ts';

/** Reads the messages of an open session that are not in its state yet, page by page. */
export class OlderMessages {
  readonly #store: SessionStore;
  readonly #state: SessionState;
  /** Whether every message of the session is in the state. */
  areLoaded: boolean;

  constructor(store: SessionStore, state: SessionState, areLoaded: boolean) {
    this.#store = store;
    this.#state = state;
    this.areLoaded = areLoaded;
  }

  /** Reads a page into the state; false when there are none. */
  async load(limit = MESSAGES_PER_PAGE): Promise<boolean> {
    if (this.areLoaded) return false;
    const before = Math.min(...[...this.#state.messages.values()].map(({ seq }) => seq));
    const page = await readMessages(this.#store, this.#state.sessionID, { before, limit });
    addRecords(this.#state, page);
    this.areLoaded = page.length < limit;
    return page.length > 0;
  }

  /** Loads messages until this one is in the state, or until all are. */
  async loadTo(messageID: string): Promise<void> {
    while (!this.#state.messages.has(messageID) && (await this.load()));
  }
}
