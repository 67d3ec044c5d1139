import type { Unlisten } from '../../base/listeners.ts';
import type { Timer } from '../../base/timer.ts';
import type { Event } from '../events.ts';

export interface FeedDeps {
  /** Stored events with `seq >= from`, in order. Rejects with a fault. */
  read(from: number): Promise<readonly Event[]>;
  /** Those that happen from now on; none where the session is not open here. */
  listen(listener: (events: readonly Event[]) => void): Unlisten;
  /** `seq` of the next event of the session, as far as is known here. */
  nextSeq(): number;
  readonly timer: Timer;
  /** Events came, in order and without gaps from the first of the log on. */
  take(events: readonly Event[]): void;
  failed(error: unknown): void;
}

/** What has just happened reaches the store within this, milliseconds, as a rule. */
const FIRST_WAIT_MS = 30;
const LAST_WAIT_MS = 1_000;

/** A whole log, and what comes to it: what was stored before anyone listened is read, gaps are read again. Returns what ends it. */
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
    // Not all of it is on disk yet.
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
