import type { Event } from '../session/log/events.ts';
import { SessionFollower } from '../session/log/follower.ts';
import type { Sessions } from '../session/sessions.ts';

/** Listens to every session that this page writes, also to those that it opens or creates later. */
export function listenToAll(sessions: Sessions, listener: (events: readonly Event[]) => void): void {
  const heard = new WeakSet<object>();
  const hearNew = () => {
    for (const session of sessions.live()) {
      if (session instanceof SessionFollower || heard.has(session)) continue;
      heard.add(session);
      session.onEvents(listener);
    }
  };
  hearNew();
  sessions.onChange(hearNew);
}
