import type { Fault } from '../../../base/fault.ts';
import { Listeners, type Unlisten } from '../../../base/listeners.ts';
import type { Event } from '../../../session/log/events.ts';
import { Past } from '../../../session/inspect/past.ts';
import type { RecordedSession } from '../../../session/recording/recording.ts';
import type { SessionState } from '../../../session/log/state.ts';
import { ShownSession } from '../../state/shown-session.ts';

/** An id that no session on this device has. */
export const RECORDED_ID = 'recording';

const REFUSAL: Fault = {
  code: 'read-only',
  what: 'This is a recording, which cannot be changed.',
  next: 'Choose “Run for real” to continue from here.',
};

/** A read-only recorded session at one moment. */
export class RecordedSessionHandle extends ShownSession {
  readonly id = RECORDED_ID;
  readonly oldestLoaded = true;
  readonly events: readonly Event[];
  readonly #past: Past;
  readonly #told = new Listeners<readonly Event[]>();
  #count = 0;
  #state: SessionState;

  constructor({ events }: RecordedSession) {
    super(REFUSAL);
    // The recording's workspace does not exist on this device, even if a workspace here has its id.
    this.events = events.map((event) =>
      event.type === 'session.created' ? { ...event, workspaceID: RECORDED_ID } : event,
    );
    this.#past = new Past(RECORDED_ID, this.events);
    this.#state = this.#at(0);
  }

  get state(): SessionState {
    return this.#state;
  }

  /** The number of events that have happened at the shown moment. */
  get count(): number {
    return this.#count;
  }

  /**
   * Moves to the moment after `count` events. Returns false after a step back: the screen must then read all
   * of the state again.
   */
  goTo(count: number): boolean {
    const from = this.#count;
    this.#count = Math.max(0, Math.min(count, this.events.length));
    this.#state = this.#at(this.#count);
    if (this.#count < from) return false;
    if (this.#count > from) this.#told.emit(this.events.slice(from, this.#count));
    return true;
  }

  onEvents(listener: (events: readonly Event[]) => void): Unlisten {
    return this.#told.add(listener);
  }

  /** Removes open requests: they were answered long ago, and nobody is asked again. */
  #at(count: number): SessionState {
    const state = this.#past.at(count);
    state.pending.clear();
    state.questions.clear();
    return state;
  }

  loadOlder = (): Promise<boolean> => Promise.resolve(false);
}
