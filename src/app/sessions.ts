import { Listeners, type Unlisten } from '../base/listeners.ts';
import type { Audit } from '../session/audit.ts';
import type { Session } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Stepper } from '../session/stepping/stepper.ts';
import type { SearchHit, SessionRecord } from '../session/store.ts';
import { FaultError } from '../base/fault.ts';
import type { Inspection, InspectionDeps } from '../session/inspect/inspection.ts';
import type { AppSessions, RecordedLog, SessionHandle } from '../ui/app.ts';
import { ELSEWHERE, type Workspaces } from './workspaces.ts';

/** What looking into a session takes beside its log. */
interface Looking extends Pick<InspectionDeps, 'timer' | 'blob' | 'rehearse' | 'digest'> {
  keptBody(sessionID: string, messageID: string): string | undefined;
}

/** The sessions as the page opens them: to write where this tab holds the workspace, else to follow. */
export class SessionsOfApp implements AppSessions {
  readonly #sessions: Sessions;
  readonly #workspaces: Workspaces;
  readonly #changed = new Listeners<void>();
  /** Deleting leaves no event that the other tabs would hear of. */
  readonly #tellOthers: () => void;
  readonly #redact: (text: string) => string;
  readonly #looking: Looking;

  constructor(
    sessions: Sessions,
    workspaces: Workspaces,
    tellOthers: () => void,
    redact: (text: string) => string,
    looking: Looking,
  ) {
    this.#redact = redact;
    this.#looking = looking;
    this.#sessions = sessions;
    this.#workspaces = workspaces;
    this.#tellOthers = tellOthers;
    sessions.onChange(() => this.#changed.emit());
    workspaces.onChange(() => this.#changed.emit());
  }

  async list(): Promise<readonly SessionRecord[]> {
    return this.#sessions.list();
  }

  live(): readonly SessionHandle[] {
    return this.#sessions.live();
  }

  async create(options: { workspaceID: string; title?: string }): Promise<Session> {
    if (!(await this.#workspaces.hold(options.workspaceID))) throw new FaultError(ELSEWHERE);
    return this.#sessions.create(options);
  }

  async open(id: string): Promise<SessionHandle> {
    const sessions = this.#sessions;
    const known = sessions.live().find((session) => session.id === id);
    if (known) return known;
    const record = (await sessions.list()).find((stored) => stored.id === id);
    // An unknown one is for `open` to word.
    const writable = !record || (await this.#workspaces.hold(record.state.workspaceID));
    return writable ? sessions.open(id) : sessions.follow(id);
  }

  async delete(id: string): Promise<void> {
    const sessions = this.#sessions;
    const record = (await sessions.list()).find((stored) => stored.id === id);
    if (record && !(await this.#workspaces.hold(record.state.workspaceID))) throw new FaultError(ELSEWHERE);
    await sessions.delete(id);
    this.#tellOthers();
  }

  async restore(id: string): Promise<void> {
    await this.#sessions.restore(id);
    this.#tellOthers();
  }

  async search(query: string): Promise<readonly SearchHit[]> {
    return this.#sessions.search(query);
  }

  stepper(id: string): Promise<Stepper> {
    return this.#sessions.stepper(id);
  }

  async audit(id: string): Promise<Audit> {
    const [{ Audit }, { maskSecrets }] = await Promise.all([
      import('../session/audit.ts'),
      import('../base/secrets.ts'),
    ]);
    return new Audit({
      read: (before, limit) => this.#sessions.eventsBefore(id, before, limit),
      mask: (text) => maskSecrets(this.#redact(text)),
    });
  }

  async inspect(id: string, recorded?: RecordedLog | null): Promise<Inspection> {
    const [{ Inspection }, { maskSecrets }] = await Promise.all([
      import('../session/inspect/inspection.ts'),
      import('../base/secrets.ts'),
    ]);
    const { keptBody, ...looking } = this.#looking;
    const mask = (text: string) => maskSecrets(this.#redact(text));
    if (recorded)
      return new Inspection({
        ...looking,
        sessionID: recorded.recordedID,
        read: async (from) => recorded.session.events.slice(from),
        live: null,
        blob: async (hash) => recorded.content(hash),
        keptBody: () => undefined,
        mask,
      });
    const open = this.live().find((session) => session.id === id);
    return new Inspection({
      ...looking,
      sessionID: id,
      read: (from) => this.#sessions.eventsFrom(id, from),
      live: open
        ? { nextSeq: () => open.state.nextSeq, listen: (listener) => open.onEvents(listener) }
        : null,
      keptBody: (messageID) => keptBody(id, messageID),
      mask,
    });
  }

  onChange(listener: () => void): Unlisten {
    return this.#changed.add(listener);
  }

  /** Sessions came that were not made here. */
  added(): void {
    this.#changed.emit();
    this.#tellOthers();
  }

  /** Another tab changed the list. */
  reread(): void {
    this.#changed.emit();
  }
}
