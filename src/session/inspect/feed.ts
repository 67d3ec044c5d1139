import type { Unlisten } from '../../base/listeners.ts';
import type { Timer } from '../../base/timer.ts';
import type { Event } from '../log/events.ts';

export interface FeedDeps {
  /** Stored events with `seq >= from`, in order. Rejects with a fault. */
  read(from: number): Promise<readonly Event[]>;
  /** Listens to new events; never called if the session is not open here. */
  listen(listener: (events: readonly Event[]) => void): Unlisten;
  /** `seq` of the session's next event, as far as this tab knows. */
  nextSeq(): number;
  readonly timer: Timer;
  /** Called with events in order and without gaps, starting with the first of the log. */
  take(events: readonly Event[]): void;
  failed(error: unknown): void;
}

/** New events usually reach the store within this many milliseconds. */
const FIRST_WAIT_MS = 30;
const LAST_WAIT_MS = 1_000;

/**
 * Passes on a whole log and everything that is added to it. Events from before the start are read from the
 * store, and so are gaps. Returns a function that stops it.
 */
export function feed({ read, listen, nextSeq, timer, take, failed }: FeedDeps): Unlisten {
  let gone = false;
  let next = 0;
  let early: Event[] = [];
  let reading = false;
  let wait = FIRST_WAIT_MS;
  let cancel: Unlisten = () => undefined;

  function add(events: readonly Event[]): void {
    const fresh: Event[] = [];
    for (const event of events) {
      if (event.seq !== next) continue;
      fresh.push(event);
      next++;
    }
    if (fresh.length === 0) return;
    wait = FIRST_WAIT_MS;
    take(fresh);
  }

  function heard(events: readonly Event[]): void {
    if (gone) return;
    if (!reading && events[0] && events[0].seq <= next) return add(events);
    early.push(...events);
    if (!reading) void catchUp();
  }

  async function catchUp(): Promise<void> {
    reading = true;
    cancel();
    try {
      const stored = await read(next);
      if (gone) return;
      add(stored);
    } catch (error) {
      if (!gone) failed(error);
      return;
    } finally {
      reading = false;
    }
    const heardMeanwhile = early;
    early = [];
    add(heardMeanwhile);
    // Some events are not on disk yet.
    early = heardMeanwhile.filter(({ seq }) => seq >= next);
    if (next >= nextSeq()) return;
    cancel = timer.after(wait, () => void catchUp());
    wait = Math.min(2 * wait, LAST_WAIT_MS);
  }

  const unlisten = listen(heard);
  void catchUp();
  return () => {
    gone = true;
    cancel();
    unlisten();
  };
}
