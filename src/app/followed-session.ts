import type { Unlisten } from '../base/listeners.ts';
import type { Event } from '../session/log/events.ts';
import type { AppSessions, SessionHandle } from '../ui/app.ts';

type Deps = Pick<AppSessions, 'live' | 'list' | 'open' | 'onChange'>;

/**
 * Hears the events of a session for as long as it exists. Its handle is replaced when another tab takes over its workspace, or
 * this tab does, and what the new handle has read in the meantime is no event of it: `onReplaced` is called then.
 */
export class FollowedSession {
  readonly #sessions: Deps;
  readonly #onEvents: (events: readonly Event[]) => void;
  readonly #onReplaced: () => void;
  #session: SessionHandle;
  #unlistenSession: Unlisten;
  readonly #unlistenList: Unlisten;
  #closed = false;
  #isOpening = false;

  constructor(
    sessions: Deps,
    session: SessionHandle,
    onEvents: (events: readonly Event[]) => void,
    onReplaced: () => void,
  ) {
    this.#sessions = sessions;
    this.#session = session;
    this.#onEvents = onEvents;
    this.#onReplaced = onReplaced;
    this.#unlistenSession = session.onEvents(onEvents);
    this.#unlistenList = sessions.onChange(() => void this.#renew().catch(() => undefined));
  }

  /** The handle that is valid now. */
  get session(): SessionHandle {
    return this.#session;
  }

  close(): void {
    this.#closed = true;
    this.#unlistenSession();
    this.#unlistenList();
  }

  async #renew(): Promise<void> {
    if (this.#isOpening || this.#isValid()) return;
    this.#isOpening = true;
    try {
      const { id } = this.#session;
      // A session that was deleted is left to whoever shows it.
      if (!(await this.#sessions.list()).some((record) => record.id === id) || this.#isValid()) return;
      const session = await this.#sessions.open(id);
      if (this.#closed) return;
      this.#unlistenSession();
      this.#session = session;
      this.#unlistenSession = session.onEvents(this.#onEvents);
      this.#onReplaced();
    } finally {
      this.#isOpening = false;
    }
  }

  #isValid(): boolean {
    return this.#closed || this.#sessions.live().includes(this.#session);
  }
}
