import { Listeners, type Unlisten } from '../base/listeners.ts';
import type { Audit } from '../session/log/audit.ts';
import type { Session } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Stepper } from '../session/stepping/stepper.ts';
import type { SearchHit, SessionMarks, SessionRecord } from '../session/log/store.ts';
import { FaultError } from '../base/fault.ts';
import type { Inspection, InspectionDeps } from '../session/inspect/inspection.ts';
import type { AppSessions, RecordedLog, SessionHandle } from '../ui/app.ts';
import { ELSEWHERE, type Workspaces } from './workspaces.ts';

/** The services that the inspector needs besides a session's log. */
interface InspectorServices extends Pick<InspectionDeps, 'timer' | 'blob' | 'digest'> {
  rehearse(
    sessionID: string,
    ...request: Parameters<InspectionDeps['rehearse']>
  ): ReturnType<InspectionDeps['rehearse']>;
  keptBody(sessionID: string, messageID: string): string | undefined;
}

/** The sessions as the page opens them: for writing if this tab has the workspace's lock, else for following. */
export class SessionsOfApp implements AppSessions {
  readonly #sessions: Sessions;
  readonly #workspaces: Workspaces;
  readonly #changed = new Listeners<void>();
  /** Deleting a session adds no event, so other tabs must be notified separately. */
  readonly #tellOthers: () => void;
  readonly #redact: (text: string) => string;
  readonly #inspectorServices: InspectorServices;

  constructor(
    sessions: Sessions,
    workspaces: Workspaces,
    tellOthers: () => void,
    redact: (text: string) => string,
    inspectorServices: InspectorServices,
  ) {
    this.#redact = redact;
    this.#inspectorServices = inspectorServices;
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
    if (!(await this.#workspaces.claim(options.workspaceID))) throw new FaultError(ELSEWHERE);
    return this.#sessions.create(options);
  }

  async open(id: string): Promise<SessionHandle> {
    const sessions = this.#sessions;
    const known = sessions.live().find((session) => session.id === id);
    if (known) return known;
    const record = (await sessions.list()).find((stored) => stored.id === id);
    // An unknown session gets its error from `open`.
    const writable = !record || (await this.#workspaces.claim(record.state.workspaceID));
    return writable ? sessions.open(id) : sessions.follow(id);
  }

  async delete(id: string): Promise<void> {
    const sessions = this.#sessions;
    const record = (await sessions.list()).find((stored) => stored.id === id);
    if (record && !(await this.#workspaces.claim(record.state.workspaceID))) throw new FaultError(ELSEWHERE);
    await sessions.delete(id);
    this.#tellOthers();
  }

  async mark(id: string, marks: Partial<SessionMarks>): Promise<void> {
    await this.#sessions.mark(id, marks);
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
      import('../session/log/audit.ts'),
      import('../base/secrets.ts'),
    ]);
    return new Audit({
      read: (before, limit) => this.#sessions.eventsBefore(id, before, limit),
      mask: (text) => maskSecrets(this.#redact(text)),
    });
  }

  async inspect(id: string, recorded?: RecordedLog | null): Promise<Inspection> {
    const { maskSecrets } = await import('../base/secrets.ts');
    const { keptBody, rehearse, ...inspectorServices } = this.#inspectorServices;
    const mask = (text: string) => maskSecrets(this.#redact(text));
    if (recorded) {
      const { inspectRecorded } = await import('../session/inspect/recorded.ts');
      return inspectRecorded(recorded, {
        digest: inspectorServices.digest,
        mask,
        rehearse: (...request) => rehearse(recorded.recordedID, ...request),
      });
    }
    const { Inspection } = await import('../session/inspect/inspection.ts');
    const open = this.live().find((session) => session.id === id);
    return new Inspection({
      ...inspectorServices,
      sessionID: id,
      rehearse: (...request) => rehearse(id, ...request),
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

  /** Call this when sessions were added from outside, such as by an import. */
  added(): void {
    this.#changed.emit();
    this.#tellOthers();
  }

  /** Another tab changed the list. */
  reread(): void {
    this.#changed.emit();
  }
}
