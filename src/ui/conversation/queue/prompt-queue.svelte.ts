import * as z from 'zod/mini';
import { modelRefSchema } from '../../../session/log/events.ts';
import type { SessionHandle } from '../../app.ts';

const promptSchema = z.object({
  text: z.string(),
  model: z.optional(modelRefSchema),
  agent: z.optional(z.string()),
  /** The text that the person typed. It is left out where it is the one that is sent. */
  typed: z.optional(z.string()),
});
const storedSchema = z.array(promptSchema);

/** A message as it will be sent. */
export type QueuedPrompt = z.infer<typeof promptSchema>;

export interface Queued extends QueuedPrompt {
  readonly id: number;
}

/** Where the messages are kept over a reload. */
export interface QueueStore {
  load(): string;
  save(text: string): void;
}

/**
 * The messages that a person sent while their session was working. They go out in order after the step that runs,
 * and stay with the person until then. After a turn that was stopped or failed they wait for the next one.
 */
export class PromptQueue {
  readonly #session: SessionHandle;
  readonly #store: QueueStore;
  readonly #failed: (error: unknown) => void;
  readonly #sent: (typed: string) => void;
  #all = $state.raw<readonly Queued[]>([]);
  #nextID = 0;
  #sending: Promise<void> | null = null;

  /** `sent` gets what the person typed of each message that the session has accepted. */
  constructor(
    session: SessionHandle,
    store: QueueStore,
    failed: (error: unknown) => void,
    sent: (typed: string) => void = () => undefined,
  ) {
    this.#session = session;
    this.#store = store;
    this.#failed = failed;
    this.#sent = sent;
    this.#all = read(store.load()).map((prompt) => ({ ...prompt, id: this.#nextID++ }));
    session.onGap(() => this.#flush());
  }

  get all(): readonly Queued[] {
    return this.#all;
  }

  add(prompt: QueuedPrompt): void {
    this.#set([...this.#all, { ...prompt, id: this.#nextID++ }]);
    // The turn may have ended while this code was loaded.
    if (this.#session.state.turn === null && !this.#session.commanding) void this.#flush();
  }

  change(id: number, text: string): void {
    this.#set(this.#all.map((each) => (each.id === id ? { ...each, text, typed: text } : each)));
  }

  remove(id: number): void {
    this.#set(this.#all.filter((each) => each.id !== id));
  }

  /** Moves a message by that many places, as far as there are any. */
  move(id: number, by: number): void {
    const from = this.#all.findIndex((each) => each.id === id);
    const moved = this.#all[from];
    if (!moved) return;
    const others = this.#all.filter((each) => each.id !== id);
    const to = Math.min(Math.max(from + by, 0), others.length);
    this.#set([...others.slice(0, to), moved, ...others.slice(to)]);
  }

  /** Stops what runs and sends this message at once; the others wait on. */
  async sendNow(id: number): Promise<void> {
    const found = this.#all.find((each) => each.id === id);
    if (!found) return;
    this.remove(id);
    try {
      await this.#rested();
      await this.#send(found);
    } catch (error) {
      this.#set([found, ...this.#all]);
      this.#failed(error);
    }
  }

  #rested(): Promise<void> {
    const session = this.#session;
    if (session.state.turn === null && !session.commanding) return Promise.resolve();
    return new Promise((resolve) => {
      const unlisten = session.onEvents(() => {
        if (session.state.turn !== null) return;
        unlisten();
        resolve();
      });
      session.abort();
    });
  }

  /** Sends all of them, one after the other. Never rejects: what was not accepted stays. */
  #flush(): Promise<void> {
    this.#sending ??= this.#sendAll().finally(() => (this.#sending = null));
    return this.#sending;
  }

  async #sendAll(): Promise<void> {
    for (let next = this.#all[0]; next; next = this.#all[0]) {
      this.remove(next.id);
      try {
        await this.#send(next);
      } catch (error) {
        this.#set([next, ...this.#all]);
        this.#failed(error);
        return;
      }
    }
  }

  async #send({ text, model, agent, typed = text }: QueuedPrompt): Promise<void> {
    await this.#session.prompt(text, { ...(model && { model }), ...(agent !== undefined && { agent }) });
    this.#sent(typed);
  }

  #set(all: readonly Queued[]): void {
    this.#all = all;
    const kept = all.map(({ id: _, ...prompt }) => prompt);
    this.#store.save(kept.length > 0 ? JSON.stringify(kept) : '');
  }
}

function read(stored: string): readonly QueuedPrompt[] {
  if (stored === '') return [];
  try {
    return storedSchema.parse(JSON.parse(stored));
  } catch {
    // An older version wrote it, or somebody else; the person still has the conversation.
    return [];
  }
}
