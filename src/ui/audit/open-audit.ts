import type { Audit } from '../../session/audit.ts';
import type { Event } from '../../session/events.ts';
import type { AppSessions } from '../app.ts';

/** What has just happened reaches the store within this, as a rule. */
const WAIT_MS = 50;
const TRIES = 20;

/**
 * Reads the newest decisions of a session and goes on with those that come; `changed` is told of each time there is
 * something new to show. Returns what ends it.
 */
export function openAudit(
  sessions: Pick<AppSessions, 'audit' | 'live'>,
  sessionID: string,
  { changed, failed }: { changed: (audit: Audit) => void; failed: (error: unknown) => void },
): () => void {
  const handle = sessions.live().find(({ id }) => id === sessionID);
  const upTo = handle ? handle.state.nextSeq - 1 : -1;
  let gone = false;
  let opened: Audit | null = null;
  let early: Event[] = [];
  const unlisten = handle?.onEvents((events) => {
    if (!opened) return void early.push(...events);
    const before = opened.entries();
    opened.take(events);
    if (
      opened.entries().length !== before.length ||
      events.some(({ type }) => type === 'permission.answered')
    )
      changed(opened);
  });

  void read().catch((error: unknown) => {
    if (!gone) failed(error);
  });

  async function read(): Promise<void> {
    for (let tries = 1; !gone; tries++) {
      const audit = await sessions.audit(sessionID);
      await audit.more();
      if (audit.newest >= upTo || tries === TRIES) {
        audit.take(early);
        early = [];
        opened = audit;
        if (!gone) changed(audit);
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    }
  }

  return () => {
    gone = true;
    unlisten?.();
  };
}
