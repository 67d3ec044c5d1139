import { FaultError, faultOf, type Fault } from '../../base/fault.ts';
import { Listeners, type Unlisten } from '../../base/listeners.ts';
import type { Event } from './events.ts';
import { loadHead } from './open.ts';
import { OlderMessages } from './older-messages.ts';
import { fold } from './reduce.ts';
import type { SessionState } from './state.ts';
import type { SessionStore } from './store.ts';

/** A session that another tab writes. It shows what that tab has committed, and cannot change anything. */
export class SessionFollower {
  readonly id: string;
  readonly state: SessionState;
  readonly writable = false;
  readonly restores = null;
  readonly #store: SessionStore;
  readonly #events = new Listeners<readonly Event[]>();
  readonly #problems = new Listeners<Fault>();
  readonly #older: OlderMessages;
  #applying: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(store: SessionStore, state: SessionState, oldestLoaded: boolean) {
    this.id = state.sessionID;
    this.state = state;
    this.#store = store;
    this.#older = new OlderMessages(store, state, oldestLoaded);
  }

  get oldestLoaded(): boolean {
    return this.#older.areLoaded;
  }

  onEvents(listener: (events: readonly Event[]) => void): Unlisten {
    return this.#events.add(listener);
  }

  /** Reports that missed events could not be read. The next batch tries again. */
  onProblem(listener: (fault: Fault) => void): Unlisten {
    return this.#problems.add(listener);
  }

  /**
   * Takes in a batch that the writer committed; reads missing earlier events from the store. Never rejects.
   */
  receive(events: readonly Event[]): Promise<void> {
    this.#applying = this.#applying
      .then(() => this.#apply(events))
      .catch((error: unknown) => this.#problems.emit(faultOf(error, 'storage-failed')));
    return this.#applying;
  }

  loadOlder(limit?: number): Promise<boolean> {
    return this.#older.load(limit);
  }

  prompt(): Promise<void> {
    return Promise.reject(new FaultError(READ_ONLY));
  }

  readonly commanding = false;

  onGap(): Unlisten {
    return () => undefined;
  }

  command(): Promise<void> {
    return Promise.reject(new FaultError(READ_ONLY));
  }

  rename(): Promise<void> {
    return Promise.reject(new FaultError(READ_ONLY));
  }

  setMode(): Promise<void> {
    return Promise.reject(new FaultError(READ_ONLY));
  }

  chooseAgent(): Promise<void> {
    return Promise.reject(new FaultError(READ_ONLY));
  }

  chooseEffort(): Promise<void> {
    return Promise.reject(new FaultError(READ_ONLY));
  }

  summarize(): Promise<undefined> {
    return Promise.reject(new FaultError(READ_ONLY));
  }

  keep(): Promise<void> {
    return Promise.reject(new FaultError(READ_ONLY));
  }

  abort(): void {
    throw new FaultError(READ_ONLY);
  }

  answer(): void {
    throw new FaultError(READ_ONLY);
  }

  answerQuestion(): void {
    throw new FaultError(READ_ONLY);
  }

  compact(): void {
    throw new FaultError(READ_ONLY);
  }

  async tellAsItIs(): Promise<void> {
    throw new FaultError(READ_ONLY);
  }

  async tellOwnSystem(): Promise<void> {
    throw new FaultError(READ_ONLY);
  }

  retryNow(): void {
    throw new FaultError(READ_ONLY);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#applying;
  }

  async #apply(events: readonly Event[]): Promise<void> {
    const first = events[0];
    if (this.#closed || !first) return;
    const known = first.seq > this.state.nextSeq ? await this.#store.events(this.id, this.state.nextSeq) : [];
    if (this.#closed) return;
    const fresh: Event[] = [];
    for (const event of [...known, ...events]) {
      if (event.seq !== this.state.nextSeq) continue;
      fold(this.state, event);
      fresh.push(event);
    }
    if (fresh.some(({ type }) => type === 'restore.ended') && !this.#older.areLoaded)
      this.#older.areLoaded = await loadHead(this.#store, this.state);
    if (fresh.length > 0) this.#events.emit(fresh);
  }
}

const READ_ONLY = {
  code: 'read-only',
  what: 'This session is open in another tab, and this one is read-only.',
  next: 'Choose "Take over" to continue here.',
};
