import { faultOf } from '../../base/fault.ts';
import { STORAGE_WIDE_FAULTS } from '../../storage/faults.ts';
import type { Parts } from './parts.ts';

/** Connects the parts with each other and with the app's other tabs. */
export function connect(parts: Parts): void {
  const { sessions, permissions } = parts;
  watchSessions(parts);
  followOtherTabs(parts);
  permissions.onChange(() => {
    for (const session of sessions.live()) if ('rulesChanged' in session) void session.rulesChanged();
  });
}

/** Shows problems that a session reports for as long as that session is open. */
function watchSessions({ sessions, workspaces, options: { notice } }: Parts): void {
  const watched = new Set<object>();
  sessions.onChange(() => {
    // The turn may have ended in a workspace that is not on the page.
    workspaces.suspendUnused();
    const live = sessions.live();
    for (const session of watched) {
      if (live.some((other) => other === session)) continue;
      watched.delete(session);
      notice.tell(null, session);
    }
    for (const session of live) {
      if (watched.has(session)) continue;
      watched.add(session);
      session.onProblem((fault) => {
        // Problems of the storage itself are reported by the storage. Reported by a session, they would stay after
        // the storage recovers, because nothing tells the session.
        if (!STORAGE_WIDE_FAULTS.has(fault.code)) notice.tell(fault, session);
      });
      if ('onStorage' in session)
        session.onStorage((log) => notice.tell(log.state === 'failing' ? log.fault : null, session));
    }
  });
}

function followOtherTabs(parts: Parts): void {
  const { channel, sessions, workspaces, appSessions, configurations, permissions } = parts;
  channel.onEvents((events) => {
    const [first] = events;
    if (first) void sessions.receive(first.sessionID, events);
  });
  channel.onChanged((what) => {
    if (what === 'workspaces') workspaces.reread();
    else if (what === 'sessions') appSessions.reread();
    else if (what === 'configuration') void configurations.load().catch(() => undefined);
    else
      void permissions.load().catch((error: unknown) => {
        parts.options.notice.tell(faultOf(error));
      });
  });
}
