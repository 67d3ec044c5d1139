import type { Fault } from '../../base/fault.ts';
import { Listeners, type Unlisten } from '../../base/listeners.ts';
import type { Event } from '../../session/events.ts';
import { Past } from '../../session/inspect/past.ts';
import type { RecordedSession } from '../../session/recording/recording.ts';
import type { SessionState } from '../../session/state.ts';
import { ShownSession } from '../state/shown-session.ts';

/** No session of this device has it. */
export const RECORDED_ID = 'recording';

const REFUSAL: Fault = {
  code: 'read-only',
  what: 'This is a recording: it is shown as it was.',
  next: 'Choose “Run for real” to go on from here.',
};

/** A recorded session at one moment, as the page shows sessions. Nothing can be done in it. */
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
    // Its workspace is none of this device's, even where one has its id.
    this.events = events.map((event) =>
      event.type === 'session.created' ? { ...event, workspaceID: RECORDED_ID } : event,
    );
    this.#past = new Past(RECORDED_ID, this.events);
    this.#state = this.#at(0);
  }

  get state(): SessionState {
    return this.#state;
  }

  /** How many of the events have happened. */
  get count(): number {
    return this.#count;
  }

  /** Shows it after so many events; false where what was shown is not gone on with, but is to be read anew. */
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

  /** What was asked has been answered long ago: nobody is asked again. */
  #at(count: number): SessionState {
    const state = this.#past.at(count);
    state.pending.clear();
    state.questions.clear();
    return state;
  }

  loadOlder = (): Promise<boolean> => Promise.resolve(false);
}
