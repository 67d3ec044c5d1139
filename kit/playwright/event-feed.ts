import { Listeners, type Unlisten } from '../../src/base/listeners.ts';
import { withResolvers } from '../../src/base/with-resolvers.ts';
import type { AgentEvent } from '../facts/agent-event.ts';

/** The events that a page has told so far, for readers that each go through them at their own pace. */
export class EventFeed {
  readonly #events: AgentEvent[] = [];
  readonly #listeners = new Listeners<AgentEvent>();
  /** Resolves with the next change. */
  #change = withResolvers<void>();
  #closed = false;

  get length(): number {
    return this.#events.length;
  }

  push(event: AgentEvent): void {
    this.#events.push(event);
    this.#listeners.emit(event);
    this.#wakeAll();
  }

  /** Ends every reader. */
  close(): void {
    this.#closed = true;
    this.#wakeAll();
  }

  onEvent(listener: (event: AgentEvent) => void): Unlisten {
    return this.#listeners.add(listener);
  }

  /** Goes through all events from the first one, and waits for more until the feed is closed. */
  all(): AsyncGenerator<AgentEvent, void, undefined> {
    return this.until(new Promise(() => {}), 0);
  }

  /** Goes through the events from the one at `start` until `end` has settled and all that came before it are read. */
  async *until(end: Promise<unknown>, start: number): AsyncGenerator<AgentEvent, void, undefined> {
    let isOver = false;
    const over = () => {
      isOver = true;
      this.#wakeAll();
    };
    // A failure is told to whoever awaits `end` itself.
    void end.then(over, over);
    for (let at = start; ; at++) {
      while (at >= this.#events.length) {
        if (isOver || this.#closed) return;
        await this.#change.promise;
      }
      const event = this.#events[at];
      if (event) yield event;
    }
  }

  #wakeAll(): void {
    const { resolve } = this.#change;
    this.#change = withResolvers();
    resolve();
  }
}
