import * as z from 'zod';
import { Listeners, type Unlisten } from '../base/listeners.ts';
import { parseEvent, type Event } from '../session/events.ts';

/** What a list in another tab should read again. */
export const changedSchema = z.enum(['sessions', 'workspaces', 'rules', 'configuration']);
export type Changed = z.infer<typeof changedSchema>;

const messageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('events'), events: z.array(z.unknown()) }),
  z.object({ type: z.literal('changed'), what: changedSchema }),
]);
type Message = { type: 'events'; events: readonly Event[] } | { type: 'changed'; what: Changed };

/**
 * Tells the other tabs what is committed. Nothing is promised to arrive: who follows looks at `seq` and reads the
 * store where there is a gap. What cannot be parsed, as from a newer version in another tab, counts as such a gap.
 */
export class TabChannel {
  readonly #channel: BroadcastChannel;
  readonly #events = new Listeners<readonly Event[]>();
  readonly #changes = new Listeners<Changed>();

  constructor(name = 'vitrine') {
    this.#channel = new BroadcastChannel(`${name}:tabs`);
    this.#channel.onmessage = ({ data }) => this.#receive(data);
  }

  /** After they are committed; all of one session, in order. */
  sendEvents(events: readonly Event[]): void {
    this.#send({ type: 'events', events });
  }

  sendChanged(what: Changed): void {
    this.#send({ type: 'changed', what });
  }

  /** Batches from other tabs, never from this one. */
  onEvents(listener: (events: readonly Event[]) => void): Unlisten {
    return this.#events.add(listener);
  }

  onChanged(listener: (what: Changed) => void): Unlisten {
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

/** All of them or none. */
function parsed(values: readonly unknown[]): readonly Event[] {
  try {
    return values.map(parseEvent);
  } catch {
    return [];
  }
}
