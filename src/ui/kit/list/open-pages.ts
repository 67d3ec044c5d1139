import type { Event } from '../../../session/log/events.ts';
import type { SessionHandle } from '../../app.ts';

/** A reading of a session's log, page by page from its end. */
export interface Paged {
  /** `seq` of the newest event that was read; -1 before the first page. */
  readonly newest: number;
  /** Reads the next older page. Where that takes several reads of the log, `read` may be called after each. */
  more(read?: () => void): Promise<void>;
  /**
   * Adds events that have just happened, without those that were already read. Returns whether there is
   * something new to show.
   */
  take(events: readonly Event[]): boolean;
}

/** New events usually reach the store within this time, in milliseconds. */
const WAIT_MS = 50;
const TRIES = 20;

/**
 * Reads the newest pages and follows new events; calls `changed` whenever there is something new to show.
 * `handle` is the session's open handle in this tab, if there is one. Returns a function that stops it.
 */
export function openPages<T extends Paged>(
  handle: Pick<SessionHandle, 'state' | 'onEvents'> | undefined,
  open: () => Promise<T>,
  { changed, failed }: { changed: (pages: T) => void; failed: (error: unknown) => void },
): () => void {
  const upTo = handle ? handle.state.nextSeq - 1 : -1;
  let gone = false;
  let opened: T | null = null;
  let early: Event[] = [];
  const unlisten = handle?.onEvents((events) => {
    if (!opened) early.push(...events);
    else if (opened.take(events)) changed(opened);
  });

  void read().catch((error: unknown) => {
    if (!gone) failed(error);
  });

  async function read(): Promise<void> {
    for (let tries = 1; !gone; tries++) {
      const pages = await open();
      await pages.more(() => pages.newest >= upTo && show(pages));
      if (pages.newest >= upTo || tries === TRIES) return show(pages);
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    }
  }

  function show(pages: T): void {
    pages.take(early);
    early = [];
    opened = pages;
    if (!gone) changed(pages);
  }

  return () => {
    gone = true;
    unlisten?.();
  };
}
