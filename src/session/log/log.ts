import type { Clock } from '../../base/clock.ts';
import { FaultError, faultOf, type Fault } from '../../base/fault.ts';
import type { Hash } from '../../base/hash.ts';
import { Listeners, type Unlisten } from '../../base/listeners.ts';
import type { Timer } from '../../base/timer.ts';
import { assertStorable, EVENT_VERSION, type Event, type EventBody } from './events.ts';
import { Projection, type ProjectedRecords } from './projection.ts';
import { fold } from './reduce.ts';
import type { SessionState } from './state.ts';
import type { Blob, Commit, Durability, SessionRecord, SessionStore } from './store.ts';

/** About one frame: events without a barrier are written after at most this many milliseconds. */
const FLUSH_AFTER_MS = 16;
/** One transaction with this many events takes 4–5 ms of the page's time; more would cost a frame. */
const EVENTS_PER_COMMIT = 100;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 30_000;

/** Whether events reach the disk. While they do not, they are kept in memory and writing is retried. */
export type LogStorage = { readonly state: 'ok' } | { readonly state: 'failing'; readonly fault: Fault };

export interface LogDeps {
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly timer: Timer;
  /** Called with events that are on disk now, in order, so that other tabs can be told. */
  onCommitted?(events: readonly Event[]): void;
}

interface Waiter {
  /** The waiter is done when every event before this `seq` is on disk. */
  readonly upTo: number;
  readonly durability: Durability;
  resolve(): void;
}

interface DelayedEvent {
  readonly event: Event;
  /** The event may be shown only once it is on disk. Other held events only keep their place behind it. */
  readonly untilStored: boolean;
}

/**
 * The only way to change a session: an event is appended, folded into the state, passed to the listeners, and
 * written to the store in batches, one transaction at a time. Message records are a projection, which is renewed
 * now and then ({@link Projection}). Until then `foldedTo` stays as it is, and opening folds the events after
 * it. The session's record matches `foldedTo` too, except for fields that may be folded twice.
 */
export class SessionLog {
  readonly state: SessionState;
  readonly #deps: LogDeps;
  readonly #events = new Listeners<readonly Event[]>();
  readonly #storageChanges = new Listeners<LogStorage>();
  #storage: LogStorage = { state: 'ok' };
  #nextSeq: number;
  #head: string | null;
  /** Where the head goes when the restore that has begun ends. */
  #restoredHead: string | null | undefined;
  #unwritten: Event[] = [];
  #unwrittenBlobs = new Map<Hash, Blob>();
  /**
   * Events before `#stored` are on disk; events before `#storedStrictly` also survive a crash of the machine.
   */
  #stored: number;
  #storedStrictly: number;
  #waiters: Waiter[] = [];
  #delayed: DelayedEvent[] = [];
  readonly #projection: Projection;
  #writing: Promise<void> | null = null;
  #cancelTimer: Unlisten | null = null;
  #retryMs = FIRST_RETRY_MS;

  /** `state` holds everything that is stored; `record` is the session's record as stored. */
  constructor(deps: LogDeps, state: SessionState, record: SessionRecord) {
    this.#deps = deps;
    this.state = state;
    this.#projection = new Projection(state, record);
    this.#nextSeq = state.nextSeq;
    this.#stored = state.nextSeq;
    this.#storedStrictly = state.nextSeq;
    this.#head = state.head;
    this.#restoredHead = state.restoring?.to.head;
    if (this.#projection.isDue) this.#writeLater(FLUSH_AFTER_MS);
  }

  /** The newest message that was appended, even if it is not shown yet. */
  get head(): string | null {
    return this.#head;
  }

  /** Whether an appended event is not in the state yet. */
  get behind(): boolean {
    return this.#delayed.length > 0;
  }

  get storage(): LogStorage {
    return this.#storage;
  }

  onStorage(listener: (storage: LogStorage) => void): Unlisten {
    return this.#storageChanges.add(listener);
  }

  /** The listener is called right after events were folded. */
  onEvents(listener: (events: readonly Event[]) => void): Unlisten {
    return this.#events.add(listener);
  }

  /**
   * Takes effect at once and is written soon. `blobs` are stored in the same transaction. Throws a fault, and changes
   * nothing, if the event could not be read again.
   */
  append(body: EventBody, blobs: readonly Blob[] = []): Event {
    return this.#add(body, blobs, false);
  }

  /**
   * Appends an event that must not be seen before it is stored. It is written at once and shown when it is on
   * disk; later events are shown after it. Resolves then, or when the store fails: see {@link storage}.
   */
  async appendStored(body: EventBody, durability: Durability, blobs: readonly Blob[] = []): Promise<Event> {
    const event = this.#add(body, blobs, true);
    // While the store fails nobody waits for it, but an important event triggers the next try now.
    if (
      durability === 'strict' &&
      this.#storage.state === 'failing' &&
      this.#storage.fault.code !== 'log-conflict'
    )
      this.#startWriting();
    await this.barrier(durability);
    return event;
  }

  /** Resolves when everything appended so far is on disk, or the store has failed: see {@link storage}. */
  barrier(durability: Durability): Promise<void> {
    if (this.#storage.state === 'failing' || this.#isStored(this.#nextSeq, durability))
      return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiters.push({ upTo: this.#nextSeq, durability, resolve });
      this.#startWriting();
    });
  }

  /**
   * Resolves when everything appended so far is on disk. A failing store gets one more try; rejects with a
   * fault if that fails too.
   */
  async requireStored(): Promise<void> {
    if (this.#failure) await this.requireStorage();
    await this.barrier('relaxed');
    this.#throwFailure();
  }

  /**
   * Resolves unless the last write failed: then the store gets one more try, and this rejects with a fault if
   * that fails too. Unlike {@link requireStored}, this does not wait for events that are still to be written.
   */
  async requireStorage(): Promise<void> {
    if (!this.#failure) return;
    if (this.#failure.code !== 'log-conflict') {
      this.#startWriting();
      await this.#writing;
    }
    this.#throwFailure();
  }

  #throwFailure(): void {
    if (this.#failure) throw new FaultError(notStored(this.#failure));
  }

  /** The events and contents that are not on disk: none, unless they are very new or the store fails. */
  unstored(): { readonly events: readonly Event[]; readonly blobs: readonly Blob[] } {
    return { events: [...this.#unwritten], blobs: [...this.#unwrittenBlobs.values()] };
  }

  /** Puts content into the store with the next batch. Use this for content that no event has to wait for. */
  addBlob(blob: Blob): void {
    this.#unwrittenBlobs.set(blob.hash, blob);
  }

  async readBlob(hash: Hash): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return this.#unwrittenBlobs.get(hash)?.bytes ?? (await this.#deps.store.blobs.get(hash));
  }

  /** Writes everything that is left, including records. */
  async close(): Promise<void> {
    this.#projection.finish(this.#nextSeq);
    do {
      if (this.#unwritten.length > 0 || this.#projection.isReady) this.#startWriting();
      await this.#writing;
    } while (this.#storage.state === 'ok' && (this.#unwritten.length > 0 || this.#projection.isReady));
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  #add(body: EventBody, blobs: readonly Blob[], untilStored: boolean): Event {
    assertStorable(body);
    const event: Event = {
      ...body,
      v: EVENT_VERSION,
      sessionID: this.state.sessionID,
      seq: this.#nextSeq++,
      time: this.#deps.clock.now('log'),
    };
    if (event.type === 'prompt.accepted' || event.type === 'step.started') this.#head = event.messageID;
    if (event.type === 'restore.began') this.#restoredHead = event.head;
    if (event.type === 'restore.ended' && !event.fault && this.#restoredHead !== undefined)
      this.#head = this.#restoredHead;
    this.#unwritten.push(event);
    for (const blob of blobs) this.#unwrittenBlobs.set(blob.hash, blob);
    const hold = untilStored && this.#storage.state === 'ok';
    if (hold || this.#delayed.length > 0) this.#delayed.push({ event, untilStored: hold });
    else this.#show([event]);
    if (this.#storage.state === 'ok') {
      // The barrier that follows writes events that must be stored first, since it knows the durability.
      if (this.#unwritten.length >= EVENTS_PER_COMMIT && !untilStored) this.#startWriting();
      else this.#writeLater(FLUSH_AFTER_MS);
    }
    return event;
  }

  #show(events: readonly Event[]): void {
    for (const event of events) {
      fold(this.state, event);
      this.#projection.shown(event);
    }
    this.#events.emit(events);
  }

  #showHeld(): void {
    const failing = this.#storage.state === 'failing';
    let count = 0;
    for (const { event, untilStored } of this.#delayed) {
      if (untilStored && event.seq >= this.#stored && !failing) break;
      count++;
    }
    if (count > 0) this.#show(this.#delayed.splice(0, count).map(({ event }) => event));
  }

  get #failure(): Fault | undefined {
    return this.#storage.state === 'failing' ? this.#storage.fault : undefined;
  }

  #isStored(upTo: number, durability: Durability): boolean {
    return (durability === 'strict' ? this.#storedStrictly : this.#stored) >= upTo;
  }

  #writeLater(ms: number): void {
    if (this.#cancelTimer || this.#writing) return;
    this.#cancelTimer = this.#deps.timer.after(ms, () => {
      this.#cancelTimer = null;
      this.#startWriting();
    });
  }

  #startWriting(): void {
    if (this.#writing) return;
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    this.#writing = this.#write();
  }

  async #write(): Promise<void> {
    do await this.#writeBatch();
    while (
      this.#storage.state === 'ok' &&
      (this.#waiters.length > 0 || this.#unwritten.length >= EVENTS_PER_COMMIT)
    );
    // This happens in the same tick as the check of the waiters: a new waiter must find nobody writing.
    this.#writing = null;
    if (this.#storage.state === 'ok') {
      this.#retryMs = FIRST_RETRY_MS;
      if (this.#unwritten.length > 0 || this.#projection.isReady) this.#writeLater(FLUSH_AFTER_MS);
    } else if (this.#storage.fault.code !== 'log-conflict') this.#writeLater(this.#retryMs);
  }

  async #writeBatch(): Promise<void> {
    const { commit, durability, records } = this.#nextCommit();
    try {
      await this.#deps.store.commit(commit, durability);
    } catch (error) {
      this.#projection.notStored(records);
      return this.#failed(faultOf(error, 'storage-failed'));
    }
    this.#committed(commit, durability);
  }

  #nextCommit(): { commit: Commit; durability: Durability; records: ProjectedRecords } {
    const events = this.#unwritten.slice(0, EVENTS_PER_COMMIT);
    const end = (events.at(-1)?.seq ?? this.#stored - 1) + 1;
    const records = this.#projection.next(end);
    const strict = this.#waiters.some((waiter) => waiter.durability === 'strict' && waiter.upTo <= end);
    return {
      commit: {
        sessionID: this.state.sessionID,
        events,
        messages: records.messages,
        session: records.session,
        blobs: [...this.#unwrittenBlobs.values()],
      },
      durability: strict ? 'strict' : 'relaxed',
      records,
    };
  }

  #committed({ events, session, blobs }: Commit, durability: Durability): void {
    this.#unwritten.splice(0, events.length);
    for (const { hash } of blobs) this.#unwrittenBlobs.delete(hash);
    this.#projection.stored(session);
    const last = events.at(-1);
    if (last) this.#stored = last.seq + 1;
    if (durability === 'strict') this.#storedStrictly = this.#stored;
    this.#setStorage({ state: 'ok' });
    if (events.length > 0) this.#deps.onCommitted?.(events);
    this.#showHeld();
    const waiters = this.#waiters;
    this.#waiters = waiters.filter(({ upTo, durability: wanted }) => !this.#isStored(upTo, wanted));
    for (const waiter of waiters) if (!this.#waiters.includes(waiter)) waiter.resolve();
  }

  /** Drops nothing: events that could not be written stay in the queue and are retried. */
  #failed(fault: Fault): void {
    if (this.#storage.state === 'failing') this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS);
    this.#setStorage({ state: 'failing', fault });
    this.#showHeld();
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const { resolve } of waiters) resolve();
  }

  #setStorage(storage: LogStorage): void {
    const before = this.#storage;
    this.#storage = storage;
    if (storage.state === 'ok' ? before.state === 'ok' : sameFault(storage, before)) return;
    this.#storageChanges.emit(storage);
  }
}

function notStored({
  what,
  next = 'Export the session to keep it, then reload the page.',
  ...fault
}: Fault): Fault {
  return { ...fault, what: `The agent stopped because this session cannot be saved: ${what}`, next };
}

function sameFault(storage: LogStorage, before: LogStorage): boolean {
  return (
    storage.state === 'failing' && before.state === 'failing' && storage.fault.code === before.fault.code
  );
}
