import type { Past } from '../../session/inspect/past.ts';
import { framePainter, type Painter } from '../state/painter.ts';
import { SessionView } from '../state/session-view.svelte.ts';
import { PastSession } from './past-session.ts';

/** It rests once it was not moved for so long, milliseconds. */
const RESTS_AFTER_MS = 200;

/** The page as it was after so many events; moved along at most once a frame. */
export class PastView {
  readonly sessionID: string;
  readonly view: SessionView;
  readonly #session: PastSession;
  readonly #painter: Painter;
  readonly #onLeave: () => void;
  #count = $state(0);
  #wanted: number;
  #rest: ReturnType<typeof setTimeout> | undefined;
  #total = $state(0);

  constructor(
    sessionID: string,
    past: Past,
    at: { readonly count: number; readonly total: number },
    onLeave: () => void,
    painter: Painter = framePainter(),
  ) {
    this.sessionID = sessionID;
    this.#painter = painter;
    this.#onLeave = onLeave;
    this.#wanted = at.count;
    this.#count = at.count;
    this.#total = at.total;
    this.#session = new PastSession(sessionID, past, at.count);
    // Painted by hand: the look and its painting belong to the same frame.
    this.view = new SessionView(this.#session, { schedule: (paint) => paint(), cancel: () => {} });
  }

  /** How many events have happened. */
  get count(): number {
    return this.#count;
  }

  get total(): number {
    return this.#total;
  }

  goTo(count: number, total: number): void {
    this.#wanted = count;
    this.#total = total;
    this.#painter.schedule(this.#move);
  }

  /** Back to now. */
  leave(): void {
    this.#onLeave();
  }

  close(): void {
    this.#painter.cancel(this.#move);
    clearTimeout(this.#rest);
    this.view.close();
  }

  #move = (): void => {
    if (this.#wanted === this.#count) return;
    this.#count = this.#wanted;
    this.#session.goTo(this.#count);
    this.view.replaced();
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => {
      this.#session.settle();
      this.view.replaced();
    }, RESTS_AFTER_MS);
  };
}
