import type { Activity } from '../../state/live-sessions.svelte.ts';

/** A change of a session that the person should know of. */
export interface SessionNotice {
  readonly id: string;
  readonly kind: 'waits' | 'done';
}

/** Compares two looks at the sessions, and returns the changes worth a notification: one asks now, or its turn is over. */
export function noticesBetween(
  before: ReadonlyMap<string, Activity>,
  now: ReadonlyMap<string, Activity>,
): readonly SessionNotice[] {
  const asked = [...now].flatMap(([id, activity]): SessionNotice[] =>
    activity === 'waiting' && before.get(id) !== 'waiting' ? [{ id, kind: 'waits' }] : [],
  );
  const ended = [...before].flatMap(([id, activity]): SessionNotice[] =>
    activity !== 'paused' && !now.has(id) ? [{ id, kind: 'done' }] : [],
  );
  return [...asked, ...ended];
}
