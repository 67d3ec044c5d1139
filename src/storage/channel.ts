import * as z from 'zod/mini';
import { Listeners, type Unlisten } from '../base/listeners.ts';
import { parseEvent, type Event } from '../session/log/events.ts';

/** The lists that another tab should read again. */
export const changeTopicSchema = z.enum(['sessions', 'workspaces', 'rules', 'configuration']);
export type ChangeTopic = z.infer<typeof changeTopicSchema>;

const messageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('events'), events: z.array(z.unknown()) }),
  z.object({ type: z.literal('changed'), what: changeTopicSchema }),
]);
type Message = { type: 'events'; events: readonly Event[] } | { type: 'changed'; what: ChangeTopic };

/**
 * Tells the other tabs what was committed. Delivery is not guaranteed: a follower compares `seq` and reads the store
 * if there is a gap. A message that cannot be parsed, for example from a newer version in another tab, counts as such
 * a gap.
 */
export class TabChannel {
  readonly #channel: BroadcastChannel;
  readonly #events = new Listeners<readonly Event[]>();
  readonly #changes = new Listeners<ChangeTopic>();

  constructor(name = 'vitrine') {
    this.#channel = new BroadcastChannel(`${name}:tabs`);
    this.#channel.onmessage = ({ data }) => this.#receive(data);
  }

  /** Call this after committing; all events must belong to one session and be in order. */
  sendEvents(events: readonly Event[]): void {
    this.#send({ type: 'events', events });
  }

  sendChanged(what: ChangeTopic): void {
    this.#send({ type: 'changed', what });
  }

  /** Calls `listener` with batches from other tabs, never from this one. */
  onEvents(listener: (events: readonly Event[]) => void): Unlisten {
    return this.#events.add(listener);
  }

  onChanged(listener: (what: ChangeTopic) => void): Unlisten {
    return this.#changes.add(listener);
  }

  close(): void {
    this.#channel.close();
  }

  #send(message: Message): void {
    this.#channel.postMessage(message);
  }

  #receive(data: unknown): void {
    const message = messageSchema.safeParse(data).data;
    if (message?.type === 'changed') this.#changes.emit(message.what);
    if (message?.type !== 'events') return;
    const events = parsed(message.events);
    if (events.length > 0) this.#events.emit(events);
  }
}

/** Parses either all events or none. */
function parsed(values: readonly unknown[]): readonly Event[] {
  try {
    return values.map(parseEvent);
  } catch {
    return [];
  }
}
