import { FaultError, type Fault } from '../../base/fault.ts';
import type { Hash } from '../../base/hash.ts';
import type { ModelMessage } from '../../models/types.ts';
import type { MessageSource, Retelling } from '../request/types.ts';
import { headPath } from '../request/messages.ts';
import { readMessages } from './older.ts';
import type { Message, Part, SessionState } from './state.ts';
import type { SessionStore } from './store.ts';

const PAGE = 200;

const RETOLD_GONE: Fault = {
  code: 'edit-lost',
  what: 'The text that you put in place of a message can no longer be read.',
  next: 'Choose “Use the original again” at its mark in the conversation.',
};

const SYSTEM_GONE: Fault = {
  code: 'edit-lost',
  what: 'The system prompt that you wrote can no longer be read.',
  next: 'Choose “Use its own prompt again” at the mark in the conversation.',
};

/**
 * Every message of a session, for the requests of its loop, even if the state holds only the newest page.
 * Older messages that the person has not scrolled to stay out of the state.
 */
export class History implements MessageSource {
  readonly #state: SessionState;
  readonly #store: Pick<SessionStore, 'messages' | 'events' | 'blobs'>;
  readonly #older = new Map<string, Message>();
  readonly #olderParts = new Map<string, Part>();
  readonly #retold = new Map<Hash, readonly ModelMessage[]>();
  readonly #systems = new Map<Hash, string>();

  constructor(state: SessionState, store: Pick<SessionStore, 'messages' | 'events' | 'blobs'>) {
    this.#state = state;
    this.#store = store;
  }

  message(id: string): Message | undefined {
    return this.#state.messages.get(id) ?? this.#older.get(id);
  }

  get prunedBefore(): number | undefined {
    return this.#state.prunedBefore;
  }

  retold(messageID: string): Retelling | undefined {
    const found = this.#state.retold?.find((each) => each.messageID === messageID);
    const messages = found && this.#retold.get(found.told);
    return found && messages && { model: found.model, messages };
  }

  /** Remembers the messages behind a hash that is about to be in the log. */
  keepRetold(told: Hash, messages: readonly ModelMessage[]): void {
    this.#retold.set(told, messages);
  }

  /** The system prompt that the person wrote for this agent. */
  system(agent: string): string | undefined {
    const found = this.#state.retoldSystems?.find((each) => each.agent === agent);
    return found && this.#systems.get(found.told);
  }

  /** Remembers the system prompt behind a hash that is about to be in the log. */
  keepSystem(told: Hash, text: string): void {
    this.#systems.set(told, text);
  }

  part(key: string): Part | undefined {
    return this.#state.parts.get(key) ?? this.#olderParts.get(key);
  }

  /** All parts that were read so far. */
  *parts(): Iterable<Part> {
    yield* this.#olderParts.values();
    yield* this.#state.parts.values();
  }

  /** Reads until the path from the head is complete. Rejects with the store's fault. */
  async load(): Promise<void> {
    await this.#loadRetold();
    let before = Math.min(
      ...[...this.#state.messages.values(), ...this.#older.values()].map(({ seq }) => seq),
    );
    for (;;) {
      const first = headPath(this, this.#state.head)[0];
      if (first ? first.parentID === null : this.#state.head === null) return;
      const page = await readMessages(this.#store, this.#state.sessionID, { before, limit: PAGE });
      // The parent is not always the message right before: other versions of the conversation may lie between.
      before = page[0]?.seq ?? 0;
      if (page.length === 0) return;
      for (const { message, parts } of page) {
        this.#older.set(message.id, message);
        for (const part of parts) this.#olderParts.set(part.key, part);
      }
    }
  }

  /** Fails if an edit cannot be read: otherwise models would see what the person took out. */
  async #loadRetold(): Promise<void> {
    for (const { told } of this.#state.retold ?? [])
      if (!this.#retold.has(told))
        this.#retold.set(told, JSON.parse(await this.#text(told, RETOLD_GONE)) as ModelMessage[]);
    for (const { told } of this.#state.retoldSystems ?? [])
      if (!this.#systems.has(told)) this.#systems.set(told, await this.#text(told, SYSTEM_GONE));
  }

  async #text(hash: Hash, gone: Fault): Promise<string> {
    const bytes = await this.#store.blobs.get(hash);
    if (!bytes) throw new FaultError(gone);
    return new TextDecoder().decode(bytes);
  }
}
