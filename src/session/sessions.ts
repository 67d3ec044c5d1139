import { FaultError, type Fault } from '../base/fault.ts';
import type { Hash } from '../base/hash.ts';
import { lazily } from '../base/lazily.ts';
import { Listeners, type Unlisten } from '../base/listeners.ts';
import type { Event } from './log/events.ts';
import type { SessionFollower } from './log/follower.ts';
import type { LogDeps, SessionLog } from './log/log.ts';
import type { PathLocks } from './calls/path-locks.ts';
import type { NewSession, SessionDeps } from './deps.ts';
import { isWritten, SessionFamilies, writtenSession } from './families.ts';
import type { Session } from './session.ts';
import type { Task } from './log/state.ts';
import type { Stepper } from './stepping/stepper.ts';
import { passingOwner, type SearchHit, type SessionMarks, type SessionRecord } from './log/store.ts';

const SEARCH_HITS = 50;

/** Loads the code that opens sessions. The page can show itself and its list without it. */
const loadOpening = lazily(() => import('./log/opening.ts'));

/** Loads the code that runs turns, which other tabs' sessions can be shown without. */
const loadSession = lazily(async () => {
  const [session, { PathLocks }, opening] = await Promise.all([
    import('./session.ts'),
    import('./calls/path-locks.ts'),
    loadOpening(),
  ]);
  return { ...session, ...opening, PathLocks };
});

/** The sessions of this app: the open ones, by id, and the stored rest. */
export class Sessions {
  readonly #deps: SessionDeps;
  /** The values are promises, so that two callers who open the same id at once get one session. */
  readonly #open = new Map<string, Promise<Session>>();
  readonly #followed = new Map<string, Promise<SessionFollower>>();
  /** Sessions whose last events are being written. Opening one again waits for that. */
  readonly #closing = new Map<string, Promise<void>>();
  readonly #live = new Map<string, Session | SessionFollower>();
  readonly #locks = new Map<string, PathLocks>();
  readonly #changes = new Listeners<void>();
  readonly #families: SessionFamilies;

  constructor(deps: SessionDeps) {
    this.#deps = deps;
    this.#families = new SessionFamilies(deps, this.#live, {
      create: (options) => this.create(options),
      open: (id) => this.open(id),
      close: (id) => this.close(id),
      delete: (id) => this.delete(id),
    });
  }

  /** Starts to load the code of sessions, so that the first one opens sooner. */
  warm(): void {
    void loadSession().catch(() => undefined);
  }

  list(): Promise<readonly SessionRecord[]> {
    return this.#deps.store.sessions();
  }

  search(query: string): Promise<readonly SearchHit[]> {
    return this.#deps.store.search(query, SEARCH_HITS);
  }

  /** Stored events with a smaller `seq` than `before`, see {@link SessionStore.eventsBefore}. */
  eventsBefore(id: string, before: number, limit: number): Promise<readonly Event[]> {
    return this.#deps.store.eventsBefore(id, before, limit);
  }

  /** Stored events of a session, starting at `from`. */
  eventsFrom(id: string, from: number): Promise<readonly Event[]> {
    return this.#deps.store.events(id, from);
  }

  /**
   * The whole log of a session, including what is not stored yet if this tab writes it; empty if there is no
   * such session. Rejects with a fault if events are missing from it.
   */
  async wholeLog(id: string): Promise<readonly Event[]> {
    const session = writtenSession(this.#live, id);
    await session?.filesKept();
    await session?.stored();
    // This comes before the store is read: otherwise events written meanwhile would be in neither list.
    const unstored = session?.unstored().events ?? [];
    const stored = await this.#deps.store.events(id, 0);
    const events = [...stored, ...unstored.filter(({ seq }) => seq >= stored.length)];
    const gap = events.findIndex(({ seq }, index) => seq !== index);
    if (gap >= 0) throw new FaultError(incomplete(id, gap));
    return events;
  }

  /** Content that an event of any session names, even if it is not stored yet. */
  async content(hash: Hash): Promise<Uint8Array<ArrayBuffer> | undefined> {
    for (const session of this.live()) {
      if (!isWritten(session)) continue;
      const unstored = session.unstored().blobs.find((blob) => blob.hash === hash);
      if (unstored) return unstored.bytes;
    }
    return this.#deps.store.blobs.get(hash);
  }

  /** The sessions that are open in this tab. */
  live(): readonly (Session | SessionFollower)[] {
    return [...this.#live.values()];
  }

  /** Called when the list of sessions, or what the open ones show in it, changed. */
  onChange(listener: () => void): Unlisten {
    return this.#changes.add(listener);
  }

  /**
   * Call this only in a tab that may write to the workspace. If `title` is empty, the first prompt gives one.
   */
  async create({ workspaceID, title = '', parent, agent }: NewSession): Promise<Session> {
    const [hold, { emptyState, sessionRecord, SessionLog }] = await Promise.all([
      this.#holder(),
      loadOpening(),
    ]);
    const id = this.#deps.ids.next('ses');
    const state = emptyState(id);
    const log = new SessionLog(this.#logDeps(id), state, sessionRecord(state));
    log.append({
      type: 'session.created',
      workspaceID,
      title,
      ...(parent && { parent }),
      ...(agent !== undefined && { agent }),
    });
    await log.barrier('relaxed');
    const session = hold(log, true);
    this.#open.set(id, Promise.resolve(session));
    return session;
  }

  /**
   * Opens a session for writing; returns the same object while it stays open. Call this only in a tab that
   * may write to its workspace. A turn that never ended because its tab died is ended as interrupted. Rejects
   * with a fault.
   */
  open(id: string): Promise<Session> {
    return once(this.#open, id, async () => {
      const [hold, { readSession, SessionLog }, { closingEvents }] = await Promise.all([
        this.#holder(),
        loadOpening(),
        import('./log/recover.ts'),
        this.#closeFollower(id),
        this.#closing.get(id),
      ]);
      const { state, record, oldestLoaded } = await readSession(this.#deps.store, id);
      const log = new SessionLog(this.#logDeps(id), state, record);
      const closing = closingEvents(state, { status: 'interrupted', outcome: 'interrupted' });
      for (const body of closing) log.append(body);
      // The turn that owned these blobs is gone. If this fails, the next interrupted turn tries again.
      if (closing.length > 0)
        await this.#deps.store.blobs.releaseOwner(passingOwner(id)).catch(() => undefined);
      const session = hold(log, oldestLoaded);
      // The tab that restored files died meanwhile.
      if (state.restoring) session.restores.finish(state.restoring);
      if (state.jobs?.some(({ running }) => running))
        await session.settleJobs((await this.#deps.jobs?.(state.workspaceID))?.list() ?? []);
      if (state.tasks.some((task) => task.state === 'running')) await this.#families.settle(session);
      return session;
    });
  }

  /**
   * Opens a session that another tab writes, and its sub-agents' sessions as they start, so that their
   * requests are shown in it too.
   */
  follow(id: string): Promise<SessionFollower> {
    return once(this.#followed, id, async () => {
      const [{ readSession, SessionFollower }] = await Promise.all([loadOpening(), this.#closeSession(id)]);
      const { state, oldestLoaded } = await readSession(this.#deps.store, id);
      const follower = new SessionFollower(this.#deps.store, state, oldestLoaded);
      this.#live.set(id, follower);
      follower.onEvents((events) => {
        this.#notice(events);
        for (const event of events) if (event.type === 'task.started') void this.#followTask(follower, event);
      });
      for (const task of state.tasks) if (task.state === 'running') void this.#followTask(follower, task);
      this.#changes.emit();
      return follower;
    });
  }

  /** Ignores a sub-agent's session that cannot be read: it can still be opened by itself. */
  async #followTask(parent: SessionFollower, { childID }: Pick<Task, 'childID'>): Promise<void> {
    const isLeft = () => this.#live.get(parent.id) !== parent;
    if (isLeft()) return;
    await this.follow(childID).catch(() => undefined);
    const child = this.#live.get(childID);
    if (isLeft() && child && !isWritten(child)) await this.#closeFollower(childID);
  }

  /** Takes in events that another tab committed. */
  async receive(sessionID: string, events: readonly Event[]): Promise<void> {
    const follower = await this.#followed.get(sessionID);
    if (follower) await follower.receive(events);
    else this.#notice(events);
  }

  /** Returns the stepper that pauses a session of this tab and its sub-agents. */
  stepper(id: string): Promise<Stepper> {
    return this.#families.stepper(id);
  }

  /** Stops and writes an open session and its sub-agents' sessions; does nothing if it is not open. */
  async close(id: string): Promise<void> {
    await Promise.all([this.#closeFollower(id), this.#closeSession(id)]);
  }

  /** Closes every session of a workspace that is open here, because this tab gives up the workspace. */
  async closeWorkspace(workspaceID: string): Promise<void> {
    const ids = this.live().flatMap(({ id, state }) => (state.workspaceID === workspaceID ? id : []));
    await Promise.all(ids.map((id) => this.close(id)));
    this.#locks.delete(workspaceID);
  }

  /** Closes the sessions of a workspace that this tab only followed, so that it can open them for writing. */
  async closeFollowers(workspaceID: string): Promise<void> {
    const ids = this.live().flatMap((session) =>
      !isWritten(session) && session.state.workspaceID === workspaceID ? session.id : [],
    );
    await Promise.all(ids.map((id) => this.#closeFollower(id)));
  }

  /** {@link restore} can undo this until the session is purged. */
  async delete(id: string): Promise<void> {
    const now = this.#deps.clock.now();
    for (const each of await this.#withChildren(id)) {
      const workspaceID = await this.#workspaceOf(each);
      await this.close(each);
      if (workspaceID !== undefined) await (await this.#deps.jobs?.(workspaceID))?.stopAllOf(each);
      await this.#deps.store.markDeleted(each, now);
    }
    this.#changes.emit();
  }

  /** Changes marks in the list, of a session of any tab. */
  async mark(id: string, marks: Partial<SessionMarks>): Promise<void> {
    await this.#deps.store.mark(id, marks);
    this.#changes.emit();
  }

  async #workspaceOf(id: string): Promise<string | undefined> {
    const live = this.#live.get(id)?.state ?? (await this.#deps.store.session(id))?.state;
    return live?.workspaceID;
  }

  async restore(id: string): Promise<void> {
    for (const each of await this.#withChildren(id)) await this.#deps.store.markDeleted(each, null);
    this.#changes.emit();
  }

  /**
   * Drops full outputs from before `endedBefore` (milliseconds since the epoch), in sessions of the
   * workspaces that this tab may write to. Sessions that were not open are closed again.
   */
  async dropExpiredOutputs(endedBefore: number, mayWrite: (workspaceID: string) => boolean): Promise<void> {
    const { store } = this.#deps;
    for (const { sessionID, messageID, callID } of await store.expiredOutputs(endedBefore)) {
      const record = await store.session(sessionID);
      if (!record || record.deleted !== null || !mayWrite(record.state.workspaceID)) continue;
      const wasOpen = this.#open.has(sessionID);
      const session = await this.open(sessionID);
      await session.dropOutput(messageID, callID);
      if (!wasOpen) await this.close(sessionID);
    }
  }

  /** A session and all sub-agents' sessions below it. */
  async #withChildren(id: string): Promise<readonly string[]> {
    const tasks = this.#live.get(id)?.state.tasks ?? (await this.#deps.store.session(id))?.state.tasks ?? [];
    const below = await Promise.all(tasks.map(({ childID }) => this.#withChildren(childID)));
    return [id, ...below.flat()];
  }

  async #holder(): Promise<(log: SessionLog, oldestLoaded: boolean) => Session> {
    const { Session, PathLocks } = await loadSession();
    return (log, oldestLoaded) => {
      const { workspaceID } = log.state;
      const locks = this.#locks.get(workspaceID) ?? new PathLocks();
      this.#locks.set(workspaceID, locks);
      const session = new Session(this.#deps, log, locks, oldestLoaded, (each) => this.#families.of(each));
      this.#live.set(session.id, session);
      session.onEvents((events) => {
        this.#notice(events);
        if (events.some(({ type }) => type === 'turn.ended')) this.#families.turnEnded(session.id);
      });
      this.#changes.emit();
      return session;
    };
  }

  #logDeps(id: string): LogDeps {
    const { store, clock, timer, onCommitted } = this.#deps;
    const tell = onCommitted && ((events: readonly Event[]) => onCommitted(id, events));
    return { store, clock, timer, ...(tell && { onCommitted: tell }) };
  }

  async #closeSession(id: string): Promise<void> {
    const opened = this.#open.get(id);
    if (!opened) return this.#closing.get(id);
    this.#open.delete(id);
    const closing = opened.then(async (session) => {
      // Abort this session first: otherwise it would react to the end of its sub-agents.
      session.abort();
      await this.#families.closeChildren(id);
      await session.close();
      this.#live.delete(id);
    });
    this.#closing.set(id, closing);
    await closing.finally(() => this.#closing.delete(id));
    this.#changes.emit();
  }

  async #closeFollower(id: string): Promise<void> {
    const followed = this.#followed.get(id);
    if (!followed) return;
    this.#followed.delete(id);
    const follower = await followed;
    this.#live.delete(id);
    await follower.close();
    this.#changes.emit();
  }

  #notice(events: readonly Event[]): void {
    if (events.some(({ type }) => CHANGES_LIST.has(type))) this.#changes.emit();
  }
}

const CHANGES_LIST: ReadonlySet<Event['type']> = new Set([
  'session.created',
  'session.titled',
  'session.kept',
  'prompt.accepted',
  'restore.ended',
  'task.started',
  'turn.started',
  'turn.ended',
  'pause.began',
  'pause.ended',
  'permission.asked',
  'permission.answered',
  'question.asked',
  'question.answered',
]);

function incomplete(id: string, from: number): Fault {
  return {
    code: 'session-incomplete',
    what: `Part of this session is no longer stored: what happened after its first ${from} events is missing, at least in part.`,
    where: id,
    next: 'Reload the page to see what is left of it.',
  };
}

/** Forgets a call that failed, so that the next caller tries again. */
function once<T>(known: Map<string, Promise<T>>, id: string, make: () => Promise<T>): Promise<T> {
  const existing = known.get(id);
  if (existing) return existing;
  const made = make();
  known.set(id, made);
  made.catch(() => known.delete(id));
  return made;
}
