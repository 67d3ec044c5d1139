import type { MessageSource } from './messages.ts';
import { headPath } from './messages.ts';
import { readMessages } from './older.ts';
import type { Message, Part, SessionState } from './state.ts';
import type { SessionStore } from './store.ts';

const PAGE = 200;

/**
 * Every message of a session for the requests of its loop, also where the state holds only the newest page: what the
 * screen has not scrolled to stays out of the state.
 */
export class History implements MessageSource {
  readonly #state: SessionState;
  readonly #store: Pick<SessionStore, 'messages' | 'events'>;
  readonly #older = new Map<string, Message>();
  readonly #olderParts = new Map<string, Part>();

  constructor(state: SessionState, store: Pick<SessionStore, 'messages' | 'events'>) {
    this.#state = state;
    this.#store = store;
  }

  message(id: string): Message | undefined {
    return this.#state.messages.get(id) ?? this.#older.get(id);
  }

  get prunedBefore(): number | undefined {
    return this.#state.prunedBefore;
  }

  part(key: string): Part | undefined {
    return this.#state.parts.get(key) ?? this.#olderParts.get(key);
  }

  /** Everything that was read so far. */
  *parts(): Iterable<Part> {
    yield* this.#olderParts.values();
    yield* this.#state.parts.values();
  }

  /** Reads until the path from the head is whole. Rejects with the store's fault. */
  async load(): Promise<void> {
    for (;;) {
      const first = headPath(this, this.#state.head)[0];
      if (!first || first.parentID === null) return;
      const page = await readMessages(this.#store, this.#state.sessionID, {
        before: first.seq,
        limit: PAGE,
      });
      if (page.length === 0) return;
      for (const { message, parts } of page) {
        this.#older.set(message.id, message);
        for (const part of parts) this.#olderParts.set(part.key, part);
      }
    }
  }
}
