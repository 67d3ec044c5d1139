import { FaultError } from '../../base/fault.ts';
import { Listeners, type Unlisten } from '../../base/listeners.ts';
import type { Event } from '../../session/events.ts';
import { Past } from '../../session/inspect/past.ts';
import type { RecordedSession } from '../../session/recording/recording.ts';
import type { SessionState } from '../../session/state.ts';
import type { SessionHandle } from '../app.ts';

/** No session of this device has it. */
export const RECORDED_ID = 'recording';

/** A recorded session at one moment, as the page shows sessions. Nothing can be done in it. */
export class RecordedSessionHandle implements SessionHandle {
  readonly id = RECORDED_ID;
  readonly writable = false;
  readonly oldestLoaded = true;
  readonly events: readonly Event[];
  readonly #past: Past;
  readonly #told = new Listeners<readonly Event[]>();
  #count = 0;
  #state: SessionState;

  constructor({ events }: RecordedSession) {
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

  prompt = refuse;
  setMode = refuse;
  chooseAgent = refuse;
  chooseEffort = refuse;
  rename = refuse;
  keep = refuse;
  summarize = refuse;
  loadOlder = (): Promise<boolean> => Promise.resolve(false);
  abort(): void {}
  answer(): void {}
  answerQuestion(): void {}
  compact(): void {}
  retryNow(): void {}
}

function refuse(): Promise<never> {
  return Promise.reject(
    new FaultError({
      code: 'read-only',
      what: 'This is a recording: it is shown as it was.',
      next: 'Choose “Run for real” to go on from here.',
    }),
  );
}
