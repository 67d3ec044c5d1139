import type { Past } from '../../../session/inspect/past.ts';
import { framePainter, type Painter } from '../../state/painter.ts';
import { SessionView } from '../../state/session-view.svelte.ts';
import { PastSession } from './past-session.ts';

/** The view counts as resting after it did not move for this long, in milliseconds. */
const RESTS_AFTER_MS = 200;

/** The page as it was after some of the events. It moves at most once per frame. */
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
    // Painting is synchronous here, so that the state and its painting belong to the same frame.
    this.view = new SessionView(this.#session, { schedule: (paint) => paint(), cancel: () => {} });
  }

  /** The number of events that have happened at the shown moment. */
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

  /** Returns to the present. */
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
